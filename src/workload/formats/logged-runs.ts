import type { JobColumns } from "./job-columns.ts";

/** What a reader knows of the runs that it has added, and can say only when it has read all of the log. */
export interface LoggedRuns {
  /** The note on a row that is another record of a run. */
  readonly repeated: string;
  /**
   * Called once for every row.
   * @param index -1: not in an array
   * @returns since when the run has waited
   */
  settle(row: number, number: number, index: number, submitSeconds: number): number;
  /** Called after the last row. */
  settled(): void;
  /** What tells the row's run from the job's other runs. */
  identityOf(row: number): string;
}

/** Sets since when each run has waited. @returns whether any waits since another time than the reader set at first */
export function settleRuns(
  runs: LoggedRuns,
  columns: JobColumns,
  keys: { readonly submitSeconds: Float64Array; readonly jobNumber: Float64Array },
): boolean {
  const { submitSeconds, jobNumber } = keys;
  let hasChanged = false;
  for (let row = 0; row < submitSeconds.length; row++) {
    const since = runs.settle(row, jobNumber[row]!, columns.arrayIndexAt(row), submitSeconds[row]!);
    if (since === submitSeconds[row]) continue;
    const waitSeconds = columns.waitAt(row);
    if (!Number.isNaN(waitSeconds)) columns.setWait(row, waitSeconds - (since - submitSeconds[row]!));
    submitSeconds[row] = since;
    hasChanged = true;
  }
  runs.settled();
  return hasChanged;
}
