import type { FullExplanation } from "../../live/api/why-routes.ts";
import type { ServerFlags } from "../../live/client/client.ts";
import { START_FAILED, stateText } from "../../live/store/job-states.ts";
import type { EventView } from "../../live/store/job-views.ts";
import type { WaitingSummary } from "../../live/why/all.ts";
import type { LiveChange } from "../../live/why/one.ts";
import { formatDuration } from "../../report/numbers.ts";
import { jobs } from "../explain/names-text.ts";
import { causeText, hoursText, limitsText, rankText, reasonText } from "../explain/text.ts";
import { spansText } from "../explain/spans-text.ts";
import { print } from "../terminal.ts";
import { farmOf } from "./farm.ts";
import { printable } from "./printable.ts";
import { doingText } from "./doing-text.ts";
import { evidenceTable } from "./evidence-table.ts";
import { local, withLocalTimes } from "./local-time.ts";
import { table } from "./tables.ts";
import { sentenceOf, whenText } from "./when-text.ts";

/** How long a farm waits for the next cycle of the job's pool and tries what would help, before it answers without. */
const CYCLE_SECONDS = 45;
/** Of what has happened to a job, the last. */
const EVENTS_SHOWN = 20;

interface LiveFlags extends ServerFlags {
  readonly json?: true;
}

/** Explains why a job of a live farm does not run, or what became of it. */
export async function explainLive(job: number, flags: LiveFlags): Promise<void> {
  const farm = farmOf(flags);
  const explanation = await farm.get<FullExplanation>(`/v1/jobs/${job}/explain`, CYCLE_SECONDS);
  const events = await farm.get<EventView[]>(`/v1/jobs/${job}/events`);
  if (flags.json === true) return print(JSON.stringify({ ...explanation, events }, null, 2));
  const last = events.slice(-EVENTS_SHOWN);
  const left = events.length - last.length;
  await print(
    [
      ...liveExplanationLines(explanation, farm.unixMilliseconds),
      "",
      ...(left > 0 ? [`… ${left} events before (--json has them)`] : []),
      ...last.map(eventLine),
    ].join("\n"),
  );
}

/** @param now the farm's time, in milliseconds */
export function liveExplanationLines(explanation: FullExplanation, now: number): string[] {
  const { job, state, reason, dominant, waits, suspended } = explanation;
  const why = reason === "" || dominant !== null ? "" : `: ${withLocalTimes(printable(reason))}`;
  const lines = [`Job ${job} ${stateText(state)}${why}.`];
  // A dominant reason is of machines, and what refuses the job may be something else.
  if (dominant !== null && reason.startsWith(START_FAILED)) lines.push(`${sentenceOf(printable(reason))}.`);
  if (dominant !== null) lines.push(`${dominant.token}: ${withLocalTimes(printable(dominant.sentence))}.`);
  if (suspended !== null) lines.push(...suspensionLines(explanation));
  if (waits !== null) lines.push(...waitLines(waits));
  return [
    ...lines,
    ...whereLines(explanation),
    ...doingLines(explanation, now),
    ...aheadLines(explanation),
    ...whenLines(explanation, now),
    ...helpLines(explanation),
    ...changeLines(explanation, now),
    ...lostLines(explanation),
  ];
}

function whenLines({ job, reason, when, lastStartAt }: FullExplanation, now: number): string[] {
  if (when === null)
    return lastStartAt === null
      ? []
      : ["", `Its deadline leaves it until ${local(lastStartAt)} to start, and then it is cancelled.`];
  const forecast = { job, state: null, reason, startedAt: null, lastStartAt, forecast: when };
  return [
    "",
    "When:",
    ...whenText(forecast, now, "times")
      .split("\n")
      .map((line) => `- ${line}`),
  ];
}

function suspensionLines({ suspended, runs }: FullExplanation): string[] {
  const kept =
    runs?.suspends === "cpu-only"
      ? "it keeps what it has done and its memory, and gives its cores to others"
      : "it keeps what it has done, and gives its cores and memory to others";
  return [
    `- ${printable(causeText(suspended!, instant))}`,
    `- ${kept}`,
    "- it goes on when its machines have room for it again",
  ];
}

