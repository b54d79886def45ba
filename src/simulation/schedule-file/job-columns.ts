import type { CodedColumn, Workload } from "../../workload/index.ts";
import { isCounted, type Schedule } from "../schedule.ts";

/** A column that repeats what the log tells of a job, so that the file can be studied without the log. */
export interface JobColumn {
  /** With its unit, which is left out where it is a number of things. */
  readonly name: string;
  readonly type: "INT32" | "DOUBLE" | "STRING" | "BOOLEAN";
  readonly mayBeNull: boolean;
  /** Null where the log does not tell it. */
  readonly value: (row: number, schedule: Schedule) => number | string | boolean | null;
}

/** The names are the same for every log, so that files of several can be put together. */
export const jobColumnNames = [
  "cores",
  "tasks",
  "memoryMiB",
  "user",
  "runtimeSeconds",
  "estimateSeconds",
  "recordedWaitSeconds",
  "counted",
] as const;

/** The columns after those of the run, in the order of `jobColumnNames`. */
export function jobColumns(workload: Workload): readonly JobColumn[] {
  const { coresMilli, tasks, memoryMiB, user, runtimeSeconds, estimateSeconds, recordedWaitSeconds } =
    workload;
  const areWhole = coresMilli.every((milli) => milli % 1000 === 0);
  const columns: Readonly<Record<(typeof jobColumnNames)[number], Omit<JobColumn, "name">>> = {
    cores: {
      type: areWhole ? "INT32" : "DOUBLE",
      mayBeNull: false,
      value: (row) => coresMilli[row] / 1000,
    },
    tasks: { type: "INT32", mayBeNull: false, value: (row) => (tasks === null ? 1 : tasks[row]) },
    memoryMiB: {
      type: "INT32",
      mayBeNull: true,
      value: (row) => (memoryMiB === null ? null : memoryMiB[row]),
    },
    user: { type: "STRING", mayBeNull: true, value: (row) => nameIn(user, row) },
    runtimeSeconds: { type: "DOUBLE", mayBeNull: false, value: (row) => runtimeSeconds[row] },
    estimateSeconds: { type: "DOUBLE", mayBeNull: true, value: (row) => known(estimateSeconds, row) },
    recordedWaitSeconds: { type: "DOUBLE", mayBeNull: true, value: (row) => known(recordedWaitSeconds, row) },
    counted: { type: "BOOLEAN", mayBeNull: false, value: (row, schedule) => isCounted(schedule, row) },
  };
  return jobColumnNames.map((name) => ({ name, ...columns[name] }));
}

function known(seconds: Float64Array | null, row: number): number | null {
  return seconds === null || Number.isNaN(seconds[row]) ? null : seconds[row];
}

function nameIn(column: CodedColumn | null, row: number): string | null {
  return column?.names[column.codes[row]] || null;
}
