import { rowsOf, type Workload } from "../workload/index.ts";

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

/** The jobs of a log in tenths, as workloads of their own. */
export function tenthsOf(workload: Workload): Workload[] {
  return tenths(workload.count).map(({ first, end }) => rowsOf(workload, first, end));
}
