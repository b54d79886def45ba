import { describe, expect, it } from "vitest";

import { simulate } from "../../simulation/index.ts";
import { aWorkload, type JobSpec } from "../../simulation/workload.fixture.ts";
import { Draws } from "./draws.ts";
import { anyFarmOf, type FarmRules } from "./farms.fixture.ts";
import { FarmWorld, simulatedJob } from "./farm-world.fixture.ts";
import { VirtualClock } from "../engines/system/virtual-clock.fixture.ts";

const shares = [
  { path: "/a/x", share: 2 },
  { path: "/a/y", share: 1 },
  { path: "/b", share: 3 },
];

const JOBS = 400;
/** Times are whole parts of this, so that sums of them are exact on any clock. */
const PARTS_OF_A_SECOND = 1024;
/** When a farm's clock begins. */
const BEGIN = new VirtualClock().unixSeconds();

/** Jobs that come faster than two pools of two machines can run them, now and then. */
function someJobs(seed: number, cores: readonly number[] = [1000, 1000, 2000, 4000]): JobSpec[] {
  const draws = new Draws(seed);
  const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
  const seconds = (most: number): number => (1 + draws.below(most * PARTS_OF_A_SECOND)) / PARTS_OF_A_SECOND;
  let submit = 0;
  return Array.from({ length: JOBS }, () => {
    submit += seconds(60);
    const run = seconds(300);
    return {
      submit,
      run,
      cores: of(cores),
      memory: of([500, 1000, 3000]),
      estimate: Math.ceil(run * of([1, 2, 5])) + 1,
      priority: of([10, 50, 50, 90]),
      project: of(["", ...shares.map(({ path }) => path)]),
    };
  });
}

/** Machines that are kept for a project or for nobody, for minutes, again and again while the jobs come. */
function someReservations(seed: number): NonNullable<FarmRules["reservations"]> {
  const draws = new Draws(seed);
  const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
  return Array.from({ length: 40 }, (_, at) => {
    const pool = draws.below(2);
    const name = ["one", "two"][pool];
    return {
      name: `r${at}`,
      pool,
      machines: of([[`${name}-1`], [`${name}-2`], null]),
      from: { since: "1970", seconds: BEGIN + draws.below(JOBS * 30) },
      seconds: 30 + draws.below(600),
      users: [],
      groups: [],
      projects: of([[], [], ["/a"], ["/b"]]),
      reason: null,
    };
  });
}

/** When each job first started on a farm that serves, from its submission on. */
async function liveStarts(jobs: readonly JobSpec[], rules: FarmRules): Promise<number[]> {
  const world = new FarmWorld(farmOf(rules));
  await world.start();
  for (const { submit, run, cores, memory, estimate, priority, project } of jobs) {
    const request = simulatedJob({
      cores: cores! / 1000,
      memoryMiB: memory!,
      timeSeconds: estimate!,
      priority: priority!,
      project: project!,
    });
    world.clock.after(submit!, () => {
      void world.service.loop.act((turn) =>
        world.service.submitting.submit(turn, {
          user: "u",
          jobs: [request],
          environment: { CROFT_SIMULATED_SECONDS: String(run) },
          key: null,
        }),
      );
    });
  }
  const begun = world.clock.unixSeconds();
  await world.until(
    "all jobs are over",
    () => world.service.submitting.next > jobs.length && world.service.books.jobs.size === 0,
  );
  expect(world.wrong()).toEqual([]);
  const starts = new Map(
    world.database
      .all("SELECT job, min(started_at) AS at FROM attempt GROUP BY job")
      .map(({ job, at }) => [Number(job), Number(at)]),
  );
  return jobs.map((_, row) => starts.get(row + 1)! - begun);
}

function simulatedStarts(jobs: readonly JobSpec[], rules: FarmRules): number[] {
  const log = { ...aWorkload(jobs), farm: { unixStartSeconds: BEGIN } };
  return [...simulate(log, farmOf(rules)).schedule.startSeconds];
}

async function expectAsSimulated(jobs: readonly JobSpec[], rules: FarmRules): Promise<void> {
  expect(await liveStarts(jobs, rules)).toEqual(simulatedStarts(jobs, rules));
}

function farmOf(rules: FarmRules) {
  const sizes = ["one", "two"].map((name) => ({ name, machines: 2, cores: 4 }));
  return anyFarmOf(sizes, rules);
}

describe("a farm that serves", () => {
  it.each<FarmRules>([
    { policy: "first-fit" },
    { policy: "mix-fit", routing: "utilization" },
    { policy: "easy" },
    { policy: "conservative" },
    { victim: "lowest-priority" },
    { victim: "last-submitted", strategy: "ResSusWaitUtil", waitThresholdSeconds: 100, checkSeconds: 60 },
    { policy: "first-fit", intervalSeconds: 30 },
    { policy: "first-fit", hasQueue: true },
    { policy: "first-fit", shares, usage: { halfLifeSeconds: 3600, of: "cores" } },
    { policy: "easy", shares, usage: { halfLifeSeconds: 60, of: "dominant" }, victim: "lowest-priority" },
    { policy: "fcfs", intervalSeconds: 30, shares, usage: { halfLifeSeconds: 600, of: "memory" } },
    { policy: "mix-fit", shares },
  ])("starts jobs when a simulation does: %o", async (rules) => {
    await expectAsSimulated(someJobs(1), rules);
  });

  it.each(["first-fit", "easy", "conservative", "backfill:2"])(
    "starts jobs beside reservations when a simulation does: %s",
    async (policy) => {
      const jobs = someJobs(2, [1000, 1000, 2000, 3000, 4000]);
      const reservations = someReservations(3);
      await expectAsSimulated(jobs, { policy, reservations });
      // They are in the way of most jobs.
      const without = simulatedStarts(jobs, { policy });
      const beside = simulatedStarts(jobs, { policy, reservations });
      const moved = beside.filter((start, row) => start !== without[row]);
      expect(moved.length).toBeGreaterThan(JOBS / 2);
    },
  );

  /**
   * Here one job at a time is suspended. Of several that make room at one instant an engine's answers come one after
   * the other, with cycles in between; in a simulation they come at once, and the strategy sees the pools as they are
   * then.
   */
  it.each([1, 2, 3, 4])(
    "where jobs take whole machines, suspended ones move as simulated: seed %i",
    async (seed) => {
      const rules: FarmRules = { victim: "lowest-priority", strategy: "ResSusUtil", policy: "easy" };
      await expectAsSimulated(someJobs(seed, [4000]), rules);
    },
  );
});
