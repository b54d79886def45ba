import {
  compareFigures,
  type DayFigure,
  type FigureComparison,
} from "../simulation/comparison/figure-comparison.ts";
import { boundedSlowdown, maximumStretch, wastedTime } from "./metrics.ts";
import type { Metric } from "./metrics.ts";
import { formatChangeRange, formatPercent, formatPercentRange } from "./numbers.ts";
import type { PolicyRun } from "./runs.ts";
import { silenceText } from "./silence-text.ts";

/** What of a day a measure is the mean of; a maximum is the figure of one job. */
const dayFigures: ReadonlyMap<Metric, DayFigure> = new Map([
  [wastedTime, "wastedSumSeconds"],
  [boundedSlowdown, "stretchSum"],
]);

/** The best policy against the one that the others are compared with; if it is that one, the next best against it. */
export function compareBest(
  measure: Metric,
  ranked: readonly PolicyRun[],
  base: PolicyRun,
  best: PolicyRun,
): FigureComparison | null {
  const figure = dayFigures.get(measure);
  const other = best === base ? ranked.find((row) => row !== base) : best;
  if (figure === undefined || other === undefined) return null;
  return compareFigures(base.run, other.run, figure, ranked.length - 1);
}

/** The sentence of a verdict by stretch or wasted time, after "at 95 % load, ". */
export function figureSentence(
  measure: Metric,
  ranked: readonly PolicyRun[],
  base: PolicyRun,
  best: PolicyRun,
  compared: FigureComparison | null,
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
    const isClear =
      compared?.judgement === "longer"
        ? "; that is clear, beyond chance"
        : compared?.judgement === "no clear difference"
          ? "; that may be chance"
          : "";
    return (
      `no policy has a lower ${name} in this log than ${base.policy}: ${read(base)}, against ${read(next)} ` +
      `under ${next.policy}, the next${means(base, next)}${isClear}.`
    );
  }
  const lowest =
    `${best.policy} has the lowest ${name} in this log: ${read(best)}, against ${read(base)} under ` +
    `${base.policy}${means(best, base)}`;
  const { judgement, interval, change } = compared ?? {};
  if (judgement === "no clear difference")
    return `there is no clear difference: ${lowest}, which may be chance.`;
  if (judgement !== "shorter" || interval == null) return `${lowest}.`;
  return `${lowest}; over months like this it is expected to be ${formatPercent(-change!)} lower (95 % confidence: ${formatPercentRange(-interval.high, -interval.low)}).`;
}

export function figureStanding(
  base: PolicyRun,
  best: PolicyRun,
  compared: FigureComparison | null,
): FigureComparison["judgement"] | "itself" {
  return compared === null ? "cannot be judged" : best === base ? "itself" : compared.judgement;
}

/** How sure that is, and what it rests on; empty where there is no interval. */
export function figureSureness(compared: FigureComparison | null): string {
  if (compared?.interval == null || compared.nextMonth === null) return "";
  const { interval, nextMonth } = compared;
  const expected =
    compared.judgement === "no clear difference"
      ? `Over months like this, ${formatChangeRange(interval.low, interval.high)} is expected (95 % confidence). `
      : "";
  return `${expected}The next month alone: ${formatChangeRange(nextMonth.low, nextMonth.high)}. Shown by five parts of this log.`;
}

/** @param days on which jobs were submitted */
export function figureCautions(measure: Metric, compared: FigureComparison | null, days: number): string[] {
  if (measure === maximumStretch)
    return [
      "A maximum is the figure of a single job, and this is a single log: no confidence interval can be given, and another log may put policies that are close in another order.",
    ];
  const what =
    measure === wastedTime
      ? "The runs are judged by wasted time: waiting, suspended, in transfer, or run and lost."
      : "The policies are judged by the mean stretch, which is the bounded slowdown: the maximum is not known of all of them, and waits do not compare, since a job that shares a node starts at once but runs slower.";
  if (compared?.silence == null) return [what];
  return [`${what} No confidence interval is given: ${silenceText(compared.silence, days, "of it")}.`];
}