function waitLines(waits: NonNullable<FullExplanation["waits"]>): string[] {
  const { pool, policy, reasons, groups, intervalSeconds, isOnItsWay, unreachable, writeError } = waits;
  if (pool !== null && isOnItsWay) return [`It is on its way to pool ${printable(pool)}.`];
  const where =
    pool === null ? "at its virtual pool, until a pool has room" : `in pool ${printable(pool)} (${policy})`;
  const lines = ["", `It waits ${where}:`];
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
  // One group is what the reasons say already, but for those of pools that it waits for a place in.
  return groups.length < (pool === null ? 1 : 2)
    ? lines
    : [
        ...lines,
        ...evidenceTable(groups)
          .split("\n")
          .map((line) => `  ${line}`),
      ];
}

function whereLines({ runs, suspended, state }: FullExplanation): string[] {
  if (runs === null || (state !== "running" && state !== "starting" && suspended === null)) return [];
  const { pool, machines, policy, routing } = runs;
  const chosen = routing === null ? "" : `; its virtual pool chose the pool (${routing})`;
  const where = `${machines.map(printable).join(", ")} of pool ${printable(pool)}`;
  if (state === "starting")
    return ["", `It was placed on ${where} by ${policy}, and is being started there${printable(chosen)}.`];
  return ["", `It is on ${where}, chosen by ${policy}${printable(chosen)}.`];
}

function doingLines({ doing }: FullExplanation, now: number): string[] {
  return doing === null ? [] : ["", `${sentenceOf(doingText(doing, now))}.`];
}

function aheadLines({ waits, ahead, when }: FullExplanation): string[] {
  if (waits === null) return [];
  if (ahead === null) return [];
  if (ahead.jobs === 0) return ["", "Ahead: no job."];
  const { first } = ahead;
  const rank = waits.rank !== null && waits.ahead[0] === first[0] ? waits.rank : undefined;
  const named = `: first ${jobs(first)}${printable(rankText(rank, first.length))}`;
  // The forecast may be older, or of another order: its hours are then of other jobs.
  const isOfThese = when !== null && when.never === null && when.jobsAhead === ahead.jobs;
  const expected =
    !isOfThese || when.coreHoursAhead < 0.1
      ? ""
      : `, expected to take ${hoursText(when.coreHoursAhead)} core-hours`;
  return ["", `Ahead: ${countedJobs(ahead.jobs)} ${limitsText(ahead)}${expected}${named}.`];
}

function helpLines({ job, helps, notTried }: FullExplanation): string[] {
  if (notTried !== null) return ["", `What would help was not tried: ${printable(notTried)}.`];
  if (helps === null) return [];
  if (helps.startsAsItIs) return ["", "It starts in the next cycle, if nothing else happens."];
  const cut = helps.isCutShort ? "; there was more to try than time" : "";
  if (helps.changes.length === 0)
    return ["", `What would help: nothing of what was tried (${helps.trials} changes of the job${cut}).`];
  return [
    "",
    `What would help (tried on a copy of the farm${cut}):`,
    ...helps.changes.map(
      ({ sentence, change, isForOperators }) =>
        `- ${printable(sentence)}: ${isForOperators ? "an operator may " : ""}${commandOf(job, change)}`,
    ),
  ];
}

/** The command that makes a change. */
function commandOf(
  job: number,
  { cores, memoryMiB, gpus, timeSeconds, priority, pool, requires }: LiveChange,
): string {
  if (requires !== undefined) return "croft submit it without --requires, and without a kind of GPU";
  const options = [
    ...(cores === undefined ? [] : [`--cores ${cores}`]),
    ...(memoryMiB === undefined ? [] : [`--memory ${memoryMiB}M`]),
    ...(gpus === undefined ? [] : [`--gpus ${gpus}`]),
    ...(timeSeconds === undefined ? [] : [`--time ${timeSeconds / 60}m`]),
    ...(priority === undefined ? [] : [`--priority ${priority}`]),
    ...(pool === undefined ? [] : [`--pool ${printable(pool)}`]),
  ];
  return `croft change ${job} ${options.join(" ")}`;
}

