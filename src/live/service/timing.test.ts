import { describe, expect, it } from "vitest";

import { findJob } from "../store/job-views.ts";
import { Farm } from "./farm.fixture.ts";
import { simulatedJob } from "./farm-world.fixture.ts";

const one = [{ name: "one", machines: 1, cores: 4 }];

const view = (farm: Farm, job: number) => findJob(farm.world.database, job)!;
const now = (farm: Farm): number => farm.world.service.unixSeconds();
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

async function restart(farm: Farm): Promise<void> {
  farm.world.die();
  await farm.world.start();
}

describe("a job that does not start before a time", () => {
  it("is held until then, and starts then, over a restart too", async () => {
    const farm = await Farm.of(one);
    const at = now(farm) + 3600;
    expect(await farm.submit(10, { beginAt: at })).toMatchObject({
      state: "held",
      reason: `until ${iso(at)}`,
    });
    await farm.submit(10);
    await farm.pass(1800);
    expect(farm.state(2)).toBe("ended");
    expect(view(farm, 1)).toMatchObject({ state: "held", beginAt: iso(at), waitsFor: "begin-time" });
    await restart(farm);
    await farm.pass(1799);
    expect(farm.state(1)).toBe("held");
    await farm.pass(60);
    expect(view(farm, 1)).toMatchObject({ state: "ended", beginAt: null, waitsFor: null });
    expect(Date.parse(view(farm, 1).startedAt!) / 1000 - at).toBeLessThan(2);
    expect(farm.world.wrong()).toEqual([]);
  });

  it("starts soon where its time passed while the farm was away", async () => {
    const farm = await Farm.of(one);
    await farm.submit(10, { beginAt: now(farm) + 60 });
    farm.world.die();
    await farm.pass(3600);
    await farm.world.start();
    await farm.pass(60);
    expect(farm.state(1)).toBe("ended");
  });

  it("starts at once where the time is over, and waits for jobs and its user too", async () => {
    const farm = await Farm.of(one);
    expect(await farm.submit(10, { beginAt: now(farm) - 1 })).toMatchObject({ state: "waiting" });
    await farm.submit(100, { beginAt: now(farm) + 50, after: [{ job: 1, condition: "any" }] });
    await farm.submit(10, { beginAt: now(farm) + 50, hold: true });
    expect(view(farm, 2)).toMatchObject({ reason: "waits for job 1", waitsFor: "after-job" });
    expect(view(farm, 3)).toMatchObject({ reason: "by its user", waitsFor: "held" });
    await farm.act("release", 3);
    await farm.act("hold", 3);
    await farm.pass(40);
    expect(view(farm, 2).reason).toMatch(/^until /);
    await farm.pass(40);
    expect([2, 3].map((job) => farm.state(job))).toEqual(["running", "held"]);
    await farm.act("release", 3);
    await farm.pass(60);
    expect(farm.state(3)).toBe("ended");
  });

  it("can be cancelled, and many are released at the same time", async () => {
    const farm = await Farm.of([{ name: "one", machines: 4, cores: 100 }]);
    farm.world.mostSteps = 10;
    const jobs = Array.from({ length: 200 }, () => ({ beginAt: now(farm) + 50 }));
    for (const job of jobs) await farm.submit(1, job);
    await farm.act("cancel", 7);
    await farm.pass(200);
    expect(jobs.filter((_, at) => farm.state(at + 1) === "ended")).toHaveLength(199);
    expect(farm.state(7)).toBe("cancelled");
  });
});

