import { expect, it } from "vitest";

import type { Machines, Workload } from "../../workload/index.ts";
import { workloadOf } from "../../workload/workload-of.ts";
import { rejectionAdvice } from "./rejection-advice.ts";

const machinesOf = (coresMilli: number, memoryMiB: number): Machines => ({
  name: "m",
  count: 2,
  ids: ["m1", "m2"],
  coresMilli: Int32Array.of(coresMilli, coresMilli),
  memoryMiB: Int32Array.of(memoryMiB, memoryMiB),
  gpuMilli: null,
});

/** Jobs of so many cores and MiB each. */
function jobsOf(...asks: readonly (readonly [cores: number, memoryMiB: number])[]): Workload {
  return workloadOf({
    submitSeconds: Float64Array.from(asks, (_, i) => i),
    runtimeSeconds: new Float64Array(asks.length).fill(60),
    coresMilli: Int32Array.from(asks, ([cores]) => cores * 1000),
    memoryMiB: Int32Array.from(asks, ([, memory]) => memory),
  });
}

it.each([
  [
    "machines read in too small a unit",
    jobsOf([1, 2048], [1, 4096]),
    machinesOf(8000, 32),
    "--machine-memory-unit GiB",
  ],
  [
    "a log read in too large a unit",
    jobsOf([1, 9e8], [1, 8e8]),
    machinesOf(8000, 32_768),
    "--memory-unit KiB",
  ],
  ["memory of whole jobs", jobsOf([1, 65_536]), machinesOf(8000, 32_768), "--memory-scope per-job"],
  ["jobs of many machines", jobsOf([64, 1024], [1, 1]), machinesOf(8000, 32_768), "--job-shape tasks"],
])("knows what corrects %s", (_, workload, machines, option) => {
  expect(rejectionAdvice(workload, machines)).toContain(option);
});

it("asks for a list where the machines are those that the log shows", () => {
  const jobs = jobsOf([64, 1024], [1, 1]);
  expect(rejectionAdvice(jobs, machinesOf(8000, 32_768), true)).toContain(
    "list all machines with --machines",
  );
});

it("has none where every job fits", () => {
  expect(rejectionAdvice(jobsOf([8, 1024]), machinesOf(8000, 32_768))).toBeUndefined();
});
