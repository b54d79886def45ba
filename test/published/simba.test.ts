import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { presets, simulate } from "../../src/simulation/index.ts";
import { readMachines, readWorkload } from "../../src/workload/index.ts";
import { traceLines, tracePath, tracesAreMissing, whereTraces } from "./traces.fixture.ts";

const simba = presets.find(({ name }) => name === "simba")!;

/** Policy, published mean wait in seconds. */
const published = [
  ["first-fit", 230.044],
  ["best-fit-memory", 190.289],
  ["worse-fit-memory", 265.679],
  ["best-fit-cores", 232.424],
  ["worse-fit-cores", 333.949],
] as const;

describe.skipIf(tracesAreMissing)(`schedules of the thesis's own simulator ${whereTraces}`, () => {
  it.each(published)("%s: every job's wait and machine are equal", async (policy, waitMeanSeconds) => {
    const workload = await readWorkload(tracePath("reference/simba/jobs.netbatch.csv.gz"), simba.workload);
    const machines = await readMachines(tracePath("reference/simba/machines.csv"), simba.machines);
    const { schedule, result } = simulate(
      workload,
      machines,
      { ...simba.settings, intervalSeconds: 30, policy },
      { keepMachines: true },
    );
    const rows = Array.from(schedule.startSeconds, (start, row) => {
      const ran = schedule.machines!.of(row).map((machine) => machines.ids[machine]);
      return `${row + 1},${start - schedule.submitSeconds[row]},${ran.join(";")}`;
    });
    const [header, ...expected] = traceLines(`reference/simba/${policy}.csv.gz`);
    expect(header).toBe("job,wait,machine");
    expect(expected).toHaveLength(6000);
    expect(rows).toEqual(expected);
    expect(result.waitMeanSeconds).toBeCloseTo(waitMeanSeconds, 2);
  });

  it("its machine list has no header and gives memory in GB", async () => {
    const machines = await readMachines(tracePath("reference/simba/machines.csv"), simba.machines);
    const [id, cores, memory] = readFileSync(tracePath("reference/simba/machines.csv"), "utf8")
      .split(/\s/)[0]
      .split(",");
    expect([machines.ids[0], machines.coresMilli[0], machines.memoryMiB![0]]).toEqual([
      id,
      Number(cores) * 1000,
      Number(memory) * 1024,
    ]);
  });
});
