import type { EngineJobs } from "../jobs/engine-jobs.ts";

/**
 * Which job is suspended, of those with the lowest priority. A job of higher
 * priority is never taken before one of lower.
 */
export interface VictimRule {
  readonly name: string;
  readonly summary: string;
  /** The job with the lowest key goes first. It must stay the same while the job runs. */
  key(jobs: EngineJobs, job: number): number;
}
