import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { NONE } from "../../src/core/index.ts";
import { aPoolOf, farmOf, runFarm } from "../../src/simulation/farm.fixture.ts";
import type { Driver } from "../../src/simulation/run/driver.ts";
import type { RunObserver } from "../../src/simulation/run/run-observer.ts";
import { aWorkload } from "../../src/simulation/workload.fixture.ts";
import type { FarmReservation } from "../../src/workload/index.ts";

interface Job {
  readonly submit: number;
  readonly run: number;
  readonly estimate: number;
  readonly cores: number;
  readonly tasks: number;
  readonly user: string;
  readonly group: string;
  readonly project: string;
}

const anyJobs: fc.Arbitrary<Job[]> = fc
  .array(
    fc
      .record({
        submit: fc.nat(80),
        run: fc.integer({ min: 1, max: 30 }),
        more: fc.constantFrom(0, 0, 3, 25),
        cores: fc.constantFrom(1000, 1000, 2000, 4000),
        tasks: fc.constantFrom(1, 1, 1, 2),
        user: fc.constantFrom("ann", "bob", "eve"),
        group: fc.constantFrom("", "red", "blue"),
        project: fc.constantFrom("", "/a", "/a/x"),
      })
      .map(({ more, ...job }) => ({ ...job, estimate: job.run + more })),
    { minLength: 1, maxLength: 40 },
  )
  .map((jobs) => jobs.sort((a, b) => a.submit - b.submit));

