import type { Workload } from "../../workload/index.ts";

/** What jobs were expected to run, by the log: the user's estimate, else the farm's limit, else the run time. */
export function estimatesOfLog({ estimateSeconds, runtimeSeconds, farm }: Workload): Float64Array {
  const limit = farm?.maxRuntimeSeconds;
  if (estimateSeconds === null) return limit === undefined ? runtimeSeconds : runtimeSeconds.map(() => limit);
  return estimateSeconds.map((estimate, row) =>
    Number.isNaN(estimate) ? (limit ?? runtimeSeconds[row]) : estimate,
  );
}
