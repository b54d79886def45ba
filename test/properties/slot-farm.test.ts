import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseFamily, simulate, type PackingChoice, type Simulation } from "../../src/simulation/index.ts";
import { aFarm, aWorkload } from "../../src/simulation/workload.fixture.ts";
import { runSlotFarm, type SlotJob } from "./slot-farm-by-the-book.fixture.ts";

const queues = ["other", "ams", "cms"];
const anyJobs = fc.array(
  fc.record({ runtime: fc.integer({ min: 1, max: 60 }), family: fc.constantFrom(0, 0, 0, 1, 1, 2) }),
  { minLength: 1, maxLength: 60, size: "max" },
);
const anyFarm = fc.record({ nodes: fc.integer({ min: 1, max: 5 }), slots: fc.integer({ min: 1, max: 4 }) });
const anyPolicy = fc.constantFrom("relaxed" as const, "exclusive" as const, "none" as const);
const anyQueue = fc.option(fc.integer({ min: 1, max: 40 }));
const anyTtl = fc.constantFrom(0, 1, 10, 30, 1e9, Infinity);

function simulated(
  jobs: readonly SlotJob[],
  farm: { nodes: number; slots: number },
  policy: PackingChoice["policy"],
  ttlSeconds: number,
  queuedJobs: number | null = null,
): Simulation {
  const workload = aWorkload(jobs.map(({ runtime, family }) => ({ run: runtime, queue: queues[family] })));
  const families = [1, 2]
    .filter((family) => jobs.some((job) => job.family === family))
    .map((family) => parseFamily(`queue=${queues[family]}`));
  return simulate(
    workload,
    aFarm(Array.from({ length: farm.nodes }, () => ({ cores: farm.slots * 1000 }))),
    {
      policy: "worse-fit-cores",
      clock: "order",
      queuedJobs,
      pictures: true,
      packing: { policy, ttlSeconds, families },
    },
    { keepMachines: true },
  );
}

const withFamilies = (jobs: readonly SlotJob[]): boolean => jobs.some(({ family }) => family > 0);

describe("the slot farm under the order-driven clock", () => {
  it("starts the jobs that the paper's tables start, at the same times on the same nodes", () => {
    fc.assert(
      fc.property(anyJobs, anyFarm, anyPolicy, anyTtl, anyQueue, (jobs, farm, policy, ttlSeconds, queue) => {
        fc.pre(withFamilies(jobs));
        const queued = queue ?? farm.nodes;
        const expected = runSlotFarm(jobs, { ...farm, families: 2, policy, ttlSeconds, queued });
        const { schedule } = simulated(jobs, farm, policy, ttlSeconds, queue);
        expect(Array.from(schedule.startSeconds)).toEqual(expected.start);
        expect(jobs.map((_, row) => schedule.machines!.of(row)[0])).toEqual(expected.node);
      }),
      { numRuns: 150 },
    );
  });

  it("keeps F and L consistent, and no ordinary job ever starts on a node that is reserved", () => {
    fc.assert(
      fc.property(anyJobs, anyFarm, anyPolicy, anyTtl, (jobs, farm, policy, ttlSeconds) => {
        fc.pre(withFamilies(jobs));
        const { schedule, result } = simulated(jobs, farm, policy, ttlSeconds);
        const { startSeconds, machines } = schedule;
        const end = (row: number): number => startSeconds[row] + jobs[row].runtime;
        const onNode = (node: number, time: number): number[] =>
          [...jobs.keys()].filter(
            (row) => machines!.of(row)[0] === node && startSeconds[row] <= time && end(row) > time,
          );
        for (const row of jobs.keys()) {
          const [node] = machines!.of(row);
          const now = startSeconds[row];
          expect(onNode(node, now).length).toBeLessThanOrEqual(farm.slots);
          if (policy !== "exclusive" || ttlSeconds !== Infinity || jobs[row].family > 0) continue;
          // Those that were there before it: of several that start at once none can be told to be first.
          const before = onNode(node, now).filter((other) => startSeconds[other] < now);
          expect(before.every((other) => jobs[other].family === 0)).toBe(true);
        }
        const { packingIndexMean, fillFactorMean, idleNodesMean, series, farmFrames, energy } = result;
        for (const value of [
          packingIndexMean ?? 0,
          fillFactorMean!,
          ...series.packingIndex!.filter((each) => !Number.isNaN(each)),
        ]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
        }
        expect(idleNodesMean).toBeLessThanOrEqual(farm.nodes + 1e-9);
        expect(energy).toBeUndefined();
        expect([farmFrames!.nodes, farmFrames!.slots]).toEqual([farm.nodes, farm.slots]);
      }),
      { numRuns: 80 },
    );
  });

  it("by its tables: rows of L add up to its row 0, which is the busy slots of F", () => {
    fc.assert(
      fc.property(anyJobs, anyFarm, anyPolicy, anyTtl, (jobs, farm, policy, ttlSeconds) => {
        const settings = { ...farm, families: 2, policy, ttlSeconds, queued: farm.nodes };
        runSlotFarm(jobs, settings, (F, L, reservedTo) => {
          for (let node = 0; node < farm.nodes; node++) {
            expect(L[0][node]).toBe(F.filter((row) => row[node] > 0).length);
            expect(L[1][node] + L[2][node]).toBeLessThanOrEqual(L[0][node]);
            if (reservedTo[node] > 0) expect(L[reservedTo[node]][node]).toBeGreaterThan(0);
          }
        });
      }),
      { numRuns: 30 },
    );
  });

  it("with a time to live of 0 is relaxed, and without end exclusive, job by job", () => {
    fc.assert(
      fc.property(anyJobs, anyFarm, (jobs, farm) => {
        fc.pre(withFamilies(jobs));
        const placed = (policy: PackingChoice["policy"], ttlSeconds: number): unknown => {
          const { schedule } = simulated(jobs, farm, policy, ttlSeconds);
          return jobs.map((_, row) => [schedule.startSeconds[row], schedule.machines!.of(row)]);
        };
        expect(placed("exclusive", 0)).toEqual(placed("relaxed", 0));
        expect(placed("exclusive", 1e9)).toEqual(placed("exclusive", Infinity));
      }),
      { numRuns: 60 },
    );
  });

  it("refuses what is no farm of equal nodes and no job of one slot", () => {
    const packing = { policy: "relaxed" as const, ttlSeconds: 0, families: [parseFamily("queue=ams")] };
    const settings = { policy: "first-fit", clock: "order" as const, packing };
    const one = aWorkload([{ queue: "ams" }]);
    const farm = aFarm([{ cores: 2000 }, { cores: 2000 }]);
    expect(() => simulate(one, aFarm([{ cores: 2000 }, { cores: 1000 }]), settings)).toThrow(/equal nodes/);
    expect(() => simulate(one, aFarm([{ cores: 2000, memory: 1 }]), settings)).toThrow(/equal nodes/);
    expect(() => simulate(aWorkload([{ queue: "ams", cores: 2000 }]), farm, settings)).toThrow(/one slot/);
    expect(() => simulate(aWorkload([{ queue: "ams", tasks: 2 }]), farm, settings)).toThrow(/one slot/);
    expect(simulate(aWorkload([]), farm, settings).result.jobs).toBe(0);
  });
});