const anyReservations = (pools: number, machines: number): fc.Arbitrary<FarmReservation[]> =>
  fc
    .array(
      fc.record({
        pool: fc.nat(pools - 1),
        numbers: fc.uniqueArray(fc.nat(machines - 1), { minLength: 1, maxLength: machines }),
        from: fc.nat(100).map((seconds) => ({ since: "log" as const, seconds })),
        seconds: fc.integer({ min: 1, max: 60 }),
        users: fc.constantFrom([], [], ["ann"], ["ann", "bob"]),
        groups: fc.constantFrom([], [], ["red"]),
        projects: fc.constantFrom([], [], ["/a"]),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((all) =>
      all.map(({ numbers, ...each }, at) => ({
        ...each,
        machines: numbers.map((machine) => `${pools === 1 ? "p" : `p${each.pool}`}-${machine + 1}`),
        name: `r${at}`,
        reason: null,
      })),
    );

const isOfThem = ({ users, groups, projects }: FarmReservation, { user, group, project }: Job): boolean =>
  users.includes(user) ||
  groups.includes(group) ||
  (projects.includes("/a") && (project === "/a" || project.startsWith("/a/")));

/** Whether a job that starts at a time would run, if it takes its whole estimate, while a machine is kept for others. */
function isInTheWay(
  all: readonly FarmReservation[],
  jobs: readonly Job[],
  job: Job,
  pool: number,
  machine: number,
  start: number,
): boolean {
  return all.some((each) => {
    const from = jobs[0].submit + each.from.seconds;
    return (
      each.pool === pool &&
      (each.machines as string[]).some((name) => name.endsWith(`-${machine + 1}`)) &&
      !isOfThem(each, job) &&
      start < from + each.seconds &&
      start + job.estimate > from
    );
  });
}

/** Starts in the order of arrival whatever has room on machines that it may use, second by second. NaN: it never can. */
function byTheBook(
  jobs: readonly Job[],
  cores: readonly number[],
  all: readonly FarmReservation[],
): number[] {
  const starts = jobs.map(() => NaN);
  const free = [...cores];
  const running: { job: Job; on: number[]; end: number }[] = [];
  const most = (job: Job): number => cores.reduce((sum, each) => sum + Math.floor(each / job.cores), 0);
  for (let now = 0; now <= 4000; now++) {
    for (const each of running.filter(({ end }) => end === now)) {
      for (const machine of each.on) free[machine] += each.job.cores;
      running.splice(running.indexOf(each), 1);
    }
    jobs.forEach((job, number) => {
      if (job.submit > now || !Number.isNaN(starts[number]) || most(job) < job.tasks) return;
      const on: number[] = [];
      const left = [...free];
      while (on.length < job.tasks) {
        const machine = left.findIndex(
          (each, at) => each >= job.cores && !isInTheWay(all, jobs, job, 0, at, now),
        );
        if (machine < 0) return;
        left[machine] -= job.cores;
        on.push(machine);
      }
      for (const machine of on) free[machine] -= job.cores;
      running.push({ job, on, end: now + job.run });
      starts[number] = now;
    });
  }
  return starts;
}

const machinesOf = (cores: readonly number[]) => cores.map((each) => ({ coresMilli: each, memoryMiB: 1024 }));

/** Some policies decide by memory. */
const withMemory = (jobs: readonly Job[]) => aWorkload(jobs.map((job) => ({ ...job, memory: 1 })));

const policies = [
  "first-fit",
  "best-fit-cores",
  "max-jobs",
  "lookahead",
  "fcfs",
  "easy",
  "conservative",
  "backfill:2",
];

describe("reservations of a farm's machines", () => {
  it("let start what a plain count allows, in the order of arrival", () => {
    fc.assert(
      fc.property(
        anyJobs,
        fc.array(fc.constantFrom(2000, 4000), { minLength: 3, maxLength: 3 }),
        anyReservations(1, 3),
        (jobs, cores, reservations) => {
          const pool = aPoolOf("p", machinesOf(cores), { policy: "first-fit", reserving: 0 });
          const { startSeconds } = runFarm(aWorkload(jobs), { ...farmOf([pool]), reservations });
          expect(Array.from(startSeconds)).toEqual(byTheBook(jobs, cores, reservations));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each(policies)("keep all others off while they last under %s, and every job runs", (policy) => {
    fc.assert(
      fc.property(
        anyJobs,
        anyReservations(2, 2),
        fc.constantFrom(0, 7),
        fc.boolean(),
        (jobs, reservations, intervalSeconds, hasQueue) => {
          const pools = ["p0", "p1"].map((name) =>
            aPoolOf(name, machinesOf([4000, 4000]), { policy, intervalSeconds }),
          );
          const known = new Set<number>();
          const observe = (driver: Driver): RunObserver => {
            driver.port.onCycle = (pool, now) => {
              const view = driver.view.pools[pool];
              for (const handle of driver.view.jobs) {
                const row = driver.rowOfJob(handle);
                if (view.firstPlace(handle) === NONE || driver.view.jobs.poolOf(handle) !== pool) continue;
                if (known.has(row)) continue;
                known.add(row);
                for (const machine of view.machinesOf(handle))
                  expect(isInTheWay(reservations, jobs, jobs[row], pool, machine, now)).toBe(false);
              }
            };
            return {};
          };
          const farm = { ...farmOf(pools, { virtualPool: { hasQueue } }), reservations };
          const { accounts, result } = runFarm(withMemory(jobs), farm, { seed: 3 }, { observe });
          expect(accounts.length).toBe(jobs.length);
          expect(known.size).toBe(jobs.length);
          expect(result.rejected).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(["easy", "conservative"])("are no reason to break promises made beside them under %s", (policy) => {
    fc.assert(
      fc.property(anyJobs, anyReservations(1, 2), (all, reservations) => {
        const jobs = all.map((job) => ({ ...job, estimate: job.run }));
        const pool = aPoolOf("p", machinesOf([4000, 4000]), { policy });
        let broken: ReadonlyMap<string, number> = new Map();
        const observe = (driver: Driver): RunObserver => {
          driver.port.onCycle = () => {
            broken = driver.port["pools"][0].pool.policy.promised!.broken();
          };
          return {};
        };
        runFarm(aWorkload(jobs), { ...farmOf([pool]), reservations }, {}, { observe });
        expect([...broken]).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
