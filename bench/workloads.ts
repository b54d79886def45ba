import { existsSync } from "node:fs";
import { join } from "node:path";

import { generateNetbatch, netbatchMachines } from "../src/workload/generators/netbatch.ts";
import { writeParquet } from "../src/workload/parquet/write.ts";
import type { Machines, Workload } from "../src/workload/index.ts";
import type { Options } from "./benchmark.ts";

/** Pool B's month: 13,085,800 jobs on 3,115 machines (Shai 2014, Table 2.1). */
export const MONTH_JOBS = 13_085_800;
const QUICK_JOBS = 1_000_000;

/** The heuristics that the targets name: those of Shai 2014, chapters 3 and 4. */
export const measuredHeuristics: readonly string[] = [
  "first-fit",
  "best-fit-cores",
  "best-fit-memory",
  "worse-fit-cores",
  "worse-fit-memory",
  "mix-fit",
];

export const measuredPolicies: readonly string[] = [...measuredHeuristics, "max-jobs"];

/** The path of the pool's workload. Its name has the number of jobs, so that a folder can hold both sizes. */
export function poolFile({ quick, dataFolder }: Options): string {
  return join(dataFolder, `netbatch-b-${quick ? QUICK_JOBS : MONTH_JOBS}.parquet`);
}

/** Makes the pool's workload unless an earlier run has. */
export async function makePoolFile(options: Options): Promise<void> {
  const path = poolFile(options);
  if (existsSync(path)) return;
  await writeParquet(generateNetbatch("b", { jobs: options.quick ? QUICK_JOBS : MONTH_JOBS }), path);
}

/** The first jobs of pool B's month. */
export function somePoolJobs(jobs: number): Workload {
  return generateNetbatch("b", { jobs });
}

export function firstJobs(workload: Workload, jobs: number): Workload {
  const count = Math.min(jobs, workload.count);
  const cut = Object.entries(workload).map(([field, value]: [string, unknown]) => {
    if (value instanceof Float64Array || value instanceof Int32Array) return [field, value.slice(0, count)];
    if (isCoded(value)) return [field, { ...value, codes: value.codes.slice(0, count) }];
    return [field, value];
  });
  return { ...(Object.fromEntries(cut) as Workload), count };
}

/** The jobs of some rows, in order. */
export function jobsWhere(workload: Workload, isWanted: (row: number) => boolean): Workload {
  const rows = Array.from({ length: workload.count }, (_, row) => row).filter(isWanted);
  const cut = Object.entries(workload).map(([field, value]: [string, unknown]) => {
    if (value instanceof Float64Array) return [field, Float64Array.from(rows, (row) => value[row])];
    if (value instanceof Int32Array) return [field, Int32Array.from(rows, (row) => value[row])];
    if (isCoded(value)) return [field, { ...value, codes: Int32Array.from(rows, (row) => value.codes[row]) }];
    return [field, value];
  });
  return { ...(Object.fromEntries(cut) as Workload), count: rows.length };
}

/** Pool B's machines, or as many as asked: each type's part stays what it is. */
export function poolMachines(count?: number): Machines {
  const machines = netbatchMachines("b");
  if (count === undefined) return machines;
  const like = Array.from({ length: count }, (_, i) => Math.floor((i * machines.count) / count));
  return {
    name: `${machines.name}, ${count} machines`,
    count,
    ids: like.map((_, i) => `m${i + 1}`),
    coresMilli: Int32Array.from(like, (machine) => machines.coresMilli[machine]),
    memoryMiB: Int32Array.from(like, (machine) => machines.memoryMiB![machine]),
    gpuMilli: null,
  };
}

function isCoded(value: unknown): value is { codes: Int32Array } {
  return typeof value === "object" && value !== null && "codes" in value;
}
