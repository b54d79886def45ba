import type { LiveJob } from "./books.ts";
import { isFinal, type JobState } from "../store/job-states.ts";
import type { Turn } from "./turn.ts";

/**
 * A job goes to another state, for a reason; without one it keeps that which it has. All that writes a job's state is
 * here, and its row is written at the end of the turn.
 *
 * @throws Error where the job is over
 */
export function transition(turn: Turn, job: LiveJob, to: JobState, reason = job.reason): void {
  if (isFinal(job.state)) throw new Error(`job ${job.number} is ${job.state}, and cannot be ${to} any more`);
  (job as { state: JobState }).state = to;
  job.reason = reason;
  turn.changed(job);
}
