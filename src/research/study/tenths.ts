import { rowsOf, type Workload } from "../../workload/index.ts";

const PARTS = 10;

/** What the parts are called beside a claim. */
export const TENTHS = "tenths of the log";

/** The rows, from `first` to before `end`, of each tenth of some jobs in their order. */
export function tenths(count: number): { readonly first: number; readonly end: number }[] {
  return Array.from({ length: PARTS }, (_, part) => ({
    first: Math.floor((part * count) / PARTS),
    end: Math.floor(((part + 1) * count) / PARTS),
  }));
}

/**
 * The jobs of a log in tenths, as workloads of their own. What does not fill a bucket is in none of them.
 *
 * @param jobsPerBucket a tenth has whole buckets, those of the log
 */
export function tenthsOf(workload: Workload, jobsPerBucket: number): Workload[] {
  return tenths(Math.floor(workload.count / jobsPerBucket)).map(({ first, end }) =>
    rowsOf(workload, first * jobsPerBucket, end * jobsPerBucket),
  );
}

/** Each list but for one of its entries: all but the first, all but the second … */
export function leavingOut<T>(entries: readonly T[]): T[][] {
  return entries.map((_, out) => entries.filter((_entry, place) => place !== out));
}
