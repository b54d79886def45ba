import { describe, expect, it } from "vitest";

import type { Farm as FarmFile } from "../../workload/index.ts";
import { simulate } from "../../simulation/index.ts";
import { pastJobOf, workloadOf } from "../store/history.ts";
import { findJob } from "../store/job-views.ts";
import { Farm } from "./farm.fixture.ts";
import { anyFarmOf, type PoolSize } from "./farms.fixture.ts";

const two: readonly PoolSize[] = [
  { name: "one", machines: 1, cores: 8 },
  { name: "two", machines: 1, cores: 8 },
];

type Limit = NonNullable<FarmFile["limits"]>[number];

function limit(of: Limit["of"], name: string | null, more: Partial<Limit>): Limit {
  return { of, name, runningJobs: null, runningCores: null, waitingJobs: null, jobsAtOnce: null, ...more };
}

describe("limits of a farm that runs", () => {
  const limits = [limit("user", null, { runningCores: 6 }), limit("user", "bob", { runningJobs: 1 })];

  it.each(["first-fit", "max-jobs", "easy", "conservative", "backfill:2"])(
    "%s: hold in all pools together, through a crash, and a job above one is told so",
    async (policy) => {
      const farm = await Farm.of(two, { limits, policy });
      const states = (): string[] => [1, 2, 3, 4, 5].map((job) => farm.state(job));
      for (const [seconds, cores, user] of [
        [100, 4, "ann"],
        [100, 4, "ann"],
        [30, 2, "ann"],
        [100, 8, "bob"],
        [10, 1, "bob"],
      ] as const) {
        await farm.submit(seconds, { cores, timeSeconds: seconds }, { user });
        await farm.pass(1);
      }
      await farm.pass(1);
      // The fourth has a pool for itself: who waits for a limit keeps no machine from others.
      expect(states()).toEqual(["running", "waiting", "running", "running", "waiting"]);
      farm.world.die();
      await farm.world.start();
      await farm.pass(5);
      expect(states()).toEqual(["running", "waiting", "running", "running", "waiting"]);
      const { books, explaining } = farm.world.service;
      const answers = [2, 5].map((job) => explaining.explain(books.jobs.get(job)!));
      await farm.pass(1);
      const [second, fifth] = await Promise.all(answers);
      expect(second?.waits?.reasons?.[0]).toEqual({
        kind: "limit",
        of: "user",
        name: "ann",
        what: "cores",
        asked: 4,
        inUse: 6,
        most: 6,
      });
      expect(second?.dominant).toEqual({
        token: "limit",
        sentence: "above ann's limit of 6 cores: 6 are in use, and it asks for 4",
      });
      expect(fifth?.dominant?.sentence).toBe("above bob's limit of 1 job: 1 runs");
      await farm.pass(30);
      expect(states()).toEqual(["running", "waiting", "ended", "running", "waiting"]);
      await farm.pass(64);
      expect(states()).toEqual(["ended", "running", "ended", "ended", "running"]);
      await farm.pass(110);
      expect(farm.world.wrong()).toEqual([]);
      // What ran, simulated with the same limits, starts at the same times.
      const jobs = [1, 2, 3, 4, 5].map((job) => findJob(farm.world.database, job)!);
      const { schedule } = simulate(
        workloadOf(jobs.map(pastJobOf), "history", null),
        anyFarmOf(two, { limits, policy }),
      );
      const started = jobs.map(({ startedAt }) => Date.parse(startedAt!) / 1000);
      for (const row of started.keys())
        expect(schedule.startSeconds[row]).toBeCloseTo(started[row] - Math.floor(started[0]), 0);
    },
  );

  it("that a job can never meet have it rejected, with whose limit it is", async () => {
    const farm = await Farm.of(two, { limits });
    expect(await farm.submit(1, { cores: 7 })).toMatchObject({
      state: "rejected",
      reason: "asks for 7 cores, above ann's limit of 6 cores",
    });
  });

  it("may come with a farm's file that is read again: what is there counts", async () => {
    const farm = await Farm.of(two);
    await farm.submit(50, { cores: 2 });
    await farm.submit(50, { cores: 8 });
    await farm.submit(50, { cores: 4 });
    await farm.submit(50, { cores: 4 });
    await farm.pass(1);
    expect([1, 2, 3, 4].map((job) => farm.state(job))).toEqual(["running", "running", "running", "waiting"]);
    await farm.submit(50, { cores: 1, hold: true });
    farm.world.die();
    farm.world.changeFarm(anyFarmOf(two, { limits: [limit("user", "ann", { runningJobs: 1 })] }));
    await farm.world.start();
    await farm.act("release", 5);
    await farm.pass(55);
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["ended", "ended", "ended"]);
    expect([4, 5].map((job) => farm.state(job)).sort()).toEqual(["running", "waiting"]);
    // The journal leads to the same decisions.
    farm.world.die();
    await farm.world.start();
    await farm.pass(50);
    expect([4, 5].map((job) => farm.state(job)).sort()).toEqual(["ended", "running"]);
  });

  it("of what waits and of one submission refuse what is above them, in words", async () => {
    const farm = await Farm.of([two[0]], {
      limits: [
        limit("user", null, { waitingJobs: 3, jobsAtOnce: 2 }),
        limit("project", "/cpu", { waitingJobs: 1 }),
      ],
      shares: [{ path: "/cpu/a", share: 1 }],
    });
    await farm.submit(100, { cores: 8 });
    await farm.pass(1);
    for (let job = 2; job <= 4; job++) await farm.submit(100, { cores: 8, hold: job === 3 });
    await expect(farm.submit(1)).rejects.toThrow(
      "above ann's limit of 3 waiting jobs: 3 wait, and this would be one more",
    );
    await farm.submit(1, { cores: 8, project: "/cpu/a" }, { user: "bob" });
    await expect(farm.submit(1, { project: "/cpu/a" }, { user: "eve" })).rejects.toThrow(
      "above the limit of project /cpu of 1 waiting job: 1 waits, and this would be one more",
    );
    farm.world.die();
    await farm.world.start();
    await expect(farm.submit(1)).rejects.toThrow("above ann's limit of 3 waiting jobs");
    await farm.act("cancel", 2);
    await farm.submit(1);
    await expect(farm.submit(1)).rejects.toThrow("above ann's limit");
  });

  it("of what is stored count commands, and each environment once, over a restart too", async () => {
    const farm = await Farm.of([two[0]], { limits: [limit("user", null, { storedMiB: 1 })] });
    await farm.submit(100, { cores: 8 });
    await farm.pass(1);
    const [long, own] = ["x".repeat(400_000), { BIG: "y".repeat(300_000) }];
    const big = { cores: 8, comment: long };
    const submit = (more: object) => farm.submit(100, { cores: 8 }, { environment: own, ...more });
    await farm.submit(100, big);
    for (let i = 0; i < 100; i++) await submit({});
    await expect(farm.submit(100, big)).rejects.toThrow(
      /^above ann's limit of 1 MiB that are stored of jobs that wait: theirs take \d+ KiB, and this with the environment \d+ KiB$/,
    );
    farm.world.die();
    await farm.world.start();
    await expect(farm.submit(100, big)).rejects.toThrow("above ann's limit of 1 MiB");
    await farm.submit(100, big, { user: "bob" });
    await farm.act("cancel", 2);
    await farm.submit(100, big);
  });
});
