import type { DayWait } from "../figures/job-figures.ts";
import { pairedBatches, sumOf, type DayFigures } from "./batches.ts";
import { halfWidth, logRatioOfBatches } from "./log-ratio.ts";
import { isOneTime, silenceOf } from "./silence.ts";
import {
  CLEAR_FACTOR,
  confidence,
  fewestDays,
  intervalOf,
  judgementOf,
  NEXT_MONTH,
  NO_MATTER_SHARE,
  type WaitComparison,
} from "./wait-comparison.ts";

/** What runs are judged by where waits do not tell all: a sum over the jobs of a day. */
export type DayFigure = Exclude<keyof DayWait, "day" | "jobs" | "waitSumSeconds">;

/** A mean figure of jobs under one policy against that under another, over the same jobs. */
export type FigureComparison = Pick<
  WaitComparison,
  "change" | "interval" | "nextMonth" | "judgement" | "silence"
>;

/**
 * As mean waits are compared, but of another figure of the same days; `shorter` is lower. The log's own days are all
 * that it rests on: no log is drawn from it.
 *
 * @param comparisons how many comparisons share the 5 % that may be wrong
 * @returns null where a run does not have the figure by days
 */
export function compareFigures(
  baseline: DayFigures,
  policy: DayFigures,
  figure: DayFigure,
  comparisons: number,
): FigureComparison | null {
  const runs = [baseline, policy];
  if (runs.some(({ days }) => days.length === 0 || days.some((day) => day[figure] === undefined)))
    return null;
  const batches = pairedBatches(baseline, policy, (day) => day[figure] ?? 0);
  const [before, after] = [sumOf(batches.baseline), sumOf(batches.policy)];
  if (!(before > 0 && after > 0)) return null;
  const change = after / before - 1;
  const none = { change, interval: null, nextMonth: null } as const;
  if (baseline.days.length < fewestDays)
    return { ...none, judgement: "cannot be judged", silence: "few days" };
  const sums = (run: typeof batches.policy): number[] => run.map(({ sum }) => sum);
  const ratio = logRatioOfBatches(sums(batches.baseline), sums(batches.policy));
  const half = halfWidth(ratio, 1 - (1 - confidence) / comparisons);
  const interval = intervalOf(ratio, half);
  const judgement = Math.abs(change) < NO_MATTER_SHARE ? "no clear difference" : judgementOf(interval);
  // A backlog carries over whatever the figure is.
  const silence =
    silenceOf(pairedBatches(baseline, policy)) ??
    (isOneTime([batches.baseline, batches.policy]) ? "one time" : null);
  if (silence === null)
    return { change, interval, nextMonth: intervalOf(ratio, NEXT_MONTH * half), judgement, silence };
  const isClear = Math.abs(ratio.value) >= Math.log(CLEAR_FACTOR) && judgement !== "no clear difference";
  return { ...none, silence, judgement: isClear ? judgement : "cannot be judged" };
}
