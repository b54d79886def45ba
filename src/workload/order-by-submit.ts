import { sharedFloat64Array } from "./shared-arrays.ts";

/**
 * The rows in order of submission; rows of the same time in order of their second key.
 *
 * A merge sort that starts from the runs already in order: logs written at the end of each job, or by several machines,
 * are nearly sorted.
 */
export function orderBySubmit(submitSeconds: Float64Array, second: Float64Array): Uint32Array {
  const rows = submitSeconds.length;
  let from = new Uint32Array(rows);
  let to = new Uint32Array(rows);
  const starts = [0];
  for (let row = 0; row < rows; row++) {
    from[row] = row;
    if (row > 0 && isBefore(submitSeconds, second, row, row - 1)) starts.push(row);
  }
  let runs = starts;
  while (runs.length > 1) {
    const merged: number[] = [];
    for (let run = 0; run < runs.length; run += 2) {
      const start = runs[run]!;
      const middle = runs[run + 1] ?? rows;
      merge(submitSeconds, second, from, to, start, middle, runs[run + 2] ?? rows);
      merged.push(start);
    }
    [from, to] = [to, from];
    runs = merged;
  }
  return from;
}

/** Merges `from[start..middle)` and `from[middle..end)` into `to`. Ties go to the first run. */
function merge(
  submitSeconds: Float64Array,
  second: Float64Array,
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  middle: number,
  end: number,
): void {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takeLeft =
      left < middle && (right >= end || !isBefore(submitSeconds, second, from[right]!, from[left]!));
    to[at] = takeLeft ? from[left++]! : from[right++]!;
  }
}

function isBefore(submitSeconds: Float64Array, second: Float64Array, row: number, other: number): boolean {
  const difference = submitSeconds[row]! - submitSeconds[other]!;
  return difference < 0 || (difference === 0 && second[row]! < second[other]!);
}

/** A copy of `values` in that order, in shared memory. */
export function reordered(values: Float64Array, order: Uint32Array): Float64Array {
  const copy = sharedFloat64Array(order.length);
  for (let row = 0; row < order.length; row++) copy[row] = values[order[row]!]!;
  return copy;
}
