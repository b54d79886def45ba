import * as fc from "fast-check";
import { expect } from "vitest";

import { strategies, routings } from "../../src/core/index.ts";
import { aPoolOf, farmOf, type JobAccount } from "../../src/simulation/farm.fixture.ts";
import { aWorkload } from "../../src/simulation/workload.fixture.ts";
import type { Farm, MachineGroup } from "../../src/workload/farm/farm.ts";
import type { CodedColumn, Workload } from "../../src/workload/index.ts";

const groups = ["", "red", "blue"];
const requirements = ["", "", "fast", "cores >= 2", 'os == "new"'];
const poolNames = ["p0", "p1", "p2"];

const anyGroup: fc.Arbitrary<MachineGroup> = fc.record({
  count: fc.integer({ min: 1, max: 3 }),
  coresMilli: fc.constantFrom(1000, 2000, 4000),
  memoryMiB: fc.constantFrom(1024, 2048, 4096),
  gpuMilli: fc.constant(null),
  speed: fc.constantFrom(1, 1, 2, 0.5),
  owner: fc.constantFrom(null, null, "red", "blue"),
  attributes: fc.record({ fast: fc.boolean(), os: fc.constantFrom("old", "new") }),
});

const anyPool = (name: string): fc.Arbitrary<Farm["pools"][number]> =>
  fc
    .record({
      groups: fc.array(anyGroup, { minLength: 1, maxLength: 3 }),
      policy: fc.constantFrom(
        "first-fit",
        "best-fit-cores",
        "mix-fit",
        "max-jobs",
        "worse-fit-memory",
        "easy",
      ),
      intervalSeconds: fc.constantFrom(0, 0, 7, 30),
      reserving: fc.constantFrom(Infinity, 0, 1),
      site: fc.constantFrom(0, 0, 1),
    })
    .map(({ groups: machines, ...pool }) => aPoolOf(name, machines, pool));

/** Three small pools at two sites, with owners, kinds of machines and speeds; any strategy, unless one is named. */
export function anyFarm(strategy?: string): fc.Arbitrary<Farm> {
  return fc
    .record({
      pools: fc.tuple(...poolNames.map(anyPool)),
      routing: fc.constantFrom(...routings.map(({ name }) => name)),
      viewAgeSeconds: fc.constantFrom(0, 0, 40),
      transfer: fc.constantFrom(0, 13, 20, 20),
      keepsMemory: fc.boolean(),
      strategy:
        strategy === undefined
          ? fc.constantFrom(...strategies.map(({ name }) => name))
          : fc.constant(strategy),
      waitThresholdSeconds: fc.constantFrom(10, 60),
      maxRestarts: fc.constantFrom(Infinity, 0, 2),
      candidates: fc.constantFrom(null, null, [0]),
      checkpointSeconds: fc.constantFrom(null, null, 20),
      victim: fc.constantFrom("lowest-priority", "last-submitted"),
    })
    .map(({ pools, routing, viewAgeSeconds, transfer, keepsMemory, victim, ...rescheduling }) =>
      farmOf(pools, {
        sites: ["here", "there"],
        transferSeconds: [
          [0, transfer],
          [transfer, 0],
        ],
        virtualPool: { routing, viewAgeSeconds },
        preemption: { keepsMemory, victim },
        rescheduling: { ...rescheduling, checkSeconds: 10 },
      }),
    );
}

/**
 * Jobs of any kind over some minutes, many of few kinds at once, or jobs whose times are multiples of 20 s, so that much
 * happens at the same instant.
 */
export const anyFarmJobs: fc.Arbitrary<Workload> = fc
  .oneof(
    fc.array(
      fc.record({
        submit: fc.nat(8).map((steps) => steps * 20),
        run: fc.integer({ min: 1, max: 6 }).map((steps) => steps * 20),
        cores: fc.constantFrom(1000, 2000, 4000),
        memory: fc.constant(0),
        tasks: fc.constant(1),
        priority: fc.constantFrom(0, 5, 10),
        group: fc.constantFrom("", "red"),
        requires: fc.constant(""),
        pools: fc.constantFrom("", "", "p0"),
      }),
      { minLength: 5, maxLength: 40 },
    ),
    fc.array(
      fc.record({
        submit: fc.nat(60),
        run: fc.integer({ min: 20, max: 60 }),
        cores: fc.constantFrom(1000, 2000),
        memory: fc.constantFrom(0, 1024),
        tasks: fc.constant(1),
        priority: fc.constantFrom(0, 0, 5),
        group: fc.constantFrom("", "red"),
        requires: fc.constantFrom("", "", "fast"),
        pools: fc.constantFrom("", "p0", "p0"),
      }),
      { minLength: 20, maxLength: 60 },
    ),
    fc.array(
      fc.record({
        submit: fc.nat(200),
        run: fc.oneof(fc.nat(120), fc.constantFrom(0, 30, 60)),
        cores: fc.constantFrom(500, 1000, 1000, 2000, 4000),
        memory: fc.constantFrom(0, 512, 1024, 2048),
        tasks: fc.constantFrom(1, 1, 1, 1, 2, 3),
        priority: fc.constantFrom(0, 0, 0, 5, 10),
        group: fc.constantFrom(...groups),
        requires: fc.constantFrom(...requirements),
        pools: fc.constantFrom("", "", "", "p0", "p1; p2"),
      }),
      { minLength: 1, maxLength: 40 },
    ),
  )
  .map((specs) => {
    const jobs = specs.sort((a, b) => a.submit - b.submit);
    const coded = (values: readonly string[]): CodedColumn => {
      const names = [...new Set(values)];
      return { names, codes: Int32Array.from(values, (value) => names.indexOf(value)) };
    };
    return {
      ...aWorkload(jobs),
      priority: Int32Array.from(jobs, ({ priority }) => priority),
      group: coded(jobs.map(({ group }) => group)),
      requires: coded(jobs.map(({ requires }) => requires)),
      pools: coded(jobs.map(({ pools }) => pools)),
    };
  });

/** Checks that the times of a job that has ended add up, and that it has run for as long as it must. */
export function expectWholeTimes(account: JobAccount, workload: Workload, farm: Farm): void {
  const { waitingSeconds, runningSeconds, suspendedSeconds, transferSeconds, lostSeconds } = account;
  const parts = [waitingSeconds, runningSeconds, suspendedSeconds, transferSeconds, lostSeconds];
  for (const part of parts) expect(part).toBeGreaterThanOrEqual(0);
  const time = account.completedSeconds - workload.submitSeconds[account.row];
  expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(time, 6);
  const fastest = Math.max(...farm.pools.flatMap((pool) => pool.groups.map(({ speed }) => speed)));
  expect(runningSeconds).toBeGreaterThanOrEqual(workload.runtimeSeconds[account.row] / fastest - 1e-6);
}
