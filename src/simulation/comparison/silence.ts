import { BATCHES, sumOf, type Batch, type PairedBatches } from "./batches.ts";

/**
 * Why the batches of one log cannot say how sure a difference is: jobs wait so long that a `backlog` carries over from
 * batch to batch; nearly all waiting is in `one time`; or waits `grow` through the log under both policies.
 */
export type Silence = "backlog" | "one time" | "growth";

/** A mean wait above this part of a batch carries over into the next. */
const BACKLOG_SHARE = 0.15;
/** Below this many batches of equal weight, what is left of their differences is near zero by construction. */
const FEWEST_EFFECTIVE = 2;
/** Waits grow if the last batch's mean is so many times the first's, and at most this many of the ten pairs fall. */
const GROWTH = 2;
const MOST_FALLS = 1;

export function silenceOf({ baseline, policy, batchSeconds }: PairedBatches): Silence | null {
  const runs = [baseline, policy];
  if (runs.some((run) => meanOf(run) > BACKLOG_SHARE * batchSeconds)) return "backlog";
  if (isOneTime(runs)) return "one time";
  return runs.every(grows) ? "growth" : null;
}

/** Whether nearly all that is summed is in one batch, under one of the runs. */
export function isOneTime(runs: readonly (readonly Batch[])[]): boolean {
  return runs.some((run) => effectiveBatches(run) < FEWEST_EFFECTIVE);
}

function meanOf(batches: readonly Batch[]): number {
  return sumOf(batches) / batches.reduce((sum, { jobs }) => sum + jobs, 0);
}

/** (Σ waits)² ÷ Σ waits²: 5 where they are spread evenly over five batches, 1 where all are in one. */
export function effectiveBatches(batches: readonly Batch[]): number {
  const all = sumOf(batches);
  if (all === 0) return BATCHES;
  return all ** 2 / batches.reduce((squares, { sum }) => squares + sum ** 2, 0);
}

function grows(batches: readonly Batch[]): boolean {
  const means = batches.filter(({ jobs }) => jobs > 0).map(({ jobs, sum }) => sum / jobs);
  if (means.length < BATCHES) return false;
  const falls = means.flatMap((mean, i) => means.slice(i + 1).filter((later) => later <= mean)).length;
  return falls <= MOST_FALLS && means.at(-1)! >= GROWTH * means[0];
}
