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
  type PoolManager,
} from "../../src/core/index.ts";
import { FREE } from "../../src/core/jobs/job-states.ts";
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
            driver.engine.onCycle = ({ number }) => {
              const { engineJobs } = driver.engine;
              const held = new Map<string, number>();
              for (let job = 0; job < engineJobs.state.length; job++) {
                if (engineJobs.pool[job] !== number || engineJobs.state[job] === FREE) continue;
                if (engineJobs.jobs.placement[job] === NONE) continue;
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
          driver.engine.onCycle = (pool) => {
            const { number } = pool;
            const rank = ranks(driver, pool);
            for (const victim of pool.outcome.suspended) expectHigherBeside(driver, pool, victim, rank);
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
            const { kind, pool, other } = driver.engine.decision;
            if (kind !== MOVE || other === NONE || !isFresh) return;
            const [to, from] = [driver.engine.pools[pool], driver.engine.pools[other]];
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
function ranks(driver: Driver, pool: PoolManager): (job: number, machine: number) => number {
  const { engineJobs: farmJobs } = driver.engine;
  return (job, machine) => {
    const owner = pool.groups.ownerOf[pool.pool.machines.groupOf[machine]];
    const isOwner = owner !== 0 && owner === farmJobs.jobs.ownerOf(job);
    return (isOwner ? 1000 : 0) + farmJobs.priority[job];
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

function holdings(driver: Driver, pool: PoolManager, number: number): Held[] {
  const { engineJobs: farmJobs } = driver.engine;
  const { placements } = pool.pool;
  const held: Held[] = [];
  for (let job = 0; job < farmJobs.state.length; job++) {
    const isThere = runs(farmJobs.state[job]) || isSuspended(farmJobs.state[job]);
    if (!isThere || farmJobs.pool[job] !== number) continue;
    for (let entry = farmJobs.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      held.push({ job, machine: placements.machineOf(entry), tasks: placements.tasksOf(entry) });
  }
  return held;
}

function machinesOf(driver: Driver, pool: PoolManager, job: number): number[] {
  const found: number[] = [];
  const { placements } = pool.pool;
  for (
    let entry = driver.engine.engineJobs.jobs.placement[job];
    entry !== NONE;
    entry = placements.after(entry)
  )
    found.push(placements.machineOf(entry));
  return found;
}

function expectHigherBeside(
  driver: Driver,
  pool: PoolManager,
  victim: number,
  rank: ReturnType<typeof ranks>,
): void {
  if (!isSuspended(driver.engine.engineJobs.state[victim])) return; // it has been moved on
  const gainers = [...pool.outcome.started, ...pool.outcome.resumed];
  const isJust = machinesOf(driver, pool, victim).some((machine) =>
    gainers.some(
      (job) => machinesOf(driver, pool, job).includes(machine) && rank(job, machine) > rank(victim, machine),
    ),
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
  const { engine } = driver;
  const { engineJobs: farmJobs } = engine;
  const { jobs } = farmJobs;
  const pool = engine.pools[number];
  const { machines } = pool.pool;
  const held = holdings(driver, pool, number);
  for (let job = 0; job < farmJobs.state.length; job++) {
    if (farmJobs.state[job] !== WAITING || farmJobs.pool[job] !== number) continue;
    const room = (machine: number, withoutLower: boolean): number => {
      let cores = machines.capacityCores[machine];
      let memory = machines.capacityMemory[machine];
      for (const each of held) {
        if (each.machine !== machine) continue;
        const isRunning = runs(farmJobs.state[each.job]);
        const isGone = withoutLower && isRunning && rank(each.job, machine) < rank(job, machine);
        if (isRunning && !isGone) cores -= jobs.coresOf(each.job) * each.tasks;
        if (pool.suspendCapability === "cpu-only" || (isRunning && !isGone))
          memory -= jobs.memoryOf(each.job) * each.tasks;
      }
      const byMemory = jobs.memoryOf(job) === 0 ? Infinity : Math.floor(memory / jobs.memoryOf(job));
      return Math.max(0, Math.min(Math.floor(cores / jobs.coresOf(job)), byMemory));
    };
    const allowed = Array.from({ length: machines.count }, (_, machine) => machine).filter((machine) =>
      pool.pool.allowed.suitsKind(jobs.kind[job], machine),
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
  const { engineJobs: farmJobs, pools } = driver.engine;
  const { jobs } = farmJobs;
  const pool = pools[number];
  const { machines } = pool.pool;
  const held = holdings(driver, pool, number);
  for (const job of new Set(held.map((each) => each.job))) {
    if (!isSuspended(farmJobs.state[job])) continue;
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
