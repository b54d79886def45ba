import type { Schedule } from "../schedule.ts";
import type { NodeNeeds } from "./node-needs.ts";
import { DeadlineTest, type DivisibleJobs } from "./deadline-test.ts";

/** The bound is found this closely, from below. */
const RELATIVE_PRECISION = 1e-4;
/** More jobs take too long. */
const MOST_JOBS = 20_000;
/** Shorter jobs count as this long, as in every stretch. */
const SHORTEST_SECONDS = 10;

/**
 * A maximum stretch that no schedule of these jobs can go below, not even one
 * that knows the future: with memory without end and work that can be divided
 * among the nodes at will, the smallest S with which every job can be done S times
 * its run time after it came. A job gets at most what its tasks can use.
 *
 * Null where there are more jobs than can be bounded in reasonable time.
 */
export function stretchBound(
  { submitSeconds, startSeconds }: Schedule,
  runtimeSeconds: Float64Array,
  needs: NodeNeeds,
  nodes: number,
): number | null {
  const rows: number[] = [];
  for (let row = 0; row < submitSeconds.length; row++) {
    if (!Number.isNaN(startSeconds[row]) && runtimeSeconds[row] > 0) rows.push(row);
  }
  if (rows.length > MOST_JOBS) return null;
  const rate = (row: number): number => (needs.tasks[row] * needs.cpu[row]) / 100;
  const jobs: DivisibleJobs = {
    release: Float64Array.from(rows, (row) => submitSeconds[row]),
    rate: Float64Array.from(rows, (row) => Math.min(nodes, rate(row))),
    work: Float64Array.from(rows, (row) => rate(row) * runtimeSeconds[row]),
  };
  const length = Float64Array.from(rows, (row) => Math.max(SHORTEST_SECONDS, runtimeSeconds[row]));
  const test = new DeadlineTest(jobs, nodes);
  const deadline = new Float64Array(rows.length);
  const isPossible = (stretch: number): boolean => {
    for (let i = 0; i < rows.length; i++) deadline[i] = jobs.release[i] + stretch * length[i];
    return test.isFeasible(deadline);
  };

  return remembered([jobs.release, jobs.rate, jobs.work, length, Float64Array.of(nodes)], () =>
    smallest(isPossible),
  );
}

/** The smallest number from 1 on for which a test holds, from below. */
function smallest(isPossible: (stretch: number) => boolean): number {
  if (isPossible(1)) return 1;
  let low = 1;
  let high = 2;
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
