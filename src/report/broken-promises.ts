import type { DelayName } from "../core/index.ts";
import type { RunResult } from "../simulation/index.ts";
import { counted, formatCount, formatPercent } from "./numbers.ts";
import { tabulate } from "./runs.ts";

const reasons: Readonly<Record<DelayName, string>> = {
  overrun: "after a job ran for longer than expected",
  "machine lost": "after a machine failed, was drained or made smaller",
  "higher rank": "after a job that goes first came, or the order of the queue changed",
  resumed: "after a suspended job took its machines again",
  "late cycle": "as no cycle ran at the time promised",
  refused: "as its machines could not be used at the time promised",
};

/** What delayed a job, as in "it was moved …". */
export function delayText(delay: DelayName): string {
  return reasons[delay];
}

/** How many jobs of a run started later than they were first promised, and why; null: none. */
export function brokenPromises({ promisesBroken }: Pick<RunResult, "promisesBroken">): string | null {
  const broken = Object.entries(promisesBroken ?? {}).sort(([, a], [, b]) => b - a);
  if (broken.length === 0) return null;
  const jobs = broken.reduce((sum, [, count]) => sum + count, 0);
  const late = `${counted(jobs, "job")} started later than first promised`;
  if (broken.length === 1) return `${late}, ${delayText(broken[0]![0] as DelayName)}`;
  const parts = broken.map(([delay, count]) => `${formatCount(count)} ${delayText(delay as DelayName)}`);
  return `${late}: ${parts.join(", ")}`;
}

/** The same of several runs, a line for each that broke any. */
export function brokenPromiseLines(runs: readonly RunResult[]): string[] {
  const { loads } = tabulate(runs);
  return loads.flatMap((load) =>
    load.runs.flatMap(({ policy, run }) => {
      const sentence = brokenPromises(run);
      const at = loads.length === 1 ? "" : ` at ${formatPercent(load.offeredLoad)} load`;
      return sentence === null ? [] : [`${policy}${at}: ${sentence}`];
    }),
  );
}
