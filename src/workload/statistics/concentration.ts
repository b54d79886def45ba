import type { CodedColumn } from "../workload.ts";
import { summarise, type Summary } from "./quantiles.ts";

/** How unevenly jobs are spread over users, projects or queues. */
export interface Concentration {
  /** The number of jobs of each name that has any; `count` is the number of such names. */
  readonly jobsPerName: Summary;
  /** The names with the most jobs, at most ten. */
  readonly largest: readonly NameShare[];
}

interface NameShare {
  readonly name: string;
  readonly jobs: number;
  /** The part of all jobs. */
  readonly share: number;
}

const largestNames = 10;

export function concentration({ codes, names }: CodedColumn): Concentration {
  const jobs = new Int32Array(names.length);
  for (let row = 0; row < codes.length; row++) jobs[codes[row]!]!++;
  const used = [...names.keys()].filter((code) => jobs[code]! > 0);
  used.sort((a, b) => jobs[b]! - jobs[a]! || a - b);
  return {
    jobsPerName: summarise(jobs.filter((n) => n > 0)),
    largest: used.slice(0, largestNames).map((code) => ({
      name: names[code]!,
      jobs: jobs[code]!,
      share: jobs[code]! / codes.length,
    })),
  };
}

/** The part of the sum that the largest `share` of ascending values makes up. At least one value counts. */
export function largestShare(ascending: Float64Array, share: number): number {
  const largest = Math.max(1, Math.round(ascending.length * share));
  return sumOf(ascending.subarray(-largest)) / sumOf(ascending);
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}
