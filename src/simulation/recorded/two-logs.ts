import { studentQuantile } from "../figures/student.ts";

/** The confidence of an interval. */
const CONFIDENCE = 0.95;
/** The parts of a log's time whose mean waits are held against each other. */
export const BATCHES = 5;
/** Added to a batch's mean, as a part of the whole mean: a batch without waits says nothing of a ratio. */
const RAISED = 0.02;
/** With a mean wait longer than this part of a batch, waits reach from one batch into the next. */
const BACKLOG = 0.15;
/** Below so many days no interval is given. */
export const FEWEST_DAYS = 14;
/** Mean waits below this, in seconds, are none that anybody minds. */
const NO_MATTER_SECONDS = 60;
/** Smaller changes read 0 %. */
const NEGLIGIBLE = 0.0005;

/** The waits of some of a log's jobs, in batches of equal time. */
export interface BatchWaits {
  readonly jobs: readonly number[];
  readonly waitSumSeconds: readonly number[];
}

/** The waits of some jobs before and after. */
export interface WaitChange {
  readonly jobsBefore: number;
  readonly jobsAfter: number;
  /** Null where there is no such job. */
  readonly waitMeanSecondsBefore: number | null;
  readonly waitMeanSecondsAfter: number | null;
  /** Mean wait after ÷ before − 1; null where one is unknown, or nobody waited before. */
  readonly change: number | null;
  /** Bounds of the 95 % interval of `change`; null where none can be given honestly. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly judgement: "shorter" | "longer" | "no clear difference" | "hardly any waits" | "cannot be judged";
}

/**
 * The change of a mean wait between two logs. They have no job in common, so nothing is paired: the error is that of
 * both logs together.
 *
 * The error of the logarithm of a mean is the wider of the spread of the batches' logarithms and of a delete-a-batch
 * jackknife; Student's t has the four degrees of freedom of one log's batches.
 *
 * @param isLongEnough whether both logs have days enough
 * @param batchSeconds the length of a batch of the shorter log
 */
export function waitChange(
  before: BatchWaits,
  after: BatchWaits,
  isLongEnough: boolean,
  batchSeconds: number,
): WaitChange {
  const [meanBefore, meanAfter] = [meanOf(before), meanOf(after)];
  const change = meanBefore && meanAfter !== null ? meanAfter / meanBefore - 1 : null;
  const figures = {
    jobsBefore: sum(before.jobs),
    jobsAfter: sum(after.jobs),
    waitMeanSecondsBefore: meanBefore,
    waitMeanSecondsAfter: meanAfter,
    change,
  };
  const none = (judgement: WaitChange["judgement"]): WaitChange => ({
    ...figures,
    interval: null,
    judgement,
  });
  if (meanBefore === null || meanAfter === null) return none("cannot be judged");
  if (Math.max(meanBefore, meanAfter) < NO_MATTER_SECONDS) return none("hardly any waits");
  const isBacklog = Math.max(meanBefore, meanAfter) > BACKLOG * batchSeconds;
  const errors = [errorOfLog(before, meanBefore), errorOfLog(after, meanAfter)];
  if (!isLongEnough || isBacklog || errors.includes(null)) return none("cannot be judged");
  const factor = Math.exp(
    studentQuantile(CONFIDENCE, BATCHES - 1) * Math.hypot(...errors.map((each) => each!)),
  );
  const ratio = meanAfter / meanBefore;
  const interval = { low: ratio / factor - 1, high: ratio * factor - 1 };
  return { ...figures, interval, judgement: judgementOf(interval) };
}

/** Why waits are not judged by an interval, for people; null: they are, where each batch has jobs. */
export function noIntervalBecause(
  waitMeanSeconds: number,
  isLongEnough: boolean,
  batchSeconds: number,
): string | null {
  if (!isLongEnough) return `a log is shorter than ${FEWEST_DAYS} days`;
  if (waitMeanSeconds <= BACKLOG * batchSeconds) return null;
  return "waits are long against the logs: a queue reaches from one part of a log into the next, and the logs have no parts of their own";
}

function judgementOf(interval: { low: number; high: number }): WaitChange["judgement"] {
  if (interval.high < -NEGLIGIBLE) return "shorter";
  return interval.low > NEGLIGIBLE ? "longer" : "no clear difference";
}

function meanOf({ jobs, waitSumSeconds }: BatchWaits): number | null {
  const count = sum(jobs);
  return count === 0 ? null : sum(waitSumSeconds) / count;
}

/** Null where a batch has no job, or nobody waits. */
function errorOfLog({ jobs, waitSumSeconds }: BatchWaits, mean: number): number | null {
  if (!(mean > 0) || jobs.includes(0)) return null;
  const logs = jobs.map((count, batch) => Math.log(waitSumSeconds[batch] / count + RAISED * mean));
  const spread = Math.sqrt(squaresAboutMean(logs) / ((BATCHES - 1) * BATCHES));
  const [allJobs, allWaits] = [sum(jobs), sum(waitSumSeconds)];
  const without = jobs.map((count, batch) =>
    Math.log((allWaits - waitSumSeconds[batch]) / (allJobs - count) + RAISED * mean),
  );
  const jackknife = Math.sqrt((squaresAboutMean(without) * (BATCHES - 1)) / BATCHES);
  return Math.max(spread, jackknife);
}

function squaresAboutMean(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  return values.reduce((total, value) => total + (value - mean) ** 2, 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
