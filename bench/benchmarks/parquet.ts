import { statSync } from "node:fs";

import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { parquetReadColumn } from "hyparquet/src/read.js";

import { readParquet } from "../../src/workload/parquet/read.ts";
import type { Benchmark } from "../benchmark.ts";
import { median, peakMiB, speedOf, timed, type Took } from "../measure.ts";
import { makePoolFile, poolFile } from "../workloads.ts";

const ROUNDS = 3;

export const parquet: Benchmark = {
  name: "parquet",
  summary: "pool B's month from Parquet into columns; the median of three readings",
  cases: () => ["four columns", "four columns, hyparquet alone", "all columns"],
  prepare: makePoolFile,
  async measure(name, options) {
    const path = poolFile(options);
    const readings: Took[] = [];
    let jobs = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const reading = await timed(() => read(name, path));
      jobs = reading.result;
      readings.push(reading);
    }
    const took = {
      seconds: median(readings.map(({ seconds }) => seconds)),
      processorSeconds: median(readings.map(({ processorSeconds }) => processorSeconds)),
    };
    const figure = `${(statSync(path).size / 1e6).toFixed(0)} MB`;
    return [{ what: name, speed: speedOf(jobs, took), figure, peakMiB: peakMiB() }];
  },
};

/** Returns how many jobs were read. */
async function read(name: string, path: string): Promise<number> {
  if (name === "all columns") return (await readParquet(path)).count;
  if (name === "four columns") return (await readParquet(path, { columns: ["memory"] })).count;
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  for (const column of ["submit", "runtime", "cores", "memory"])
    await parquetReadColumn({ file, metadata, columns: [column] });
  return Number(metadata.num_rows);
}