describe("a begin that is changed", () => {
  it("holds a waiting job until then, and lets one that is held begin at another time, or at once", async () => {
    const farm = await Farm.of(one);
    await farm.submit(300, { cores: 4 });
    const [soon, late] = [now(farm) + 1000, now(farm) + 9000];
    await farm.submit(10);
    await farm.submit(10, { beginAt: late });
    await farm.submit(10, { beginAt: late });
    await farm.submit(10, { beginAt: late, hold: true });
    await farm.change(2, { beginAt: late });
    await farm.change(3, { beginAt: soon });
    await farm.change(4, { beginAt: null });
    await farm.change(5, { beginAt: now(farm) - 1 });
    expect(
      [2, 3, 4, 5].map((job) => [farm.state(job), view(farm, job).reason, view(farm, job).beginAt]),
    ).toEqual([
      ["held", `until ${iso(late)}`, iso(late)],
      ["held", `until ${iso(soon)}`, iso(soon)],
      ["waiting", "", null],
      ["held", "by its user", null],
    ]);
    await restart(farm);
    await farm.pass(1100);
    expect([2, 3, 4, 5].map((job) => farm.state(job))).toEqual(["held", "ended", "ended", "held"]);
    await farm.pass(8000);
    expect(farm.state(2)).toBe("ended");
    // It runs again as it was at last.
    const { request } = farm.world.database.get("SELECT request FROM job WHERE number = 4")!;
    expect(JSON.parse(String(request))).not.toHaveProperty("beginAt");
    expect(farm.world.wrong()).toEqual([]);
  });

  it("gives the place in its array to the next", async () => {
    const farm = await Farm.of(one);
    const array = (index: number): object => ({ array: { first: 1, index, most: 1 } });
    await farm.submit(
      10,
      { cores: 4 },
      { jobs: [1, 2].map((at) => simulatedJob({ cores: 4, ...array(at) })) },
    );
    await farm.submit(100, { cores: 4 });
    expect(farm.state(2)).toBe("held");
    await farm.pass(5);
    await farm.change(3, { beginAt: now(farm) + 5000 });
    await farm.pass(100);
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["ended", "ended", "held"]);
  });

  it("is of jobs alone that have not started", async () => {
    const farm = await Farm.of(one);
    await farm.submit(1000);
    await farm.pass(10);
    for (const change of [{ beginAt: now(farm) + 50 }, { deadlineAt: now(farm) + 50 }])
      await expect(farm.change(1, change)).rejects.toThrow("only a waiting or held job can be changed");
    expect(view(farm, 1)).toMatchObject({ beginAt: null, deadlineAt: null });
  });
});

describe("a deadline that is changed", () => {
  it("cancels at the new time, or not at all", async () => {
    const farm = await Farm.of(one);
    await farm.submit(1000, { cores: 4 });
    const at = now(farm);
    await farm.submit(10, { deadlineAt: at + 300 });
    await farm.submit(10, { deadlineAt: at + 300 });
    await farm.submit(10, { timeSeconds: 50 });
    await farm.change(2, { deadlineAt: null });
    await farm.change(3, { deadlineAt: at + 600 });
    await farm.change(4, { deadlineAt: at + 200 });
    await restart(farm);
    await farm.pass(400);
    expect([2, 3, 4].map((job) => farm.state(job))).toEqual(["waiting", "waiting", "cancelled"]);
    await farm.pass(300);
    expect([2, 3].map((job) => farm.state(job))).toEqual(["waiting", "cancelled"]);
    await farm.pass(1000);
    expect(farm.state(2)).toBe("ended");
  });

  it("is refused where it could not be met, and so is a time that could not be", async () => {
    const farm = await Farm.of(one);
    await farm.submit(1000, { cores: 4 });
    await farm.submit(10, { deadlineAt: now(farm) + 300, timeSeconds: 100 });
    await expect(farm.change(2, { deadlineAt: now(farm) + 99 })).rejects.toThrow("it cannot be over by");
    await expect(farm.change(2, { timeSeconds: 1000 })).rejects.toThrow("it cannot be over by its deadline");
    await expect(farm.change(2, { beginAt: now(farm) + 250 })).rejects.toThrow("it cannot be over by");
    expect(view(farm, 2)).toMatchObject({ state: "waiting", timeSeconds: 100, beginAt: null });
  });
});

