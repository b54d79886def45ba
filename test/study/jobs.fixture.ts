import type { Workload } from "../../src/workload/index.ts";
import { workloadOf } from "../../src/workload/workload-of.ts";

export interface SmallJob {
  readonly cores: number;
  readonly memoryMiB: number;
  readonly tasks?: number;
  readonly submitSeconds?: number;
  readonly runtimeSeconds?: number;
}

/** A workload of a few jobs; unless told otherwise they all come at once and run for an hour. */
export function jobsOf(jobs: readonly SmallJob[], name = "few"): Workload {
  return workloadOf({
    name,
    submitSeconds: Float64Array.from(jobs, (job) => job.submitSeconds ?? 0),
    runtimeSeconds: Float64Array.from(jobs, (job) => job.runtimeSeconds ?? 3600),
    coresMilli: Int32Array.from(jobs, (job) => job.cores * 1000),
    memoryMiB: Int32Array.from(jobs, (job) => job.memoryMiB),
    tasks: jobs.some((job) => job.tasks !== undefined)
      ? Int32Array.from(jobs, (job) => job.tasks ?? 1)
      : null,
  });
}
