import { beforeAll, describe, expect, it } from "vitest";

import { policies } from "../../src/core/index.ts";
import { simulate, type Simulation } from "../../src/simulation/index.ts";
import { readMachines, readWorkload, type Machines, type Workload } from "../../src/workload/index.ts";
import { firstJobs, tracePath, tracesAreMissing, whereTraces } from "./traces.fixture.ts";

/** Log, its farm, and how many jobs are taken from its beginning. */
const logs = [
  ["swf/KTH-SP2-1996-2.1-cln.swf.gz", "1x100c", 28_475],
  ["swf/HPC2N-2002-2.2-cln.swf.gz", "120x2c1g", 4000],
  ["swf/RICC-2010-2.swf.gz", "1024x8c12g", 2000],
  ["swf/alea-wagap-2013.swf.gz", "swf/alea-wagap-2013.swf.machines", 4000],
  ["openb/openb_pod_list_default.csv.gz", "openb/openb_node_list_all_node.csv.gz", 2000],
] as const;

describe.skipIf(tracesAreMissing).each(logs)(
  `%s on %s, the first %d jobs ${whereTraces}`,
  (log, farm, jobs) => {
    let workload: Workload;
    let machines: Machines;
    beforeAll(async () => {
      workload = firstJobs(await readWorkload(tracePath(log)), jobs);
      machines = await readMachines(farm.includes("/") ? tracePath(farm) : farm);
    });

    it.each([null, 0.95])("every policy accounts for every job (load %s)", (load) => {
      const knowsMemory = workload.memoryMiB !== null && machines.memoryMiB !== null;
      const names = [
        ...policies.filter((kind) => knowsMemory || !kind.needsMemory).map((kind) => kind.name),
        knowsMemory ? "easy/mix-fit" : "easy/worse-fit-cores",
      ];
      expect(names.length).toBeGreaterThanOrEqual(knowsMemory ? 15 : 9);
      for (const policy of names) {
        const simulation = simulate(workload, machines, { policy, load }, { keepMachines: true });
        expectSound(policy, workload, machines, simulation);
        if (load !== null) expect(simulation.result.offeredLoad, policy).toBeCloseTo(load, 6);
      }
    });
  },
);

function expectSound(policy: string, workload: Workload, machines: Machines, simulation: Simulation): void {
  const { result, schedule } = simulation;
  expect(result.started + result.rejected, policy).toBe(workload.count);
  expect(result.started, policy).toBeGreaterThan(0.9 * workload.count);
  const rejected = schedule.startSeconds.filter((start) => Number.isNaN(start)).length;
  expect(rejected, policy).toBe(result.rejected);
  expect(
    result.rejections.reduce((sum, reason) => sum + reason.jobs, 0),
    policy,
  ).toBe(rejected);

  const changes: (readonly [time: number, cores: number])[] = [];
  schedule.startSeconds.forEach((start, row) => {
    const ranOn = schedule.machines!.of(row);
    const isSound = Number.isNaN(start)
      ? ranOn.length === 0
      : ranOn.length > 0 && start >= schedule.submitSeconds[row];
    if (!isSound) expect.fail(`${policy}: row ${row} starts at ${start} on ${ranOn.length} machines`);
    if (Number.isNaN(start)) return;
    const cores = workload.coresMilli[row] * (workload.tasks === null ? 1 : workload.tasks[row]);
    changes.push([start, cores], [start + workload.runtimeSeconds[row], -cores]);
  });
  changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const capacity = machines.coresMilli.reduce((sum, cores) => sum + cores, 0);
  let used = 0;
  let most = 0;
  for (const [, cores] of changes) most = Math.max(most, (used += cores));
  expect(most, policy).toBeLessThanOrEqual(capacity);
  expect(most, policy).toBeGreaterThan(0);
}
