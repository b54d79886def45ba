import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

import type { Workload } from "../../src/workload/index.ts";

/** Real logs and published schedules, kept beside the repository where they may be had. */
export const traces = fileURLToPath(new URL("../../../shared/traces", import.meta.url));
export const tracesAreMissing = !existsSync(traces);
/** For the names of the tests that need them. */
export const whereTraces = "(skipped where the traces are not at hand)";

export function tracePath(name: string): string {
  return `${traces}/${name}`;
}

/** The lines of a gzipped file, without the empty ones. */
export function traceLines(name: string): string[] {
  return gunzipSync(readFileSync(tracePath(name)))
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}

/** The workload's first jobs. */
export function firstJobs(workload: Workload, jobs: number): Workload {
  const count = Math.min(jobs, workload.count);
  const cut = <T>(value: T): T => {
    if (ArrayBuffer.isView(value)) return (value as unknown as Float64Array).slice(0, count) as unknown as T;
    if (value !== null && typeof value === "object" && "codes" in value)
      return { ...value, codes: (value.codes as Int32Array).slice(0, count) };
    return value;
  };
  const columns = Object.entries(workload).map(([name, value]) => [name, cut(value as unknown)] as const);
  return { ...(Object.fromEntries(columns) as unknown as Workload), count };
}
