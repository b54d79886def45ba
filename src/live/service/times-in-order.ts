import type { LiveAttempt, LiveJob } from "./books.ts";

/**
 * Times of a job by the wall clock, which may be set back, or be a little behind on another machine: what is told of one job
 * is in the order in which it happened. All times of jobs and attempts are recorded through these; in seconds since 1970.
 */

/** When an attempt at it started. */
export function startInOrder({ toldUntil }: LiveJob, at: number): number {
  return Math.max(toldUntil, at);
}

/** When an attempt stood still, or ended. */
export function inAttempt({ job, startedAt }: LiveAttempt, at: number): number {
  return Math.max(startedAt ?? job.toldUntil, at);
}

/** When it was over. */
export function endInOrder({ toldUntil, startedAt }: LiveJob, at: number): number {
  return Math.max(toldUntil, startedAt ?? -Infinity, at);
}
