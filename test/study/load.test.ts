import { expect, test } from "vitest";

import { simulate } from "../../src/simulation/index.ts";
import { applicable, defaultPaces, loadPolicies, studyLoad } from "../../src/research/study/index.ts";
import { readMachines } from "../../src/workload/index.ts";
import { jobsOf } from "./jobs.fixture.ts";

const machines = await readMachines("2x4c32g");
/** 8 cores, a job of 1 core and 40 s every 10 s: half the capacity, over 100 arrivals. */
const workload = jobsOf(
  Array.from({ length: 101 }, (_, i) => ({
    cores: 1,
    memoryMiB: 1024 * (1 + (i % 7)),
    submitSeconds: i * 10,
    runtimeSeconds: 40,
  })),
);

test("the log's own pace comes first, then the loads above it", () => {
  // 101 jobs · 40 s ÷ (8 cores · 1000 s) = 0.505
  expect(defaultPaces(workload, machines)).toEqual([
    { beta: 1 },
    ...[0.6, 0.7, 0.8, 0.9, 0.95, 1].map((load) => ({ load })),
  ]);
  const busy = { ...workload, runtimeSeconds: workload.runtimeSeconds.map((time) => time * 1.85) };
  expect(defaultPaces(busy, machines)).toEqual([{ beta: 1 }, { load: 0.95 }, { load: 1 }]);
});

test("every policy is run at every load, and gives what one simulation gives", async () => {
  const paces = [{ beta: 1 }, { load: 1.5 }];
  const { runs, parts } = await studyLoad(workload, machines, { paces, threads: 2 });
  expect(runs.map(({ policy }) => policy)).toEqual([...loadPolicies, ...loadPolicies]);
  expect(runs.map(({ beta }) => beta > 0.99)).toEqual(runs.map((_, i) => i < loadPolicies.length));
  const last = simulate(workload, machines, { policy: "max-jobs", load: 1.5 }).result;
  const { simulationSeconds: _s, simulatedJobsPerSecond: _r, ...figures } = last;
  expect(runs.at(-1)).toMatchObject(figures);

  // Of 101 jobs nine tenths have ten, and the last has eleven.
  expect(parts.alone).toHaveLength(10);
  const waits = parts.alone.map((part) => part.at(-1)!.waitMeanSeconds);
  const sum = waits.reduce((total, wait, i) => total + wait * (i < 9 ? 10 : 11), 0);
  expect(sum / 101).toBeCloseTo(last.waitMeanSeconds, 9);
  expect(waits[9]).toBeGreaterThan(waits[0]);
  expect(parts.without[9].at(-1)!.waitMeanSeconds).toBeCloseTo((sum - waits[9] * 11) / 90, 9);
});

test("settings hold for every run", async () => {
  const paces = [{ load: 1.5 }];
  const settings = { reserving: 0, intervalSeconds: 7 };
  const {
    runs: [run],
  } = await studyLoad(workload, machines, { policies: ["mix-fit"], paces, settings });
  expect(run).toMatchObject({ intervalSeconds: 7 });
  const alone = simulate(workload, machines, { policy: "mix-fit", load: 1.5, ...settings }).result;
  expect(run?.waitMeanSeconds).toBe(alone.waitMeanSeconds);
});

test("without memory the policies that decide by it are not applicable", () => {
  expect(applicable(loadPolicies, workload, machines)).toEqual(loadPolicies);
  const without = ["first-fit", "best-fit-cores", "worse-fit-cores"];
  expect(applicable(loadPolicies, { ...workload, memoryMiB: null }, machines)).toEqual(without);
  expect(applicable(loadPolicies, workload, { ...machines, memoryMiB: null })).toEqual(without);
});
