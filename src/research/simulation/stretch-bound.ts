import { WHOLE_NODE } from "../fractional/index.ts";
import { SHORTEST_SECONDS } from "../../simulation/figures/job-figures.ts";
import type { Schedule } from "../../simulation/schedule.ts";
import type { NodeNeeds } from "./synthetic-needs.ts";
import { DeadlineFeasibility, type DivisibleJobs } from "./deadline-feasibility.ts";

/** The relative precision of the bound, which is approached from below. */
const RELATIVE_PRECISION = 1e-4;
/**
 * A workload of more jobs is bounded in parts, in order of submission, since time and memory grow with the square of
 * the number of jobs. A lower bound of a part is one of the whole.
 */
const MAX_JOBS = 20_000;

/**
 * A maximum stretch that no schedule of these jobs can go below, not even one that knows the future: the smallest S
 * such that every job can be done within S times its run time after submission, if memory is unlimited and work can
 * be divided among the nodes at will. A job gets at most what its tasks can use.
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
  const rate = (row: number): number => (needs.tasks[row] * needs.cpu[row]) / WHOLE_NODE;
  const jobs: DivisibleJobs = {
    release: Float64Array.from(rows, (row) => submitSeconds[row]),
    rate: Float64Array.from(rows, (row) => Math.min(nodes, rate(row))),
    work: Float64Array.from(rows, (row) => rate(row) * runtimeSeconds[row]),
  };
  const length = Float64Array.from(rows, (row) => Math.max(SHORTEST_SECONDS, runtimeSeconds[row]));
  return remembered([jobs.release, jobs.rate, jobs.work, length, Float64Array.of(nodes)], () => {
    let bound = 1;
    for (let from = 0; from < rows.length; from += MAX_JOBS)
      bound = boundOf(jobs, length, nodes, from, Math.min(rows.length, from + MAX_JOBS), bound);
    return bound;
  });
}

/** The bound of the jobs from `from` until `to`, or `known` if that is larger. */
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

/** The last bound and its input: all policies of a study ask for the same one. */
let last: { readonly key: readonly Float64Array[]; readonly bound: number } | null = null;

function remembered(key: readonly Float64Array[], compute: () => number): number {
  const isSame = (a: Float64Array, b: Float64Array | undefined): boolean =>
    b !== undefined && a.length === b.length && a.every((value, i) => value === b[i]);
  if (last !== null && key.every((column, i) => isSame(column, last?.key[i]))) return last.bound;
  last = { key, bound: compute() };
  return last.bound;
}