function changeLines({ changes }: FullExplanation, now: number): string[] {
  const [first] = changes;
  if (first === undefined) return [];
  const spans = changes.map(({ token, from, to }) => ({
    token,
    seconds: Math.max(0, (to === null ? now : Date.parse(to)) - Date.parse(from)) / 1000,
  }));
  // What it waited for before the farm first looked is not known.
  return ["", `Since ${local(first.from)} it waited: ${spansText(spans)}.`];
}

function lostLines({ lost }: FullExplanation): string[] {
  if (lost.length === 0) return [];
  return [
    "",
    "It began again, and what it had done was lost unless it keeps that itself:",
    ...lost.map(
      ({ attempt, machines, from, seconds, suspendedSeconds }) =>
        `- attempt ${attempt}: ${plain(formatDuration(seconds))} on ${machines.map(printable).join(", ")}, from ${local(from)} on${stoodText(suspendedSeconds)}`,
    ),
  ];
}

/** Shorter ones are not seen where times are told. */
const SEEN_SECONDS = 1;

function stoodText(seconds: number): string {
  return seconds < SEEN_SECONDS ? "" : ` (and suspended for ${plain(formatDuration(seconds))})`;
}

/** Says for what the jobs of a farm wait. */
export async function explainAll(flags: LiveFlags): Promise<void> {
  const summary = await farmOf(flags).get<WaitingSummary>("/v1/reasons", CYCLE_SECONDS);
  await print(flags.json === true ? JSON.stringify(summary, null, 2) : summaryText(summary));
}

export function summaryText({ waiting, examined, reasons, culprits, notTold }: WaitingSummary): string {
  if (waiting === 0) return "no job waits";
  const lines = [
    table(
      [
        { title: "jobs", text: ({ jobs: count }) => String(count), right: true },
        { title: "reason", text: ({ token }) => token },
        { title: "", text: ({ meaning }) => meaning },
      ],
      reasons,
    ),
    "",
    ...culprits.map(({ token, what, jobs: count, machines, first }) => {
      const where =
        machines.length === 0
          ? ""
          : ` (${machines.join(", ")}${/^\d+/.test(what) && Number.parseInt(what, 10) > machines.length ? ", …" : ""})`;
      return printable(
        `${countedJobs(count)} ${count === 1 ? "waits" : "wait"} for ${what}${where}: ${token}; ${jobs(first)}${count > first.length ? ", …" : ""}`,
      );
    }),
  ];
  const left = waiting - examined;
  if (notTold !== null) lines.push("", printable(notTold));
  else if (left > 0)
    lines.push(
      "",
      left === 1
        ? "1 job more waits: it starts in the next cycle, or is too far back to be looked at"
        : `${left} jobs more wait: they start in the next cycle, or are too far back to be looked at`,
    );
  return lines.join("\n");
}

function countedJobs(count: number): string {
  return count === 1 ? "1 job" : `${count} jobs`;
}

/** The clocks of the farm and of the wall are some milliseconds apart: what is due at a full second is told as that. */
function instant(unixSeconds: number): string {
  return `at ${local(new Date(Math.round(unixSeconds) * 1000).toISOString())}`;
}

function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}

/** Kinds that say what was done by hand: without a word for it they read like what the farm does. */
const BY_HAND: Readonly<Record<string, string>> = {
  suspend: "suspended by hand",
  resume: "let go on",
};

function eventLine({ at, kind, actor, text }: EventView): string {
  const by = actor === null ? "" : ` by ${printable(actor)}`;
  return `${local(at)}  ${BY_HAND[kind] ?? kind}${by}${text === "" ? "" : `: ${printable(text)}`}`;
}
