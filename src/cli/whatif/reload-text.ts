import { withLocalTimes } from "../live/local-time.ts";
import { counted } from "../../report/index.ts";
import type { Evicted, ReloadTrial, Start, Stranded } from "../../live/replica/try-reload.ts";

const MOST_LISTED = 20;

/** What would become of the jobs, for people. */
export function reloadTrialText(trial: ReloadTrial): string {
  if (trial.refused !== null) return `the farm would refuse this file and go on as it was: ${trial.refused}`;
  const { changes, evicted, stranded, startNow, later, sooner, isCutShort } = trial;
  // Those are told already.
  const now = new Set(startNow);
  const othersSooner = sooner.filter(({ job }) => !now.has(job));
  const moves = [...moved("later", later), ...moved("sooner", othersSooner)];
  const neverOn = new Set(stranded.map(({ job }) => job));
  const lines = [
    changes.length === 0 ? "the file says what the farm does already" : "what changes:",
    ...changedLines(changes),
    evicted.length === 0
      ? "no running job would have to leave its machines"
      : `${counted(evicted.length, "running job")} would have to leave:`,
    ...listed(evicted.map((each) => evictedText(each, neverOn.has(each.job)))),
    ...(stranded.length === 0
      ? []
      : [
          `${counted(stranded.length, "suspended job")} could never go on, too large for what the machines would be: cancel them, or let them end before`,
          ...listed(stranded.map(strandedText)),
        ]),
    ...(startNow.length === 0
      ? []
      : [`${counted(startNow.length, "waiting job")} would start at once: ${first(startNow)}`]),
    ...moves,
    ...(moves.length + startNow.length === 0 ? ["no waiting job is expected to start at another time"] : []),
    "expected: if jobs run as long as others like them did on average, and nothing else comes",
    ...(isCutShort ? ["the look ahead was cut short: too much is decided in a week of this farm"] : []),
    "nothing was changed",
  ];
  return lines.join("\n");
}

/** What a file says otherwise. */
export function changedLines(changes: readonly string[]): string[] {
  return listed(changes.map((line) => `  ${withLocalTimes(line)}`));
}

function evictedText(
  { job, user, pool, machines, becomes, to, lostSeconds }: Evicted,
  isStranded: boolean,
): string {
  const what =
    becomes === "suspended"
      ? isStranded
        ? "stopped there, for ever"
        : "stopped there until there is room again; it loses nothing"
      : becomes === "moved"
        ? `goes to ${to}${lost(lostSeconds)}`
        : `waits again in ${pool}${lost(lostSeconds)}`;
  return `  job ${job} of ${user} on ${placeOf(pool, machines)}: ${what}`;
}

function strandedText({ job, user, pool, machines }: Stranded): string {
  return `  job ${job} of ${user} on ${placeOf(pool, machines)}`;
}

function placeOf(pool: string, machines: readonly string[]): string {
  return `${machines.slice(0, 3).join(", ")}${machines.length > 3 ? ", …" : ""} of ${pool}`;
}

function lost(seconds: number): string {
  return seconds === 0 ? "" : `, and loses ${span(seconds)} of work`;
}

function moved(word: "later" | "sooner", all: readonly Start[]): string[] {
  const at = (seconds: number | null): string =>
    seconds === null ? "not within a week" : `in ${span(seconds)}`;
  // What is as little later as cannot be seen is not told.
  const starts = all.filter(({ beforeSeconds, afterSeconds }) => at(beforeSeconds) !== at(afterSeconds));
  if (starts.length === 0) return [];
  return [
    `${counted(starts.length, "waiting job")} ${starts.length === 1 ? "is" : "are"} expected to start ${word}:`,
    ...listed(
      starts.map(
        ({ job, user, beforeSeconds, afterSeconds }) =>
          `  job ${job} of ${user}: ${at(afterSeconds)} instead of ${at(beforeSeconds)}`,
      ),
    ),
  ];
}

function first(numbers: readonly number[]): string {
  return `${numbers.slice(0, 10).join(", ")}${numbers.length > 10 ? ", …" : ""}`;
}

function listed(lines: readonly string[]): string[] {
  return lines.length <= MOST_LISTED
    ? [...lines]
    : [...lines.slice(0, MOST_LISTED), `  and ${lines.length - MOST_LISTED} more: --json has all`];
}

function span(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} days`;
}
