import type { JobColumns } from "./job-columns.ts";
import type { LoggedRuns } from "./logged-runs.ts";
import type { Notes } from "./notes.ts";
import { findRepeats } from "./repeats.ts";

/**
 * The rows to leave out since another row says the same; null if there are none. Notes both kinds of repeat.
 *
 * @param runs what tells runs apart; null: their times do
 */
export function repeatedRows(
  columns: JobColumns,
  keys: { readonly submitSeconds: Float64Array; readonly jobNumber: Float64Array },
  runs: LoggedRuns | null,
  notes: Notes,
): ReadonlySet<number> | null {
  const repeats = findRepeats(
    keys.jobNumber,
    columns.someArray ? (row) => columns.arrayIndexAt(row) : null,
    (row) => runs?.identityOf(row) ?? columns.timesAt(row, keys.submitSeconds[row]!),
    (row) => columns.runtimeAt(row),
  );
  if (repeats === null) return null;
  const { again, shared, sharedNumber } = repeats;
  const repeated = runs?.repeated ?? "dropped: the log has the same job at the same times already";
  if (again.size > 0) notes.add(repeated, null, again.size);
  if (shared > 0) {
    const what = `kept: a number that another job has, as after a requeue, such as ${sharedNumber}`;
    notes.add(what, null, shared);
  }
  return again.size === 0 ? null : again;
}

/** The order without some rows; null stands for the order of the rows. */
export function without(rows: ReadonlySet<number>, order: Uint32Array | null, count: number): Uint32Array {
  const left = new Uint32Array(count - rows.size);
  let at = 0;
  for (let place = 0; place < count; place++) {
    const row = order === null ? place : order[place]!;
    if (!rows.has(row)) left[at++] = row;
  }
  return left;
}
