import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { NONE } from "../../src/core/index.ts";
import { aPoolOf, farmOf, runFarm } from "../../src/simulation/farm.fixture.ts";
import type { Driver } from "../../src/simulation/run/driver.ts";
import type { RunObserver } from "../../src/simulation/run/run-observer.ts";
import { aWorkload, type JobSpec } from "../../src/simulation/workload.fixture.ts";
import type { Farm, FarmLimit } from "../../src/workload/index.ts";

type Job = Required<Pick<JobSpec, "submit" | "run" | "cores" | "user" | "group">>;

const anyJobs: fc.Arbitrary<Job[]> = fc
  .array(
    fc.record({
      submit: fc.nat(60),
      run: fc.integer({ min: 1, max: 40 }),
      cores: fc.constantFrom(1000, 1000, 2000, 4000),
      user: fc.constantFrom("ann", "bob", "eve"),
      group: fc.constantFrom("", "red", "blue"),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((jobs) => jobs.sort((a, b) => a.submit - b.submit));

const amount = fc.constantFrom(null, null, 1, 2, 4);
const anyLimits: fc.Arbitrary<FarmLimit[]> = fc
  .uniqueArray(
    fc.record({
      of: fc.constantFrom("user" as const, "group" as const),
      name: fc.constantFrom(null, "ann", "red"),
      runningJobs: amount,
      runningCores: amount,
    }),
    { minLength: 1, maxLength: 5, selector: ({ of, name }) => `${of} ${name}` },
  )
  .map((limits) => limits.map((limit) => ({ ...limit, waitingJobs: null, jobsAtOnce: null })));

/** The running jobs that count with a job against a limit, by the definition; null: it holds for others. */
function countsWith(limits: readonly FarmLimit[], limit: FarmLimit, job: Job, other: Job): boolean | null {
  const own = job[limit.of as "user" | "group"];
  if (own === "") return null;
  const isNamed = limits.some(({ of, name }) => of === limit.of && name === own);
  if (limit.name === null ? isNamed : limit.name !== own) return null;
  return other[limit.of as "user" | "group"] === own;
}

function isAllowed(limits: readonly FarmLimit[], job: Job, running: readonly Job[]): boolean {
  return limits.every((limit) => {
    if (countsWith(limits, limit, job, job) === null) return true;
    const all = [...running.filter((other) => countsWith(limits, limit, job, other) === true), job];
    const cores = all.reduce((sum, each) => sum + each.cores / 1000, 0);
    return all.length <= (limit.runningJobs ?? Infinity) && cores <= (limit.runningCores ?? Infinity);
  });
}

/** Starts in the order of arrival whatever has room and is allowed, at every event. NaN: it never can. */
function byTheBook(jobs: readonly Job[], cores: readonly number[], limits: readonly FarmLimit[]): number[] {
  const starts = jobs.map(() => NaN);
  const free = [...cores];
  const running = new Map<number, { machine: number; end: number }>();
  const fits = (job: Job): boolean => isAllowed(limits, job, []) && cores.some((each) => each >= job.cores);
  for (let now = 0; now <= 4000; now++) {
    for (const [job, { machine, end }] of running)
      if (end === now) {
        free[machine] += jobs[job].cores;
        running.delete(job);
      }
    jobs.forEach((job, number) => {
      if (job.submit > now || !Number.isNaN(starts[number]) || !fits(job)) return;
      const machine = free.findIndex((each) => each >= job.cores);
      const others = Array.from(running.keys(), (other) => jobs[other]);
      if (machine < 0 || !isAllowed(limits, job, others)) return;
      free[machine] -= job.cores;
      running.set(number, { machine, end: now + job.run });
      starts[number] = now;
    });
  }
  return starts;
}

const machinesOf = (cores: readonly number[]) => cores.map((each) => ({ coresMilli: each, memoryMiB: 1024 }));

describe("limits of a farm", () => {
  it("lets start what a plain count allows, in the order of arrival", () => {
    fc.assert(
      fc.property(
        anyJobs,
        anyLimits,
        fc.array(fc.constantFrom(2000, 4000), { minLength: 1, maxLength: 3 }),
        (jobs, limits, cores) => {
          const pool = aPoolOf("p", machinesOf(cores), {
            policy: "first-fit",
            intervalSeconds: 0,
            reserving: 0,
          });
          const { startSeconds } = runFarm(aWorkload(jobs), { ...farmOf([pool]), limits });
          expect(Array.from(startSeconds)).toEqual(byTheBook(jobs, cores, limits));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each(["first-fit", "max-jobs", "lookahead", "fcfs", "easy", "conservative", "backfill:2"])(
    "hold in all pools together under %s, and every job runs that they allow at all",
    (policy) => {
      fc.assert(
        fc.property(anyJobs, anyLimits, fc.constantFrom(0, 7), (jobs, limits, intervalSeconds) => {
          const pools = ["p0", "p1"].map((name) =>
            aPoolOf(name, machinesOf([4000, 2000]), { policy, intervalSeconds }),
          );
          const observe = (driver: Driver): RunObserver => {
            driver.port.onCycle = () => {
              const { jobs: present, pools: views } = driver.view;
              const running: Job[] = [];
              for (const job of present)
                if (
                  views.some((view) => view.firstPlace(job) !== NONE && present.poolOf(job) === view.number)
                )
                  running.push(jobs[driver.rowOfJob(job)]);
              running.forEach((job, at) =>
                expect(isAllowed(limits, job, running.toSpliced(at, 1))).toBe(true),
              );
            };
            return {};
          };
          const farm: Farm = { ...farmOf(pools), limits };
          const workload = aWorkload(jobs.map((job) => ({ ...job, memory: 1, estimate: job.run + 3 })));
          const { accounts, result } = runFarm(workload, farm, { seed: 3 }, { observe });
          expect(accounts.length + result.rejected).toBe(jobs.length);
          expect(result.rejected).toBe(jobs.filter((job) => !isAllowed(limits, job, [])).length);
        }),
        { numRuns: 60 },
      );
    },
  );

  it("tells of a promise that its limit broke, and not its machines", () => {
    const ann = { of: "user" as const, name: "ann", runningJobs: 1, runningCores: null };
    const limits = [{ ...ann, waitingJobs: null, jobsAtOnce: null }];
    const brokenUnder = (
      policy: string,
      jobs: readonly (JobSpec & { run: number })[],
    ): object | undefined => {
      const pools = ["a", "b"].map((name) => aPoolOf(name, machinesOf([2000]), { policy }));
      const workload = aWorkload(jobs.map((job) => ({ memory: 1, estimate: job.run, ...job })));
      return runFarm(workload, { ...farmOf(pools), limits }).result.promisesBroken;
    };
    const eve = { submit: 0, run: 20, cores: 2000, user: "eve", pools: "b" };
    const job = { run: 100, cores: 1000, user: "ann", pools: "b" };
    // Both are promised the end of eve's: neither is above a limit before.
    expect(brokenUnder("conservative", [eve, { ...job, submit: 1 }, { ...job, submit: 2 }])).toEqual({
      "above limit": 1,
    });
    // Another starts in the other pool meanwhile.
    const other = { ...job, submit: 5, pools: "a" };
    for (const policy of ["conservative", "easy"])
      expect(brokenUnder(policy, [eve, { ...job, submit: 1 }, other])).toEqual({ "above limit": 1 });
  });

  it("lets others have the room of a job that is above a limit since a job started in another pool", () => {
    const pools = ["a", "b"].map((name) => aPoolOf(name, machinesOf([2000]), { policy: "easy" }));
    const ann = { of: "user" as const, name: "ann", runningJobs: 2, runningCores: null };
    const limits = [{ ...ann, waitingJobs: null, jobsAtOnce: null }];
    const workload = aWorkload([
      { submit: 0, run: 100, cores: 1000, user: "eve", pools: "b" },
      { submit: 1, run: 50, cores: 2000, user: "ann", pools: "b" },
      { submit: 2, run: 200, cores: 1000, user: "bob", pools: "b" },
      { submit: 3, run: 500, cores: 1000, user: "ann", pools: "a" },
      { submit: 4, run: 500, cores: 1000, user: "ann", pools: "a" },
    ]);
    const { startSeconds } = runFarm(workload, { ...farmOf(pools), limits });
    expect(Array.from(startSeconds)).toEqual([0, 503, 4, 3, 4]);
  });
});
