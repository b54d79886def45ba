import type { DayWait } from "../simulation/figures/job-figures.ts";
import { studentQuantile } from "../simulation/figures/student.ts";

/** Waits under a policy, or as they were recorded. */
export interface Waits {
  readonly policy: string;
  readonly run: { readonly waitMeanSeconds: number; readonly days: readonly DayWait[] };
}

/** Mean waits below this, in seconds, and differences of them, are none that anybody minds. */
export const NO_MATTER_SECONDS = 60;

export function hardlyWaits({ run }: { readonly run: { readonly waitMeanSeconds: number } }): boolean {
  return run.waitMeanSeconds < NO_MATTER_SECONDS;
}

/** A load at which policies usually differ, and how much more than a higher load of its own a log is asked for. */
const BUSY = 0.9;
const MORE = 1.5;

/** What to try where hardly any job waits, as a sentence with a blank before it; empty where no load can be reached. */
export function higherLoadAdvice(offeredLoad: number): string {
  if (!(offeredLoad > 0)) return "";
  const load = offeredLoad < BUSY ? BUSY : Math.ceil(offeredLoad * MORE * 10) / 10;
  return ` At a higher load, as with --load ${load}, policies differ more.`;
}

/** The mean wait under one policy against that under another, over the same jobs. */
export interface WaitComparison {
  readonly policy: string;
  readonly baseline: string;
  /** Mean wait under the policy ÷ that under the baseline − 1; null if no job waited under the baseline. */
  readonly change: number | null;
  /** Bounds of the confidence interval of `change`; null where the log is too short for one. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly judgement: "shorter" | "longer" | "no clear difference" | "cannot be judged";
}

/** `itself`: the best policy is the baseline; `nothing to win`: hardly any job waits under either. */
export type Standing = WaitComparison["judgement"] | "itself" | "nothing to win";

/** The confidence of all intervals of one verdict together. */
export const confidence = 0.95;
/**
 * Batches that the days are cut into. Few and long: neighbouring days are alike, as a backlog outlasts the night, and
 * only batches that are hardly correlated may be counted as independent. On synthetic days with such correlation six
 * batches cover the truth more often than ten, and both more often than a block bootstrap.
 */
const batches = 6;
/** Below this no interval is given. */
export const fewestDays = 10;
/** Smaller differences count as none, since they read 0 %. */
const negligible = 0.0005;

/**
 * Batch means of a ratio, paired by day: both policies saw the same jobs on the
 * same day, so what makes a day bad for both cancels out.
 *
 * With B and P the sums of waits under both policies, the ratio is r = ΣP ÷ ΣB.
 * Its error is that of the batches' residuals P − r·B (Cochran, Sampling
 * Techniques, chapter 6), with Student's t for so few batches. The bounds are
 * taken on the logarithm: a wait cannot shrink by more than 100 %.
 *
 * @param comparisons how many comparisons share the 5 % that may be wrong
 */
export function compareWaits(baseline: Waits, policy: Waits, comparisons: number): WaitComparison {
  const names = { policy: policy.policy, baseline: baseline.policy };
  const days = pairDays(baseline.run.days, policy.run.days);
  const baselineSum = days.reduce((sum, day) => sum + day.baseline, 0);
  const policySum = days.reduce((sum, day) => sum + day.policy, 0);
  const change = baselineSum > 0 ? policySum / baselineSum - 1 : policySum > 0 ? null : 0;
  // Checked first, so that on a short log no policy is judged.
  if (days.length < fewestDays) return { ...names, change, interval: null, judgement: "cannot be judged" };
  if (!(baselineSum > 0)) {
    return { ...names, change, interval: null, judgement: policySum > 0 ? "longer" : "no clear difference" };
  }
  const ratio = policySum / baselineSum;
  let squares = 0;
  for (let batch = 0; batch < batches; batch++) {
    const from = Math.floor((batch * days.length) / batches);
    const to = Math.floor(((batch + 1) * days.length) / batches);
    let residual = 0;
    for (const day of days.slice(from, to)) residual += day.policy - ratio * day.baseline;
    squares += residual * residual;
  }
  const error = Math.sqrt((batches / (batches - 1)) * squares) / baselineSum;
  const quantile = studentQuantile(1 - (1 - confidence) / comparisons, 5);
  const factor = ratio > 0 ? Math.exp((quantile * error) / ratio) : 1;
  const interval = { low: ratio / factor - 1, high: ratio * factor - 1 };
  return { ...names, change, interval, judgement: judgementOf(interval) };
}

function judgementOf(interval: { low: number; high: number }): WaitComparison["judgement"] {
  if (interval.high < -negligible) return "shorter";
  if (interval.low > negligible) return "longer";
  return "no clear difference";
}

function pairDays(
  baseline: readonly DayWait[],
  policy: readonly DayWait[],
): readonly { baseline: number; policy: number }[] {
  const waits = new Map(policy.map((day) => [day.day, day.waitSumSeconds]));
  return baseline
    .toSorted((a, b) => a.day - b.day)
    .map((day) => ({ baseline: day.waitSumSeconds, policy: waits.get(day.day) ?? 0 }));
}
