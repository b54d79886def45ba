import { boundedSlowdown, maximumStretch, wastedTime } from "./metrics.ts";
import type { Metric } from "./metrics.ts";
import type { PolicyRun } from "./runs.ts";

/** The sentence of a verdict by stretch or wasted time, after "at 95 % load, ". */
export function figureSentence(
  measure: Metric,
  ranked: readonly PolicyRun[],
  base: PolicyRun,
  best: PolicyRun,
): string {
  const name =
    measure === wastedTime
      ? "mean wasted time"
      : measure === maximumStretch
        ? "maximum stretch"
        : "mean stretch";
  const read = (row: PolicyRun): string => measure.format(measure.value(row.run) ?? Number.NaN);
  const mean = (row: PolicyRun): string => boundedSlowdown.format(row.run.boundedSlowdownMean);
  if (ranked.length === 1) {
    return `the ${name} under ${best.policy} is ${read(best)}; no other policy was run to compare it with.`;
  }
  if (base.run.started === 0) {
    return "nothing can be said of the policies: no job could be started.";
  }
  if (ranked.every((row) => read(row) === read(best))) {
    return `the ${name} is ${read(best)} under every policy: they are all equal.`;
  }
  const means = (one: PolicyRun, other: PolicyRun): string =>
    measure !== maximumStretch ? "" : `; the mean stretch is ${mean(one)}, against ${mean(other)}`;
  if (best === base) {
    const next = ranked.find((row) => row !== base)!;
    return (
      `no policy has a lower ${name} in this log than ${base.policy}: ${read(base)}, against ${read(next)} ` +
      `under ${next.policy}, the next${means(base, next)}.`
    );
  }
  return (
    `${best.policy} has the lowest ${name} in this log: ${read(best)}, against ${read(base)} under ` +
    `${base.policy}${means(best, base)}.`
  );
}

export function figureCautions(measure: Metric): string[] {
  if (measure === wastedTime)
    return [
      "The runs are judged by wasted time: waiting, suspended, in transfer, or run and lost. No confidence interval is given: only waits are known day by day.",
    ];
  return measure === maximumStretch
    ? [
        "A maximum is the figure of a single job, and this is a single log: no confidence interval can be given, and another log may put policies that are close in another order.",
      ]
    : [
        "The policies are judged by the mean stretch, which is the bounded slowdown: the maximum is not known of all of them, and waits do not compare, since a job that shares a node starts at once but runs slower. No confidence interval is given.",
      ];
}
