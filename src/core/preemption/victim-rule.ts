import type { EngineJobs } from "../jobs/engine-jobs.ts";

/**
 * Chooses the job to suspend among those with the lowest priority. A job of higher priority is never suspended before
 * one of lower.
 */
export interface VictimRule {
  readonly name: string;
  readonly summary: string;
  /** The job with the lowest key is suspended first. The key must stay the same while the job runs. */
  key(jobs: EngineJobs, job: number): number;
  /** Whether jobs with a requirement wait for room rather than have others suspended for them. Absent: none do. */
  isPatient?(requirement: number): boolean;
}
