import { describe, expect, it } from "vitest";

import { simulate } from "../../simulation/index.ts";
import type { FarmReservation } from "../../workload/index.ts";
import { pastJobOf, workloadOf } from "../store/history.ts";
import { findJob } from "../store/job-views.ts";
import { reservationWrite } from "../store/reservations.ts";
import { Farm } from "./farm.fixture.ts";
import { anyFarmOf, type PoolSize } from "./farms.fixture.ts";

const one: readonly PoolSize[] = [{ name: "one", machines: 1, cores: 8 }];

/** For ann, from so many seconds after the epoch of the test's clock on. */
function reservation(from: number, more: Partial<FarmReservation> = {}): FarmReservation {
  return {
    name: "disks",
    pool: 0,
    machines: null,
    from: { since: "1970", seconds: from },
    seconds: 60,
    users: ["ann"],
    groups: [],
    projects: [],
    reason: null,
    ...more,
  };
}

describe("reservations of a farm that runs", () => {
  it.each(["round-robin", "utilization", "combined"])(
    "%s: send nobody to a pool that is kept for others, while another is there",
    async (routing) => {
      const two: readonly PoolSize[] = ["one", "two"].map((name) => ({ name, machines: 2, cores: 8 }));
      const begin = (await Farm.of(two)).world.clock.unixSeconds();
      const of = (pool: number, from: number) =>
        reservation(Math.floor(begin) + from, { name: `r${pool}`, pool });
      const farm = await Farm.of(two, { routing, reservations: [of(0, 0)] });
      for (let job = 1; job <= 4; job++) await farm.submit(10, { cores: 2 }, { user: "bob" });
      await farm.submit(10, { cores: 2 }, { user: "ann" });
      await farm.pass(2);
      const poolOf = (job: number) => findJob(farm.world.database, job)!.pool;
      expect([1, 2, 3, 4].map(poolOf)).toEqual(["two", "two", "two", "two"]);
      // Once that is over it takes its turn again.
      await farm.pass(90);
      for (let job = 6; job <= 9; job++)
        await farm.submit(10, { cores: 8, timeSeconds: 20 }, { user: "bob" });
      await farm.pass(2);
      expect(new Set([6, 7, 8, 9].map(poolOf))).toEqual(new Set(["one", "two"]));
      // Where all are kept for others the job waits for one of them.
      const all = await Farm.of(two, { routing, reservations: [of(0, 0), of(1, 0)] });
      await all.submit(10, {}, { user: "bob" });
      await all.pass(100);
      expect(all.state(1)).toBe("ended");
    },
  );

  it("are told each with its own machines", async () => {
    const pools: readonly PoolSize[] = [{ name: "one", machines: 3, cores: 8 }];
    const begin = Math.floor((await Farm.of(pools)).world.clock.unixSeconds());
    const reservations = [
      reservation(begin, { name: "later", machines: ["one-3"], seconds: 600 }),
      reservation(begin - 10, { name: "soon", machines: ["one-1", "one-2"], seconds: 300 }),
    ];
    const farm = await Farm.of(pools, { reservations });
    await farm.submit(10, {}, { user: "bob" });
    await farm.pass(2);
    const { books, explaining } = farm.world.service;
    const asked = explaining.explain(books.jobs.get(1)!);
    await farm.pass(1);
    expect((await asked)?.waits?.reasons).toMatchObject([
      { kind: "reserved", reservation: "soon", machines: 2, untilSeconds: begin + 290 },
      { kind: "reserved", reservation: "later", machines: 1, untilSeconds: begin + 600 },
    ]);
  });

  it.each(["first-fit", "max-jobs", "easy", "conservative", "backfill:2"])(
    "%s: keep others off whose limits reach into them, through crashes, and say so",
    async (policy) => {
      const begin = (await Farm.of(one)).world.clock.unixSeconds();
      const from = Math.floor(begin) + 40;
      const rules = { policy, reservations: [reservation(from)] };
      const farm = await Farm.of(one, rules);
      const states = (): string[] => [1, 2, 3, 4].map((job) => farm.state(job));
      for (const [seconds, timeSeconds, user] of [
        [20, 20, "bob"],
        [20, 100, "bob"],
        [20, null, "bob"],
        [70, 70, "ann"],
      ] as const)
        await farm.submit(seconds, { cores: 2, timeSeconds }, { user });
      await farm.pass(2);
      expect(states()).toEqual(["running", "waiting", "waiting", "running"]);
      const { books, explaining } = farm.world.service;
      const asked = explaining.explain(books.jobs.get(2)!);
      await farm.pass(1);
      const answer = await asked;
      expect(answer?.dominant).toEqual({
        token: "reserved",
        sentence: "its limit reaches into the reservation disks of 1 machine",
      });
      expect(answer?.waits?.reasons?.[0]).toMatchObject({
        kind: "reserved",
        reservation: "disks",
        fromSeconds: from,
        hasBegun: false,
      });
      const without = explaining.explain(books.jobs.get(3)!);
      await farm.pass(1);
      expect((await without)?.dominant?.sentence).toBe(
        "it has no time limit (--time), and so does not start before the reservation disks of 1 machine is over",
      );
      farm.world.die();
      await farm.world.start();
      await farm.pass(50);
      expect(states()).toEqual(["ended", "waiting", "waiting", "running"]);
      farm.world.die();
      await farm.world.start();
      await farm.pass(60);
      expect(states()).toEqual(["ended", "running", "running", "ended"]);
      for (const job of [2, 3])
        expect(Date.parse(findJob(farm.world.database, job)!.startedAt!) / 1000).toBeGreaterThanOrEqual(
          from + 60,
        );
      await farm.pass(30);
      expect(farm.world.wrong()).toEqual([]);
      // What ran, simulated with the same reservations, starts at the same times.
      const jobs = [1, 2, 4].map((job) => findJob(farm.world.database, job)!);
      const log = workloadOf(jobs.map(pastJobOf), "history", null);
      const { schedule } = simulate(log, anyFarmOf(one, rules));
      const start = log.farm?.unixStartSeconds ?? 0;
      for (const [row, { startedAt }] of jobs.entries())
        expect(start + schedule.startSeconds[row]).toBeCloseTo(Date.parse(startedAt!) / 1000, -1);
    },
  );

  it("may come and go with a farm's file that is read again; what runs runs on", async () => {
    const farm = await Farm.of(one);
    await farm.submit(50, { cores: 2, timeSeconds: 50 }, { user: "bob" });
    await farm.pass(1);
    farm.world.die();
    const now = Math.floor(farm.world.clock.unixSeconds());
    farm.world.changeFarm(anyFarmOf(one, { reservations: [reservation(now - 5, { seconds: 1000 })] }));
    await farm.world.start();
    await farm.submit(5, { cores: 2, timeSeconds: 5 }, { user: "bob" });
    await farm.submit(5, { cores: 2, timeSeconds: 5 }, { user: "ann" });
    await farm.pass(2);
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["running", "waiting", "running"]);
    farm.world.die();
    farm.world.changeFarm(anyFarmOf(one));
    await farm.world.start();
    await farm.pass(2);
    expect(farm.state(2)).toBe("running");
    // The journal leads to the same decisions.
    farm.world.die();
    await farm.world.start();
    await farm.pass(60);
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["ended", "ended", "ended"]);
  });

  it("are refused where they cannot be: a time after a log, a machine that there is not, a policy without a planner", async () => {
    const after = reservation(5, { from: { since: "log", seconds: 5 } });
    await expect(Farm.of(one, { reservations: [after] })).rejects.toThrow("begins at a date");
    const other = reservation(5, { machines: ["two-1"] });
    await expect(Farm.of(one, { reservations: [other] })).rejects.toThrow(
      "the pool has no machine two-1: it has one",
    );
    await expect(Farm.of(one, { policy: "easy-sjbf", reservations: [reservation(5)] })).rejects.toThrow(
      "does not know of the farm's reservations",
    );
  });

  it("made while it runs do what those of its file do, and what has gone of their machines is left out", async () => {
    const two: readonly PoolSize[] = [{ name: "one", machines: 2, cores: 8 }];
    const starts = async (isMade: boolean): Promise<(string | null)[]> => {
      const world = await Farm.of(two, { policy: "easy" });
      const { world: farm } = world;
      const now = Math.floor(farm.clock.unixSeconds());
      farm.die();
      const window = { from: { since: "1970", seconds: now + 30 }, machines: ["one-1"] } as const;
      if (isMade)
        farm.database.commit([
          reservationWrite({
            name: "disks",
            pool: "one",
            machines: ["one-1", "gone"],
            fromSeconds: now + 30,
            untilSeconds: now + 90,
            users: ["ann"],
            groups: [],
            projects: [],
            reason: null,
            actor: "olga",
          }),
          reservationWrite({
            name: "elsewhere",
            pool: "gone",
            machines: null,
            fromSeconds: now,
            untilSeconds: now + 1e6,
            users: [],
            groups: [],
            projects: [],
            reason: null,
            actor: "olga",
          }),
        ]);
      else farm.changeFarm(anyFarmOf(two, { policy: "easy", reservations: [reservation(0, window)] }));
      await farm.start();
      for (const [seconds, cores, user] of [
        [20, 8, "bob"],
        [50, 8, "bob"],
        [40, 8, "bob"],
        [40, 4, "ann"],
        [10, 8, "bob"],
      ] as const)
        await world.submit(seconds, { cores, timeSeconds: seconds }, { user });
      for (let second = 0; second < 200; second++) {
        await world.pass(1);
        if (second !== 60) continue;
        // The journal leads to the same decisions.
        farm.die();
        await farm.start();
      }
      return [1, 2, 3, 4, 5].map((job) => findJob(farm.database, job)!.startedAt);
    };
    const made = await starts(true);
    expect(made).not.toContain(null);
    expect(made).toEqual(await starts(false));
  });
});
