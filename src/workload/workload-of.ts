import { InputError } from "./errors.ts";
import type { Workload } from "./workload.ts";

/** What a workload must have; everything else is optional. */
export type WorkloadColumns = Pick<Workload, "submitSeconds" | "runtimeSeconds" | "coresMilli"> &
  Partial<Omit<Workload, "count">>;

/**
 * Makes a workload of columns from a program. Columns that are not given are absent.
 *
 * @throws InputError if columns differ in length, submissions are out of order, or a job asks for no core
 */
export function workloadOf(columns: WorkloadColumns): Workload {
  const { submitSeconds, runtimeSeconds, coresMilli } = columns;
  const count = submitSeconds.length;
  for (const [name, column] of Object.entries(columns)) {
    const values: unknown = isCoded(column) ? column.codes : column;
    if (ArrayBuffer.isView(values) && (values as Float64Array).length !== count) {
      throw new InputError(
        `column ${name} has ${(values as Float64Array).length} rows, submitSeconds ${count}`,
      );
    }
  }
  let last = -Infinity;
  for (let row = 0; row < count; row++) {
    const refuse = (problem: string): never => {
      throw new InputError(`row ${row}: ${problem}`);
    };
    if (!(submitSeconds[row]! >= last)) refuse("submitSeconds must ascend");
    if (!(runtimeSeconds[row]! >= 0)) refuse("runtimeSeconds must be 0 or more");
    if (!(coresMilli[row]! >= 1)) refuse("coresMilli must be 1 or more");
    last = submitSeconds[row]!;
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
    requires: null,
    pools: null,
    site: null,
    group: null,
    notes: [],
    farm: null,
    ...columns,
    count,
  };
}

function isCoded(column: unknown): column is { readonly codes: Int32Array } {
  return typeof column === "object" && column !== null && "codes" in column;
}
