import { writeParquet } from "../parquet/write.ts";
import { csvLosses, writeCsv } from "./csv.ts";
import { swfLosses, writeSwf } from "./swf.ts";
import { tasksLosses, writeTasks } from "./tasks.ts";
import type { WorkloadWriter } from "./writer.ts";

/** Every way to write a workload. */
export const workloadWriters: readonly WorkloadWriter[] = [
  {
    name: "parquet",
    summary: "Parquet: every column, the fastest to read again",
    write: writeParquet,
    losses: () => [],
  },
  {
    name: "csv",
    summary: "CSV with a header: every column, for spreadsheets and scripts",
    write: writeCsv,
    losses: csvLosses,
  },
  {
    name: "swf",
    summary: "Standard Workload Format 2.2, for other simulators",
    write: writeSwf,
    losses: swfLosses,
  },
  {
    name: "tasks",
    summary: "a line a job: id, submit, tasks, CPU and memory as parts of a node, run time",
    write: writeTasks,
    losses: tasksLosses,
  },
];
