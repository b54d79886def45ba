import type { Workload } from "../../workload/index.ts";

/** The first so many jobs of a log of one-slot jobs, with what a run on a slot farm looks at. */
export function firstRows(workload: Workload, count: number): Workload {
  const { submitSeconds, runtimeSeconds, coresMilli, queue, user, project } = workload;
  const coded = (column: Workload["queue"]): Workload["queue"] =>
    column === null ? null : { ...column, codes: column.codes.subarray(0, count) };
  return {
    ...workload,
    count,
    submitSeconds: submitSeconds.subarray(0, count),
    runtimeSeconds: runtimeSeconds.subarray(0, count),
    coresMilli: coresMilli.subarray(0, count),
    memoryMiB: null,
    gpuMilli: null,
    tasks: null,
    estimateSeconds: null,
    jobNumber: null,
    recordedWaitSeconds: null,
    queue: coded(queue),
    user: coded(user),
    project: coded(project),
    policy: null,
    priority: null,
  };
}
