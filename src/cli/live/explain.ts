import type { ServerFlags } from "../../live/client/client.ts";
import type { LiveExplanation } from "../../live/service/explaining.ts";
import type { EventView } from "../../live/store/job-views.ts";
import { causeText, jobs, rankText, reasonText } from "../explain/text.ts";
import { print } from "../terminal.ts";
import { farmOf, printable } from "./farm.ts";
import { local } from "./local-time.ts";

/** How long a farm waits for the next cycle of the job's pool, before it answers without. */
const CYCLE_SECONDS = 30;

/** Explains why a job of a live farm does not run, or what became of it. */
export async function explainLive(job: number, flags: ServerFlags & { readonly json?: true }): Promise<void> {
  const farm = farmOf(flags);
  const explanation = await farm.get<LiveExplanation>(`/v1/jobs/${job}/explain`, CYCLE_SECONDS);
  const events = await farm.get<EventView[]>(`/v1/jobs/${job}/events`);
  if (flags.json === true) await print(JSON.stringify({ ...explanation, events }, null, 2));
  else await print([...liveExplanationLines(explanation), "", ...events.map(eventLine)].join("\n"));
}

export function liveExplanationLines({ job, state, reason, waits, suspended }: LiveExplanation): string[] {
  // The cause of a suspension says more than the reason that stands in lists.
  const why = reason === "" || suspended !== null ? "" : `: ${printable(reason)}`;
  const lines = [`Job ${job} is ${state}${why}.`];
  if (suspended !== null)
    lines.push(
      `- ${printable(causeText(suspended))}`,
      "- it goes on when its machines have room for it again",
    );
  return waits === null ? lines : [...lines, ...waitLines(waits)];
}

function waitLines(waits: NonNullable<LiveExplanation["waits"]>): string[] {
  const { pool, policy, reasons, ahead, rank, intervalSeconds, isOnItsWay, unreachable, writeError } = waits;
  if (pool !== null && isOnItsWay) return [`It is on its way to pool ${printable(pool)}.`];
  const where =
    pool === null ? "at its virtual pool, until a pool has room" : `in pool ${printable(pool)} (${policy})`;
  const lines = [`It waits ${where}.`];
  if (unreachable !== null) lines.push(`- the pool's engine cannot be reached: ${printable(unreachable)}`);
  if (writeError !== null)
    return [
      ...lines,
      `- the farm cannot write down what it decides, so nothing starts: ${printable(writeError)}`,
    ];
  if (reasons === null) {
    const often = intervalSeconds > 0 ? `, which it does every ${intervalSeconds} s` : "";
    return [...lines, `- the pool has decided nothing since you asked${often}: ask again`];
  }
  for (const each of reasons) lines.push(`- ${printable(reasonText(each, instant))}`);
  const isNamed = reasons.some(({ kind }) =>
    ["kept free", "behind", "would delay", "would delay promises"].includes(kind),
  );
  if (ahead.length > 0 && !isNamed)
    lines.push(
      `- it comes after ${jobs(ahead)}${printable(rankText(rank ?? undefined, ahead.length))}; they wait too`,
    );
  return lines;
}

function instant(unixSeconds: number): string {
  return `at ${local(new Date(unixSeconds * 1000).toISOString())}`;
}

function eventLine({ at, kind, actor, text }: EventView): string {
  const by = actor === null ? "" : ` by ${printable(actor)}`;
  return `${local(at)}  ${kind}${by}${text === "" ? "" : `: ${printable(text)}`}`;
}
