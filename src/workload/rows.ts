import { sharedFloat64Array, sharedInt32Array } from "./shared-arrays.ts";
import type { Workload } from "./workload.ts";

/** The number of a row's job: the log's own, or its place in the log, from 1. */
export function jobNumberOf({ jobNumber }: Pick<Workload, "jobNumber">, row: number): number {
  return jobNumber === null ? row + 1 : jobNumber[row]!;
}

/** The jobs of some neighbouring rows, from `first` to before `end`. The columns are views of the same memory. */
export function rowsOf(workload: Workload, first: number, end: number): Workload {
  const fields = Object.entries(workload).map(([field, value]: [string, unknown]) => {
    if (value instanceof Float64Array || value instanceof Int32Array)
      return [field, value.subarray(first, end)];
    return [field, isCoded(value) ? { ...value, codes: value.codes.subarray(first, end) } : value];
  });
  const numbered = workload.jobNumber === null && first > 0;
  return {
    ...(Object.fromEntries(fields) as Workload),
    count: end - first,
    ...(numbered
      ? { jobNumber: Float64Array.from({ length: end - first }, (_, row) => first + row + 1) }
      : {}),
  };
}

/** The jobs of these rows, in this order; a row may come several times. */
export function pickedRows(workload: Workload, rows: ArrayLike<number>): Workload {
  const fields = Object.entries(workload).map(([field, value]: [string, unknown]) => {
    if (value instanceof Float64Array || value instanceof Int32Array) return [field, pickedFrom(value, rows)];
    return [field, isCoded(value) ? { ...value, codes: pickedFrom(value.codes, rows) } : value];
  });
  return { ...(Object.fromEntries(fields) as Workload), count: rows.length };
}

function pickedFrom(column: Float64Array | Int32Array, rows: ArrayLike<number>): typeof column {
  const copy =
    column instanceof Float64Array ? sharedFloat64Array(rows.length) : sharedInt32Array(rows.length);
  for (let at = 0; at < rows.length; at++) copy[at] = column[rows[at]!]!;
  return copy;
}

function isCoded(value: unknown): value is { readonly codes: Int32Array } {
  return typeof value === "object" && value !== null && "codes" in value;
}
