import type { ServerFlags } from "../../live/client/client.ts";
import type { LiveExplanation } from "../../live/service/explaining.ts";
import type { EventView } from "../../live/store/job-views.ts";
import { reasonText } from "../explain/text.ts";
import { print } from "../terminal.ts";
import { farmOf, printable } from "./farm.ts";
import { local } from "./job-text.ts";

/** Why a job on a farm that runs does not run, or what has become of it. */
export async function explainLive(job: number, flags: ServerFlags & { readonly json?: true }): Promise<void> {
  const farm = farmOf(flags);
  const explanation = await farm.get<LiveExplanation>(`/v1/jobs/${job}/explain`);
  const events = await farm.get<EventView[]>(`/v1/jobs/${job}/events`);
  if (flags.json === true) await print(JSON.stringify({ ...explanation, events }, null, 2));
  else await print([...explanationLines(explanation), "", ...events.map(eventLine)].join("\n"));
}

function explanationLines({ job, state, reason, waits, suspendedFor }: LiveExplanation): string[] {
  const lines = [`Job ${job} is ${state}${reason === "" ? "" : `: ${printable(reason)}`}.`];
  if (suspendedFor.length > 0)
    lines.push(`On its machines run ${suspendedFor.map((other) => `job ${other}`).join(", ")}.`);
  if (waits === null) return lines;
  const { pool, policy, aheadCount, ahead, reasons, unreachable } = waits;
  lines.push(`It waits in pool ${printable(pool)} (${policy}).`);
  if (unreachable !== null) lines.push(`- the pool's engine cannot be reached: ${printable(unreachable)}`);
  for (const each of reasons) lines.push(`- ${printable(reasonText(each, (seconds) => `at ${seconds} s`))}`);
  if (aheadCount > 0)
    lines.push(
      `- before it in the queue: ${aheadCount}, first ${ahead.map((other) => `job ${other}`).join(", ")}`,
    );
  return lines;
}

function eventLine({ at, kind, actor, text }: EventView): string {
  const by = actor === null ? "" : ` by ${printable(actor)}`;
  return `${local(at)}  ${kind}${by}${text === "" ? "" : `: ${printable(text)}`}`;
}
