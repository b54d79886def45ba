import { describe, expect, it } from "vitest";

import { simulate } from "../../simulation/index.ts";
import { pastJobOf, workloadOf } from "../store/history.ts";
import { findJob } from "../store/job-views.ts";
import { Farm } from "./farm.fixture.ts";
import { anyFarmOf, type PoolSize } from "./farms.fixture.ts";

const one: readonly PoolSize[] = [{ name: "one", machines: 1, cores: 8 }];

describe("licences of a farm that runs", () => {
  it("do not hide the room that a job without one would have, in what its policy keeps", async () => {
    const two: readonly PoolSize[] = [{ name: "two", machines: 2, cores: 4 }];
    const farm = await Farm.of(two, { policy: "easy", licences: { matlab: 1 } });
    await farm.submit(1800, { cores: 1, timeSeconds: 1800, licences: "matlab" });
    await farm.submit(1200, { cores: 3, timeSeconds: 1200 });
    await farm.submit(1200, { cores: 3, timeSeconds: 1200 });
    await farm.submit(1800, { cores: 4, timeSeconds: 1800 });
    await farm.submit(10_800, { cores: 1, timeSeconds: 10_800, licences: "matlab" });
    await farm.pass(1);
    expect(farm.state(5)).toBe("waiting");
    const { books, explaining } = farm.world.service;
    const answer = explaining.explain(books.jobs.get(5)!);
    await farm.pass(1);
    const { reasons } = (await answer)!.waits!;
    expect(reasons![0]).toMatchObject({ kind: "licence" });
    expect(reasons!.at(-1)).toMatchObject({ kind: expect.stringMatching(/^would delay/), machines: 1 });
  });

  it("are held from start to end, through a crash, and a job that lacks them is told why it waits", async () => {
    const farm = await Farm.of(one, { licences: { matlab: 2 } });
    await farm.submit(100, { licences: "matlab=2" });
    await farm.submit(10, { licences: "matlab" });
    await farm.submit(10);
    await farm.pass(20);
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["running", "waiting", "ended"]);
    farm.world.die();
    await farm.world.start();
    await farm.submit(10, { licences: "matlab" });
    await farm.pass(20);
    expect([1, 2, 4].map((job) => farm.state(job))).toEqual(["running", "waiting", "waiting"]);
    const { books, explaining } = farm.world.service;
    const answer = explaining.explain(books.jobs.get(2)!);
    await farm.pass(1);
    expect((await answer)!.waits!.reasons).toEqual([
      { kind: "licence", licence: "matlab", asked: 1, inUse: 2, count: 2, by: [1] },
    ]);
    await farm.pass(65);
    expect([1, 2, 4].map((job) => farm.state(job))).toEqual(["ended", "running", "running"]);
    await farm.pass(20);
    expect(farm.world.wrong()).toEqual([]);
    const jobs = [1, 2, 3, 4].map((job) => findJob(farm.world.database, job)!);
    expect(jobs.map(({ licences }) => licences)).toEqual(["matlab=2", "matlab", "", "matlab"]);
    // What ran, simulated with the same licences, starts in the same order.
    const { schedule } = simulate(
      workloadOf(jobs.map(pastJobOf), "history", null),
      anyFarmOf(one, { licences: { matlab: 2 } }),
    );
    expect(schedule.startSeconds[1]).toBeGreaterThanOrEqual(100);
    expect(schedule.startSeconds[2]).toBeLessThan(20);
  });

  it("what no pool has or cannot be read is refused, and what none has enough of is rejected", async () => {
    const farm = await Farm.of(one, { licences: { matlab: 2, vcs: 1 } });
    await expect(farm.submit(1, { licences: "matlap" })).rejects.toThrow(
      'no pool has the licence "matlap": there are matlab, vcs',
    );
    await expect(farm.submit(1, { licences: "matlab=x" })).rejects.toThrow('of matlab it asks for "x"');
    expect(await farm.submit(1, { licences: "matlab=3" })).toMatchObject({
      state: "rejected",
      reason: "asks for 3 of the licence matlab; the pool has 2",
    });
    const without = await Farm.of(one);
    await expect(without.submit(1, { licences: "matlab" })).rejects.toThrow(
      'no pool has the licence "matlab"',
    );
  });

  it("a farm's file may have other licences from a start on: jobs keep what they hold", async () => {
    const farm = await Farm.of(one, { licences: { matlab: 2 } });
    await farm.submit(100, { licences: "matlab=2" });
    await farm.submit(10, { licences: "matlab" });
    await farm.pass(1);
    farm.world.die();
    farm.world.changeFarm(anyFarmOf(one, { licences: { vcs: 1, matlab: 1 } }));
    await farm.world.start();
    await farm.submit(10, { licences: "vcs" });
    await farm.pass(5);
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["running", "waiting", "running"]);
    await farm.pass(100);
    expect([1, 2].map((job) => farm.state(job))).toEqual(["ended", "running"]);
    // Without any the second would have gone on; a third that waits for what there is no more goes on waiting.
    await farm.submit(10, { licences: "matlab" });
    farm.world.die();
    farm.world.changeFarm(anyFarmOf(one));
    await farm.world.start();
    await farm.pass(100);
    expect([2, 4].map((job) => farm.state(job))).toEqual(["ended", "waiting"]);
  });

  it("backfilling is refused in a pool that has some", async () => {
    await expect(Farm.of(one, { licences: { matlab: 2 }, policy: "easy-sjbf" })).rejects.toThrow(
      "pool one: policy easy-sjbf promises jobs when they will start",
    );
  });
});
