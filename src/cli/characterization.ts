import { formatCount, type Bin, type Characterization } from "../report/index.ts";
import type { Demand, Summary, WorkloadStatistics } from "../workload/index.ts";

/** What the jobs ask for, as the report shows it. */
export function characterization({
  firstSubmitSeconds,
  cores,
  memoryGiB,
  buckets,
  runtime,
}: WorkloadStatistics): Characterization {
  const times = (factor: number, values: Float64Array): number[] =>
    Array.from(values, (value) => value * factor);
  return {
    cores: bins(cores, ""),
    memory: memoryGiB === null ? null : bins(memoryGiB, " GiB"),
    buckets:
      buckets.cores.length === 0
        ? null
        : {
            jobs: buckets.jobsPerBucket,
            timeSeconds: Array.from(buckets.submitSeconds, (time) => time - firstSubmitSeconds),
            coresMeanMilli: times(1000, buckets.cores),
            memoryMeanMiB: buckets.memoryGiB === null ? null : times(1024, buckets.memoryGiB),
          },
    runtimes: shares.map(([share, name]) => ({ share, seconds: runtime.seconds[name] })),
  };
}

const shares: readonly [share: number, name: keyof Summary][] = [
  [0, "min"],
  [0.01, "p1"],
  [0.05, "p5"],
  [0.1, "p10"],
  [0.25, "p25"],
  [0.5, "p50"],
  [0.75, "p75"],
  [0.9, "p90"],
  [0.95, "p95"],
  [0.99, "p99"],
  [0.999, "p999"],
  [1, "max"],
];

/** A bar for each power of two: `≤ 1`, `≤ 2`, `≤ 4`. */
export function bins({ bars }: Demand, unit: string): Bin[] {
  return bars.map(({ upTo, jobs }) => ({ name: binName(upTo, unit), jobs }));
}

/** A bar holds what is above the bar before it. */
export function binName(upTo: number, unit: string): string {
  return upTo === 0 ? "none" : `≤ ${upTo < 1000 ? upTo : formatCount(upTo)}${unit}`;
}
