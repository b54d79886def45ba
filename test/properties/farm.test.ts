import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  heuristics,
  MOVE,
  NONE,
  RESUMING,
  RUNNING,
  STARTING,
  SUSPENDED,
  SUSPENDING,
  WAITING,
  type PoolView,
} from "../../src/core/index.ts";
import { aPoolOf, farmOf, runFarm } from "../../src/simulation/farm.fixture.ts";
import type { Driver } from "../../src/simulation/run/driver.ts";
import type { RunObserver } from "../../src/simulation/run/run-observer.ts";
import { simulate } from "../../src/simulation/index.ts";
import { aFarm, aWorkload } from "../../src/simulation/workload.fixture.ts";
import { askedLicences } from "../../src/workload/index.ts";
import { anyFarm, anyFarmJobs, expectWholeTimes } from "./farms.fixture.ts";
import { anyCase, kinds } from "./workloads.fixture.ts";

describe("a farm of one pool without priorities", () => {
  const policies = [
    ...heuristics.map(({ name }) => name),
    "max-jobs",
    "lookahead",
    "fcfs",
    "easy",
    "conservative",
  ];
  it.each(policies)("has the schedule of a pool: %s", (policy) => {
    fc.assert(
      fc.property(anyCase(kinds.whole), fc.constantFrom(0, 30, 7), ({ machines, jobs }, intervalSeconds) => {
        fc.pre(jobs.length > 0);
        const workload = aWorkload(jobs);
        const groups = machines.map(({ cores, memory }) => ({ coresMilli: cores, memoryMiB: memory ?? 0 }));
        const farm = farmOf([aPoolOf("p", groups, { policy, intervalSeconds })]);
        const { startSeconds } = runFarm(workload, farm);
        const { schedule } = simulate(workload, aFarm(machines), { policy, intervalSeconds });
        expect(Array.from(startSeconds)).toEqual(Array.from(schedule.startSeconds));
      }),
      { numRuns: 25 },
    );
  });
});

