import type { Demand } from "../../workload/statistics/demand.ts";
import type { WorkloadStatistics } from "../../workload/statistics/characterise.ts";

/**
 * The statistics of several parts of a log, as far as claims are about them: the shares of their jobs and the averages
 * of their buckets. The others are those of the first part.
 */
export function statisticsTogether(parts: readonly WorkloadStatistics[]): WorkloadStatistics {
  const first = parts[0]!;
  const jobs = parts.reduce((sum, part) => sum + part.jobs, 0);
  const memories = parts.map(({ memoryGiB }) => memoryGiB).filter((demand) => demand !== null);
  const bucketMemory = parts.map(({ buckets }) => buckets.memoryGiB).filter((column) => column !== null);
  return {
    ...first,
    jobs,
    serialShare: parts.reduce((sum, part) => sum + part.serialShare * part.jobs, 0) / jobs,
    memoryGiB: memories.length < parts.length ? null : barsTogether(memories, jobs),
    buckets: {
      ...first.buckets,
      cores: joined(parts.map(({ buckets }) => buckets.cores)),
      memoryGiB: bucketMemory.length < parts.length ? null : joined(bucketMemory),
    },
  };
}

function barsTogether(demands: readonly Demand[], allJobs: number): Demand {
  const jobsUpTo = new Map<number, number>();
  for (const { upTo, jobs } of demands.flatMap(({ bars }) => bars))
    jobsUpTo.set(upTo, (jobsUpTo.get(upTo) ?? 0) + jobs);
  const bars = [...jobsUpTo].sort(([a], [b]) => a - b);
  return {
    ...demands[0]!,
    bars: bars.map(([upTo, jobs]) => ({ upTo, jobs, share: jobs / allJobs })),
  };
}

function joined(columns: readonly Float64Array[]): Float64Array {
  return Float64Array.from(columns.flatMap((column) => Array.from(column)));
}
