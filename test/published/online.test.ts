import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { simulate } from "../../src/simulation/index.ts";
import { readMachines, readWorkload } from "../../src/workload/index.ts";
import { tracePath, tracesAreMissing, whereTraces } from "./traces.fixture.ts";
import { register } from "../../src/research/register.ts";

register();

/** `matched or beaten` allows this much. */
const TOLERANCE = 1.05;

const results = tracesAreMissing
  ? []
  : readFileSync(tracePath("reference/online/results.csv"), "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));

/** Those that come out job for job as the reference's. */
const exact = new Set(["FCFS", "Greedy *", "GreedyPM */per/MVT", "MCB */per/MVT"]);

describe.skipIf(tracesAreMissing)(`the online simulator of the slides' authors ${whereTraces}`, () => {
  it.each(results)("%s on %s nodes, penalty %s s, %s", async (trace, nodes, penalty, policy, ...figures) => {
    const [stretchMean, stretchMax, pauses, migrations] = figures.map(Number);
    const workload = await readWorkload(tracePath(`reference/online/${trace}`), { format: "tasks" });
    const machines = await readMachines(`${nodes}x4c`);
    const { result } = simulate(workload, machines, { policy: policy, penaltySeconds: Number(penalty) });
    expect(result.stretchMean!).toBeLessThanOrEqual(stretchMean * TOLERANCE);
    expect(result.stretchMax!).toBeLessThanOrEqual(stretchMax * TOLERANCE);
    expect(result.stretchBound!).toBeLessThanOrEqual(result.stretchMax!);
    if (!exact.has(policy)) return;
    expect(result.stretchMean).toBeCloseTo(stretchMean, 1);
    expect(result.stretchMax).toBeCloseTo(stretchMax, 1);
    expect([result.pauses, result.migrations]).toEqual([pauses, migrations]);
  });
});