describe("a job with a deadline", () => {
  it("is cancelled in words when it cannot start in time any more", async () => {
    const farm = await Farm.of(one);
    await farm.submit(1000, { cores: 4 });
    const deadlineAt = now(farm) + 300;
    await farm.submit(10, { deadlineAt });
    await farm.submit(10, { deadlineAt, timeSeconds: 100 });
    await farm.submit(10, { deadlineAt, timeSeconds: 100 });
    await farm.change(4, { timeSeconds: 250 });
    await farm.pass(60);
    expect([2, 3, 4].map((job) => farm.state(job))).toEqual(["waiting", "waiting", "cancelled"]);
    await restart(farm);
    await farm.pass(150);
    expect(view(farm, 3)).toMatchObject({
      state: "cancelled",
      reason: `it could not be over by its deadline, ${iso(deadlineAt)}, any more: it may run for 100 s`,
    });
    expect(farm.state(2)).toBe("waiting");
    await farm.pass(100);
    expect(view(farm, 2).reason).toBe(`it had not started by its deadline, ${iso(deadlineAt)}`);
    expect(farm.world.wrong()).toEqual([]);
  });

  it("runs on beyond it, and is not tried again after it", async () => {
    const farm = await Farm.of(one);
    await farm.submit(200, { deadlineAt: now(farm) + 100, retries: 3 }, { status: 1 });
    await farm.pass(150);
    expect(farm.state(1)).toBe("running");
    await farm.pass(150);
    expect(view(farm, 1)).toMatchObject({ state: "failed", attempt: 1, reason: "it ended with status 1" });
    // Nor where its delay would go beyond it.
    await farm.submit(10, { deadlineAt: now(farm) + 100, retries: 3, retryDelaySeconds: 200 }, { status: 1 });
    await farm.pass(60);
    expect(view(farm, 2)).toMatchObject({ state: "failed", attempt: 1 });
  });

  it("is refused where it could never start in time", async () => {
    const farm = await Farm.of(one);
    const at = now(farm);
    await expect(farm.submit(1, { deadlineAt: at - 1 })).rejects.toThrow("is before it could start");
    await expect(farm.submit(1, { deadlineAt: at + 50, beginAt: at + 60 })).rejects.toThrow(
      "is before it could",
    );
    const long = { deadlineAt: at + 50, timeSeconds: 60 };
    await expect(farm.submit(1, long)).rejects.toThrow("it cannot be over by its deadline");
  });
});

describe("a job that runs again", () => {
  const states = (farm: Farm) => [farm.state(1), view(farm, 1).attempt];

  it("does so after its delay, over a restart too", async () => {
    const farm = await Farm.of(one);
    await farm.submit(10, { retries: 1, retryDelaySeconds: 600 }, { status: 1 });
    await farm.pass(60);
    expect(states(farm)).toEqual(["held", 1]);
    expect(view(farm, 1)).toMatchObject({ waitsFor: "begin-time", reason: expect.stringMatching(/^until /) });
    await restart(farm);
    await farm.pass(500);
    expect(states(farm)).toEqual(["held", 1]);
    await farm.pass(100);
    expect(states(farm)).toEqual(["failed", 2]);
    expect(farm.world.wrong()).toEqual([]);
  });

  it("does so for the causes that it names, and no other", async () => {
    for (const [cause, attempts] of [
      ["status", 3],
      ["time", 1],
      ["lost", 1],
    ] as const) {
      const farm = await Farm.of(one);
      await farm.submit(10, { retries: 2, retryOn: [cause] }, { status: 1 });
      await farm.pass(120);
      expect([cause, ...states(farm)]).toEqual([cause, "failed", attempts]);
    }
    const farm = await Farm.of(one);
    await farm.submit(100, { retries: 2, retryOn: ["time"], timeSeconds: 10 });
    await farm.pass(300);
    expect(states(farm)).toEqual(["failed", 3]);
  });
});
