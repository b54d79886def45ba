import { SHORTEST_SECONDS } from "../job-figures.ts";
import type { Schedule } from "../schedule.ts";
import type { NodeNeeds } from "./synthetic-needs.ts";
import { DeadlineFeasibility, type DivisibleJobs } from "./deadline-feasibility.ts";

/** The bound is found this closely, from below. */
const RELATIVE_PRECISION = 1e-4;
/**
 * More jobs are bounded in parts, by their submission, as the time and memory for
 * all at once grow with its square. What bounds a part bounds the whole.
 */
const MOST_JOBS = 20_000;

/**
 * A maximum stretch that no schedule of these jobs can go below, not even one
 * that knows the future: with memory without end and work that can be divided
 * among the nodes at will, the smallest S with which every job can be done S times
 * its run time after it came. A job gets at most what its tasks can use.
 */
export function stretchBound(
  { submitSeconds, startSeconds }: Schedule,
  runtimeSeconds: Float64Array,
  needs: NodeNeeds,
  nodes: number,
): number {
  const rows: number[] = [];
  for (let row = 0; row < submitSeconds.length; row++) {
    if (!Number.isNaN(startSeconds[row]) && runtimeSeconds[row] > 0) rows.push(row);
  }
  const rate = (row: number): number => (needs.tasks[row] * needs.cpu[row]) / 100;
  const jobs: DivisibleJobs = {
    release: Float64Array.from(rows, (row) => submitSeconds[row]),
    rate: Float64Array.from(rows, (row) => Math.min(nodes, rate(row))),
    work: Float64Array.from(rows, (row) => rate(row) * runtimeSeconds[row]),
  };
  const length = Float64Array.from(rows, (row) => Math.max(SHORTEST_SECONDS, runtimeSeconds[row]));
  return remembered([jobs.release, jobs.rate, jobs.work, length, Float64Array.of(nodes)], () => {
    let bound = 1;
    for (let from = 0; from < rows.length; from += MOST_JOBS)
      bound = boundOf(jobs, length, nodes, from, Math.min(rows.length, from + MOST_JOBS), bound);
    return bound;
  });
}

/** The bound of some of the jobs, but not below what is known. */
function boundOf(
  all: DivisibleJobs,
  length: Float64Array,
  nodes: number,
  from: number,
  to: number,
  known: number,
): number {
  const jobs: DivisibleJobs = {
    release: all.release.subarray(from, to),
    rate: all.rate.subarray(from, to),
    work: all.work.subarray(from, to),
  };
  const deadlines = new DeadlineFeasibility(jobs, nodes);
  const deadline = new Float64Array(to - from);
  return smallest(known, (stretch) => {
    for (let i = 0; i < deadline.length; i++) deadline[i] = jobs.release[i] + stretch * length[from + i];
    return deadlines.isFeasible(deadline);
  });
}

/** The smallest number from `least` on for which a test holds, from below. */
function smallest(least: number, isPossible: (stretch: number) => boolean): number {
  if (isPossible(least)) return least;
  let low = least;
  let high = 2 * least;
  while (!isPossible(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > RELATIVE_PRECISION * low) {
    const middle = (low + high) / 2;
    if (isPossible(middle)) high = middle;
    else low = middle;
  }
  return low;
}

/** The last bound and what it was of: the other policies of a study ask for the same. */
let last: { readonly key: readonly Float64Array[]; readonly bound: number } | null = null;

function remembered(key: readonly Float64Array[], compute: () => number): number {
  const isSame = (a: Float64Array, b: Float64Array | undefined): boolean =>
    b !== undefined && a.length === b.length && a.every((value, i) => value === b[i]);
  if (last !== null && key.every((column, i) => isSame(column, last?.key[i]))) return last.bound;
  last = { key, bound: compute() };
  return last.bound;
}
