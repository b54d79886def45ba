import { writeParquet } from "../parquet/write.ts";
import { writeCsv } from "./csv.ts";
import { writeSwf } from "./swf.ts";
import type { WorkloadWriter } from "./writer.ts";

/** Every way to write a workload. */
export const workloadWriters: readonly WorkloadWriter[] = [
  { name: "parquet", summary: "Parquet: every column, the fastest to read again", write: writeParquet },
  { name: "csv", summary: "CSV with a header: every column, for spreadsheets and scripts", write: writeCsv },
  { name: "swf", summary: "Standard Workload Format 2.2, for other simulators", write: writeSwf },
];
