import { pairedBatches, sumOf, type DayFigures } from "./batches.ts";
import {
  halfWidth,
  logRatioOfBatches,
  logRatioOfReplicates,
  type LogRatio,
  type Replicates,
} from "./log-ratio.ts";
import { silenceOf, type Silence } from "./silence.ts";

/** Waits under a policy, or as they were recorded. */
export interface Waits {
  readonly policy: string;
  readonly run: { readonly waitMeanSeconds: number } & DayFigures;
}

/** The mean wait under one policy against that under another, over the same jobs. */
export interface WaitComparison {
  readonly policy: string;
  readonly baseline: string;
  /** Mean wait under the policy ÷ that under the baseline − 1; null if no job waited under the baseline. */
  readonly change: number | null;
  /** Bounds of the confidence interval of `change`, over months like this; null where none can be given. */
  readonly interval: Interval | null;
  /** The same for the next month alone. */
  readonly nextMonth: Interval | null;
  readonly judgement: "shorter" | "longer" | "no clear difference" | "cannot be judged";
  /** Why one log does not tell how sure the change is. */
  readonly silence: Silence | "few days" | null;
  /** Where the interval is from: the log's days, or the log resampled and simulated again. */
  readonly by: "days" | "resampling";
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The interval with its logarithm moved: up where the argument is more than 0. */
export function moved({ low, high }: Interval, logarithm: number): Interval {
  const factor = Math.exp(logarithm);
  return { low: (1 + low) * factor - 1, high: (1 + high) * factor - 1 };
}

/** The confidence of all intervals of one verdict together. */
export const confidence = 0.95;
/** Below this no interval is given. */
export const fewestDays = 10;
/** Mean waits below this, in seconds, and differences of them, are none that anybody minds: a start takes as long. */
export const NO_MATTER_SECONDS = 60;
/** Changes below this part are none either. */
export const NO_MATTER_SHARE = 0.01;
/** Where there is no interval a change is named clear only from this factor on. */
export const CLEAR_FACTOR = 2;
/** Another month differs from the expected one as much as this one does. */
export const NEXT_MONTH = Math.SQRT2;

/**
 * The ratio of mean waits, paired: both policies saw the same jobs on the same days, so that what makes a day bad for
 * both cancels out. Bounds are taken on the logarithm, since a wait cannot shrink by more than 100 %.
 *
 * @param comparisons how many comparisons share the 5 % that may be wrong
 * @param replicates on logs drawn from this one
 */
export function compareWaits(
  baseline: Waits,
  policy: Waits,
  comparisons: number,
  replicates: Replicates | null = null,
): WaitComparison {
  const names = { policy: policy.policy, baseline: baseline.policy };
  const by = replicates === null ? "days" : "resampling";
  const batches = pairedBatches(baseline.run, policy.run);
  const [before, after] = [sumOf(batches.baseline), sumOf(batches.policy)];
  const change = before > 0 ? after / before - 1 : after > 0 ? null : 0;
  const none = { ...names, change, interval: null, nextMonth: null, by, silence: null } as const;
  // Checked first, so that on a short log no policy is judged.
  if (baseline.run.days.length < fewestDays)
    return { ...none, judgement: "cannot be judged", silence: "few days" };
  const matters = doesMatter(baseline.run.waitMeanSeconds, policy.run.waitMeanSeconds);
  if (!(before > 0 && after > 0)) {
    const judgement = !matters ? "no clear difference" : after > 0 ? "longer" : "shorter";
    const interval = before > 0 ? { low: -1, high: -1 } : null;
    return { ...none, interval, nextMonth: interval, judgement };
  }
  const probability = 1 - (1 - confidence) / comparisons;
  const waits = (run: typeof batches.policy): number[] => run.map(({ sum }) => sum);
  const ofBatches = logRatioOfBatches(waits(batches.baseline), waits(batches.policy));
  const silence = replicates === null ? silenceOf(batches) : null;
  const ratio = replicates === null ? ofBatches : logRatioOfReplicates(ofBatches.value, replicates);
  const interval = intervalOf(ratio, halfWidth(ratio, probability));
  const judgement = matters ? judgementOf(interval) : "no clear difference";
  if (silence === null)
    return {
      ...names,
      change,
      interval,
      nextMonth: intervalOf(ratio, NEXT_MONTH * halfWidth(ratio, probability)),
      judgement,
      silence,
      by,
    };
  const isLarge = Math.abs(ratio.value) >= Math.log(CLEAR_FACTOR);
  return {
    ...none,
    silence,
    judgement: (isLarge && judgement !== "no clear difference") || !matters ? judgement : "cannot be judged",
  };
}

function doesMatter(before: number, after: number): boolean {
  const difference = Math.abs(after - before);
  return difference >= NO_MATTER_SECONDS && difference >= NO_MATTER_SHARE * before;
}

export function intervalOf({ value }: LogRatio, half: number): Interval {
  return { low: Math.exp(value - half) - 1, high: Math.exp(value + half) - 1 };
}

export function judgementOf(interval: Interval): WaitComparison["judgement"] {
  if (interval.high < 0) return "shorter";
  if (interval.low > 0) return "longer";
  return "no clear difference";
}
