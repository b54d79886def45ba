import type { CodedColumn } from "../workload.ts";
import { summarise, type Summary } from "./quantiles.ts";

/** How unevenly jobs spread over the users, projects or queues. */
export interface Concentration {
  /** Jobs of each name that has any: its `count` is how many names do. */
  readonly jobsPerName: Summary;
  /** The names with the most jobs, at most ten. */
  readonly largest: readonly NameShare[];
}

export interface NameShare {
  readonly name: string;
  readonly jobs: number;
  /** Of all jobs. */
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

/** What the largest `share` of ascending values makes up of their sum; at least one value counts. */
export function largestShare(ascending: Float64Array, share: number): number {
  const largest = Math.max(1, Math.round(ascending.length * share));
  return sumOf(ascending.subarray(-largest)) / sumOf(ascending);
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}