describe("on any farm", () => {
  it("every job ends completed or rejected, once, and the parts of its time add up to it", () => {
    fc.assert(
      fc.property(anyFarm(), anyFarmJobs, (farm, workload) => {
        const rejected: number[] = [];
        const { accounts, result } = runFarm(
          workload,
          farm,
          { seed: 3 },
          { observe: () => ({ rejected: (row) => rejected.push(row) }) },
        );
        const rows = [...accounts.map(({ row }) => row), ...rejected].sort((a, b) => a - b);
        expect(rows).toEqual(Array.from({ length: workload.count }, (_, row) => row));
        expect(result.rejected).toBe(rejected.length);
        for (const account of accounts) expectWholeTimes(account, workload, farm);
      }),
      { numRuns: 150 },
    );
  });

  it("jobs hold no more licences than their pool has, suspended or not, and all end that some pool can hold", () => {
    const anyLicences = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 2 }));
    const anyAsked = fc.array(fc.constantFrom("", "", "x", "x=2", "x; y=2", "z"), {
      minLength: 60,
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        anyFarm(),
        anyFarmJobs,
        fc.array(anyLicences, { minLength: 3, maxLength: 3 }),
        anyAsked,
        fc.boolean(),
        (plain, jobs, counts, asked, hasQueue) => {
          const pools = plain.pools.map((pool, number) => ({
            ...pool,
            policy: pool.policy === "easy" ? "fcfs" : pool.policy,
            licences: ["x", "y"].map((name, at) => ({ name, count: counts[number][at] })),
          }));
          const virtualPools = plain.virtualPools.map((each) => ({ ...each, hasQueue }));
          const texts = [...new Set(asked)];
          const codes = Int32Array.from({ length: jobs.count }, (_, row) => texts.indexOf(asked[row]));
          const workload = { ...jobs, licences: { codes, names: texts } };
          const observe = (driver: Driver): RunObserver => {
            driver.port.onCycle = (number) => {
              const { jobs, pools: views } = driver.view;
              const held = new Map<string, number>();
              for (const job of jobs) {
                if (jobs.poolOf(job) !== number || views[number].firstPlace(job) === NONE) continue;
                for (const [name, count] of askedLicences(asked[driver.rowOfJob(job)]))
                  held.set(name, (held.get(name) ?? 0) + count);
              }
              for (const { name, count } of pools[number].licences)
                expect(held.get(name) ?? 0).toBeLessThanOrEqual(count);
              expect(held.has("z")).toBe(false);
            };
            return {};
          };
          const { accounts, result } = runFarm(
            workload,
            { ...plain, pools, virtualPools },
            { seed: 3 },
            { observe },
          );
          expect(accounts.length + result.rejected).toBe(workload.count);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("no job waits that would start if jobs below it on one machine were suspended, and none is suspended by its equal", () => {
    fc.assert(
      fc.property(anyFarm(), anyFarmJobs, (farm, workload) => {
        const observe = (driver: Driver): RunObserver => {
          driver.port.onCycle = (number) => {
            const pool = driver.view.pools[number];
            const rank = ranks(driver, pool);
            for (const victim of pool.cycle.suspended) expectHigherBeside(driver, pool, victim, rank);
            // A job that was suspended and has left since may have made room: the pool's next cycle sees it.
            if (pool.isDirty) return;
            const { policy, reserving } = farm.pools[number];
            expectNobodyHeldUp(driver, number, rank, policy !== "easy" && reserving === 0);
            expectNoneStaysSuspended(driver, number);
          };
          return {};
        };
        runFarm(workload, farm, {}, { observe });
      }),
      { numRuns: 100 },
    );
  });

  it("ResSusUtil moves no job to a pool that is used more", () => {
    fc.assert(
      fc.property(anyFarm("ResSusUtil"), anyFarmJobs, (farm, workload) => {
        const isFresh = farm.virtualPools[0].viewAgeSeconds === 0;
        const observe = (driver: Driver): RunObserver => ({
          decided() {
            const { kind, pool, other } = driver.port.decision;
            if (kind !== MOVE || other === NONE || !isFresh) return;
            const [to, from] = [driver.view.pools[pool], driver.view.pools[other]];
            expect(to.utilization).toBeLessThanOrEqual(from.utilization);
          },
        });
        runFarm(workload, farm, {}, { observe });
      }),
      { numRuns: 150 },
    );
  });

  it("the same seed gives the same run", () => {
    fc.assert(
      fc.property(anyFarm("ResSusWaitRand"), anyFarmJobs, (farm, workload) => {
        const run = (): unknown => runFarm(workload, farm, { seed: 7 }).accounts;
        expect(run()).toEqual(run());
      }),
      { numRuns: 30 },
    );
  });
});

/** A job's rank on a machine: on those of its own group above all others, else its own priority. */
function ranks(driver: Driver, pool: PoolView): (job: number, machine: number) => number {
  const { jobs } = driver.view;
  return (job, machine) => {
    const owner = pool.ownerOfMachine(machine);
    const isOwner = owner !== 0 && owner === jobs.ownerOf(job);
    return (isOwner ? 1000 : 0) + jobs.priorityOf(job);
  };
}

/** Whether a job runs, as far as has been decided; or is suspended. */
function runs(state: number): boolean {
  return state === RUNNING || state === STARTING || state === RESUMING;
}

function isSuspended(state: number): boolean {
  return state === SUSPENDED || state === SUSPENDING;
}

interface Held {
  readonly job: number;
  readonly machine: number;
  readonly tasks: number;
}

function holdings(driver: Driver, number: number): Held[] {
  const { jobs, pools } = driver.view;
  return [...jobs].flatMap((job) => {
    const isThere = runs(jobs.stateOf(job)) || isSuspended(jobs.stateOf(job));
    if (!isThere || jobs.poolOf(job) !== number) return [];
    return pools[number].placementOf(job).map((entry) => ({ job, ...entry }));
  });
}

function expectHigherBeside(
  driver: Driver,
  pool: PoolView,
  victim: number,
  rank: ReturnType<typeof ranks>,
): void {
  if (!isSuspended(driver.view.jobs.stateOf(victim))) return; // it has been moved on
  const gainers = [...pool.cycle.started, ...pool.cycle.resumed];
  const isJust = [...pool.machinesOf(victim)].some((machine) =>
    gainers.some((job) => pool.machinesOf(job).has(machine) && rank(job, machine) > rank(victim, machine)),
  );
  expect(isJust).toBe(true);
}

/** By the definition: every waiting job against every machine it may run on, with all below it there gone. */
function expectNobodyHeldUp(
  driver: Driver,
  number: number,
  rank: ReturnType<typeof ranks>,
  isGreedy: boolean,
): void {
  const { jobs, pools } = driver.view;
  const pool = pools[number];
  const { machines } = pool;
  const held = holdings(driver, number);
  for (const job of jobs) {
    if (jobs.stateOf(job) !== WAITING || jobs.poolOf(job) !== number) continue;
    const room = (machine: number, withoutLower: boolean): number => {
      let cores = machines.capacityCores[machine];
      let memory = machines.capacityMemory[machine];
      for (const each of held) {
        if (each.machine !== machine) continue;
        const isRunning = runs(jobs.stateOf(each.job));
        const isGone = withoutLower && isRunning && rank(each.job, machine) < rank(job, machine);
        if (isRunning && !isGone) cores -= jobs.coresOf(each.job) * each.tasks;
        if (pool.suspendCapability === "cpu-only" || (isRunning && !isGone))
          memory -= jobs.memoryOf(each.job) * each.tasks;
      }
      const byMemory = jobs.memoryOf(job) === 0 ? Infinity : Math.floor(memory / jobs.memoryOf(job));
      return Math.max(0, Math.min(Math.floor(cores / jobs.coresOf(job)), byMemory));
    };
    const allowed = Array.from({ length: machines.count }, (_, machine) => machine).filter((machine) =>
      pool.suits(job, machine),
    );
    const asItIs = allowed.reduce((sum, machine) => sum + room(machine, false), 0);
    if (asItIs >= jobs.tasksOf(job)) {
      // The pool's policy has its reasons, unless it is one that keeps nothing free for anybody.
      expect(isGreedy).toBe(false);
      continue;
    }
    for (const machine of allowed)
      expect(asItIs - room(machine, false) + room(machine, true)).toBeLessThan(jobs.tasksOf(job));
  }
}

/** No job stays suspended that its machines have room for as they are. */
function expectNoneStaysSuspended(driver: Driver, number: number): void {
  const { jobs, pools } = driver.view;
  const pool = pools[number];
  const { machines } = pool;
  const held = holdings(driver, number);
  for (const job of new Set(held.map((each) => each.job))) {
    if (!isSuspended(jobs.stateOf(job))) continue;
    const wanted = new Map<number, number>();
    for (const each of held)
      if (each.job === job) wanted.set(each.machine, (wanted.get(each.machine) ?? 0) + each.tasks);
    const memory = pool.suspendCapability === "cpu-only" ? 0 : jobs.memoryOf(job);
    const fits = [...wanted].every(
      ([machine, n]) => machines.roomFor(machine, jobs.coresOf(job), memory, 0) >= n,
    );
    expect(fits).toBe(false);
  }
}
