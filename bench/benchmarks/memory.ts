import { readWorkload, type Workload } from "../../src/workload/index.ts";
import { writeParquet } from "../../src/workload/parquet/write.ts";
import { join } from "node:path";
import type { Benchmark } from "../benchmark.ts";
import { below, peakMiB } from "../measure.ts";
import { makePoolFile, MONTH_JOBS, poolFile, somePoolJobs } from "../workloads.ts";

const SOME_JOBS = 200_000;
const EVERY_COLUMN = "every column there is";

export const memory: Benchmark = {
  name: "memory",
  summary: "bytes that a job's columns take in memory, and 13,085,800 jobs' at that rate",
  cases: () => ["pool B's columns", EVERY_COLUMN],
  async prepare(options) {
    await makePoolFile(options);
    await writeParquet(withEveryColumn(somePoolJobs(SOME_JOBS)), everyColumnFile(options.dataFolder));
  },
  async measure(name, options) {
    const path = name === EVERY_COLUMN ? everyColumnFile(options.dataFolder) : poolFile(options);
    const workload = await readWorkload(path);
    const perJob = bytesOf(workload) / workload.count;
    const month = (perJob * MONTH_JOBS) / 1e6;
    return [
      {
        what: name,
        figure: `${perJob} bytes a job, ${month.toFixed(0)} MB`,
        peakMiB: peakMiB(),
        target: below(1000, "MB", month),
      },
    ];
  },
};

function everyColumnFile(folder: string): string {
  return join(folder, "every-column.parquet");
}

function bytesOf(workload: Workload): number {
  let bytes = 0;
  for (const value of Object.values(workload) as unknown[]) {
    const column = typeof value === "object" && value !== null && "codes" in value ? value.codes : value;
    if (ArrayBuffer.isView(column)) bytes += column.byteLength;
  }
  return bytes;
}

/** The jobs, with a value in every column that a workload can have. */
function withEveryColumn(workload: Workload): Workload {
  const { count, runtimeSeconds, user } = workload;
  const rows = Int32Array.from({ length: count }, (_, row) => row);
  return {
    ...workload,
    gpuMilli: rows.map((row) => (row % 9) * 1000),
    tasks: rows.map((row) => 1 + (row % 4)),
    estimateSeconds: runtimeSeconds.map((seconds) => seconds * 2),
    jobNumber: Float64Array.from(rows, (row) => row * 2),
    recordedWaitSeconds: Float64Array.from(rows, (row) => row % 1000),
    queue: user,
    policy: { names: ["", "first-fit"], codes: rows.map((row) => row % 2) },
    priority: rows.map((row) => row % 5),
  };
}
