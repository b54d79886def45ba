import type { DelayName } from "../core/index.ts";
import { delayText, type RunResult } from "../simulation/index.ts";
import { counted, formatCount, formatDuration, formatPercent, terminalText } from "./numbers.ts";
import { tabulate } from "./runs.ts";

type Promised = Pick<RunResult, "promisesBroken" | "promised" | "promiseDelayMaxSeconds">;

/** How many jobs of a run started later than they were first promised, of how many, by how much and why; null: none. */
export function brokenPromises({
  promisesBroken,
  promised = 0,
  promiseDelayMaxSeconds = 0,
}: Promised): string | null {
  const broken = Object.entries(promisesBroken ?? {}).sort(([, a], [, b]) => b - a);
  if (broken.length === 0) return null;
  const jobs = broken.reduce((sum, [, count]) => sum + count, 0);
  const most = formatDuration(promiseDelayMaxSeconds);
  const late = `${formatCount(jobs)} of ${counted(promised, "promised job")} started later than first promised, by ${most} at most`;
  if (broken.length === 1) return `${late}, ${delayText(broken[0]![0] as DelayName)}`;
  const parts = broken.map(([delay, count]) => `${formatCount(count)} ${delayText(delay as DelayName)}`);
  return `${late}: ${parts.join(", ")}`;
}

/** What a backfilling policy promises, and to whom; null: that is not known of it. */
export function promiseOfPolicy(policy: string): string | null {
  const [name, depth] = policy.split("/")[0]!.split(":");
  const kept = "promised a time, and a machine for each task";
  switch (name) {
    case "easy":
    case "easy-sjbf":
    case "easy++":
      return "The first waiting job is promised a time at which it fits; its machines are chosen when it starts.";
    case "conservative":
      return `Every waiting job is ${kept}.`;
    case "backfill":
      return depth === "1"
        ? `The first waiting job is ${kept}.`
        : `The first ${formatCount(Number(depth))} waiting jobs are ${kept}.`;
    default:
      return null;
  }
}

/** The same of several runs, a line for each that broke any. */
export function brokenPromiseLines(runs: readonly RunResult[]): string[] {
  const { loads } = tabulate(runs);
  return loads.flatMap((load) =>
    load.runs.flatMap(({ policy, run }) => {
      const sentence = brokenPromises(run);
      const at = loads.length === 1 ? "" : ` at ${formatPercent(load.offeredLoad)} load`;
      return sentence === null ? [] : [terminalText(`${policy}${at}: ${sentence}`)];
    }),
  );
}
