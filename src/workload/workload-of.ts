import { InputError } from "./errors.ts";
import type { CodedColumn, Workload } from "./workload.ts";

/** What a workload must have; everything else is optional. */
export type WorkloadColumns = Pick<Workload, "submitSeconds" | "runtimeSeconds" | "coresMilli"> &
  Partial<Omit<Workload, "count">>;

/**
 * Makes a workload of columns from a program. Columns that are not given are absent.
 *
 * @throws InputError if columns differ in length, submissions are out of order, or a job's amounts are impossible
 */
export function workloadOf(columns: WorkloadColumns): Workload {
  const { submitSeconds, runtimeSeconds, coresMilli, memoryMiB, gpuMilli, tasks } = columns;
  for (const [name, column] of Object.entries({ submitSeconds, runtimeSeconds, coresMilli }))
    if (!ArrayBuffer.isView(column)) throw new InputError(`column ${name} must be a typed array`);
  const count = submitSeconds.length;
  for (const [name, column] of Object.entries(columns)) {
    const values: unknown = isCoded(column) ? column.codes : column;
    if (ArrayBuffer.isView(values) && (values as Float64Array).length !== count) {
      throw new InputError(
        `column ${name} has ${(values as Float64Array).length} rows, submitSeconds ${count}`,
      );
    }
    if (isCoded(column)) refuseCodes(name, column);
  }
  let last = -Infinity;
  for (let row = 0; row < count; row++) {
    const refuse = (problem: string): never => {
      throw new InputError(`row ${row}: ${problem}`);
    };
    if (!(submitSeconds[row]! >= last && submitSeconds[row]! < Infinity)) refuse("submitSeconds must ascend");
    if (!(runtimeSeconds[row]! >= 0 && runtimeSeconds[row]! < Infinity))
      refuse("runtimeSeconds must be 0 or more");
    if (!(coresMilli[row]! >= 1)) refuse("coresMilli must be 1 or more");
    if (memoryMiB != null && memoryMiB[row]! < 0) refuse("memoryMiB must be 0 or more");
    if (gpuMilli != null && gpuMilli[row]! < 0) refuse("gpuMilli must be 0 or more");
    if (tasks != null && tasks[row]! < 1) refuse("tasks must be 1 or more");
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

function refuseCodes(column: string, { codes, names }: CodedColumn): void {
  const row = codes.findIndex((code) => !(code >= 0 && code < names.length));
  if (row >= 0) throw new InputError(`row ${row}: ${column} has the code ${codes[row]}, and no name for it`);
}

function isCoded(column: unknown): column is CodedColumn {
  return typeof column === "object" && column !== null && "codes" in column;
}
