/**
 * How fast Parquet is read: `node bench/read-parquet.ts [jobs] [file]`.
 *
 * Generates a pool's month (or the given number of jobs), writes it to a temporary
 * file unless one is given, and reads it, the four columns a replay needs first.
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { parquetReadColumn } from "hyparquet/src/read.js";
import { generateNetbatch } from "../src/workload/generators/netbatch.ts";
import { readParquet } from "../src/workload/parquet/read.ts";
import { writeParquet } from "../src/workload/parquet/write.ts";

const jobs = Number(process.argv[2] ?? 13_085_800);
const folder = await mkdtemp(join(tmpdir(), "croft-bench-"));
try {
  const path = process.argv[3] ?? join(folder, "netbatch-b.parquet");
  if (process.argv[3] === undefined) {
    const workload = await timed("generate", jobs, () => generateNetbatch("b", { jobs }));
    await timed("write, all columns", jobs, () => writeParquet(workload, path));
  }
  console.log(`${((await stat(path)).size / 1e6).toFixed(0)} MB`);
  for (let i = 0; i < 3; i++) {
    await timed("read 4 columns", jobs, () => readParquet(path, { columns: ["memory"] }));
  }
  await timed("read all columns", jobs, () => readParquet(path));
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  await timed("hyparquet alone, 4 columns", jobs, async () => {
    for (const column of ["submit", "runtime", "cores", "memory"]) {
      await parquetReadColumn({ file, metadata, columns: [column] });
    }
  });
} finally {
  await rm(folder, { recursive: true });
}

async function timed<T>(what: string, rows: number, work: () => T | Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  const seconds = (performance.now() - start) / 1000;
  console.log(`${what}: ${seconds.toFixed(2)} s, ${(rows / seconds / 1e6).toFixed(1)} M rows/s`);
  return result;
}
