import type { Workload } from "../workload.ts";
import { summariseCounts, type Summary, type ValueCounts } from "./quantiles.ts";

/** The jobs' demand for one resource: cores, or GiB of memory. */
export interface Demand {
  readonly summary: Summary;
  readonly bars: readonly DemandBar[];
}

/** The number of jobs with a demand in a range: one bar of Figures 2.1 and 2.2 of Shai 2014. */
interface DemandBar {
  /** The upper end of the range, which begins above the bar before: a power of two, or 0. */
  readonly upTo: number;
  readonly jobs: number;
  /** The part of all jobs. */
  readonly share: number;
}

/** Averages of consecutive jobs in order of submission (Shai 2014, section 3.2, Figures 3.3 and 3.4). */
export interface BucketAverages {
  /** Jobs in a bucket. The last, incomplete bucket is left out. */
  readonly jobsPerBucket: number;
  /** When the first job of each bucket was submitted. */
  readonly submitSeconds: Float64Array;
  readonly cores: Float64Array;
  /** Null if the log does not tell memory. */
  readonly memoryGiB: Float64Array | null;
}

const jobsPerBucket = 1000;

/**
 * The demand of whole jobs, all of their tasks together.
 *
 * @param perTask the demand of one task, in `1 / unit`: thousandths of a core, or MiB
 */
export function demand(perTask: Int32Array, tasks: Int32Array | null, unit: number): Demand {
  const counts = new Map<number, number>();
  for (let row = 0; row < perTask.length; row++) {
    // Counted as whole numbers, which are faster keys; no two stand for one value.
    const amount = perTask[row]! * (tasks === null ? 1 : tasks[row]!);
    counts.set(amount, (counts.get(amount) ?? 0) + 1);
  }
  const inUnits = new Map(Array.from(counts, ([amount, jobs]) => [amount / unit, jobs]));
  return { summary: summariseCounts(inUnits), bars: demandBars(inUnits, perTask.length) };
}

/** The bars from the smallest demand to the largest, including empty ones between them. */
function demandBars(counts: ValueCounts, count: number): DemandBar[] {
  const jobsByBar = new Map<number, number>();
  for (const [amount, jobs] of counts) {
    const upTo = powerOfTwoFrom(amount);
    jobsByBar.set(upTo, (jobsByBar.get(upTo) ?? 0) + jobs);
  }
  const present = [...jobsByBar.keys()].sort((a, b) => a - b);
  const bars: DemandBar[] = [];
  const add = (upTo: number): void => {
    const jobs = jobsByBar.get(upTo) ?? 0;
    bars.push({ upTo, jobs, share: jobs / count });
  };
  if (present[0] === 0) add(present.shift()!);
  const last = present.at(-1) ?? 0;
  for (let upTo = present[0] ?? 1; upTo <= last; upTo *= 2) add(upTo);
  return bars;
}

/** The smallest power of two that is not below `value`; 0 for 0. */
function powerOfTwoFrom(value: number): number {
  if (value <= 0) return 0;
  let power = 1;
  while (power < value) power *= 2;
  while (power / 2 >= value) power /= 2;
  return power;
}

export function bucketAverages(workload: Workload): BucketAverages {
  const { submitSeconds, coresMilli, memoryMiB, tasks } = workload;
  const buckets = Math.floor(workload.count / jobsPerBucket);
  const averages = (perTask: Int32Array, unit: number): Float64Array => {
    const means = new Float64Array(buckets);
    for (let bucket = 0; bucket < buckets; bucket++) {
      const from = bucket * jobsPerBucket;
      let sum = 0;
      for (let row = from; row < from + jobsPerBucket; row++) {
        sum += perTask[row]! * (tasks === null ? 1 : tasks[row]!);
      }
      means[bucket] = sum / unit / jobsPerBucket;
    }
    return means;
  };
  return {
    jobsPerBucket,
    submitSeconds: Float64Array.from({ length: buckets }, (_, i) => submitSeconds[i * jobsPerBucket]!),
    cores: averages(coresMilli, 1000),
    memoryGiB: memoryMiB === null ? null : averages(memoryMiB, 1024),
  };
}
