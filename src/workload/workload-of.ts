import { InputError } from "./errors.ts";
import type { Workload } from "./workload.ts";

/** What a workload must have; everything else is optional. */
export type WorkloadColumns = Pick<Workload, "submitSeconds" | "runtimeSeconds" | "coresMilli"> &
  Partial<Omit<Workload, "count">>;

/**
 * A workload of columns made by a program. What is not given the workload does not have.
 *
 * @throws InputError where columns differ in length or submissions are out of order
 */
export function workloadOf(columns: WorkloadColumns): Workload {
  const { submitSeconds } = columns;
  const count = submitSeconds.length;
  for (const [name, column] of Object.entries(columns)) {
    const values: unknown = isCoded(column) ? column.codes : column;
    if (ArrayBuffer.isView(values) && (values as Float64Array).length !== count) {
      throw new InputError(
        `column ${name} has ${(values as Float64Array).length} rows, submitSeconds ${count}`,
      );
    }
  }
  for (let row = 1; row < count; row++) {
    if (!(submitSeconds[row]! >= submitSeconds[row - 1]!)) {
      throw new InputError(`submitSeconds must ascend: row ${row} comes before the row above it`);
    }
  }
  return {
    name: "workload",
    synthetic: false,
    memoryMiB: null,
    gpuMilli: null,
    tasks: null,
    estimateSeconds: null,
    jobNumber: null,
    recordedWaitSeconds: null,
    project: null,
    user: null,
    queue: null,
    policy: null,
    priority: null,
    notes: [],
    farm: null,
    ...columns,
    count,
  };
}

function isCoded(column: unknown): column is { readonly codes: Int32Array } {
  return typeof column === "object" && column !== null && "codes" in column;
}
