import { statSync } from "node:fs";

import { readAsCsv } from "../../src/workload/parquet/as-csv.ts";
import { readOwn } from "../../src/workload/parquet/own.ts";
import { withParquet } from "../../src/workload/parquet/parquet.ts";
import type { Benchmark } from "../benchmark.ts";
import { median, peakMiB, speedOf, timed, type Took } from "../measure.ts";
import { makePoolFile, poolFile } from "../workloads.ts";

const ROUNDS = 3;

export const parquet: Benchmark = {
  name: "parquet",
  summary: "pool B's month from Parquet into columns; the median of three readings",
  cases: () => ["four columns", "all columns", "all columns, as of another program"],
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
  const { count } = await withParquet(path, (file, footer) => {
    if (name === "four columns") return readOwn(file, footer, { columns: ["memory"] });
    return name === "all columns" ? readOwn(file, footer) : readAsCsv(file, footer, {});
  });
  return count;
}
