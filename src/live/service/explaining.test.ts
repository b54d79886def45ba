import { describe, expect, it } from "vitest";

import type { LiveExplanation } from "./explaining.ts";
import type { PoolSize } from "./farms.fixture.ts";
import { Farm } from "./farm.fixture.ts";
import { findJob } from "../store/job-views.ts";
import { whyAll } from "../why/all.ts";

const one: readonly PoolSize[] = [{ name: "one", machines: 1, cores: 4 }];

/** Asks, and lets as little time pass as the answer takes. */
async function explained(farm: Farm, job: number): Promise<LiveExplanation> {
  const { books, explaining } = farm.world.service;
  let answer: LiveExplanation | null = null;
  void explaining.explain(books.jobs.get(job)!).then((explanation) => (answer = explanation));
  for (let seconds = 0; ; seconds = 1) {
    await farm.pass(seconds);
    await new Promise((resolve) => setImmediate(resolve));
    if (answer !== null) return answer;
  }
}

const running = {
  machine: "one",
  coresShort: 1,
  memoryShortMiB: 0,
  gpusShort: 0,
  gpuKind: null,
  running: [1],
  suspended: [],
};

describe("why a job waits", () => {
  it("is for the next service to say where this one stops", async () => {
    const farm = await Farm.of(one, { intervalSeconds: 3600 });
    await farm.submit(10, { cores: 4 });
    await farm.submit(10, { cores: 4 });
    await farm.pass(1);
    const { service } = farm.world;
    const job = service.books.jobs.get(2)!;
    const asked = service.explaining.explain(job);
    await service.stop();
    expect(await asked).toBeNull();
    expect(await service.explaining.explain(job)).toBeNull();
  });

  it("is told of one that has its machines with what its engine does about it", async () => {
    const farm = await Farm.of(one);
    const { id } = await farm.submit(100);
    await farm.submit(100);
    await farm.pass(1);
    const { engine } = farm.world.service.pools[0];
    engine.doing = ({ job, attempt }) =>
      job === id && attempt === 1 ? { text: "its prolog runs", sinceUnixSeconds: 1.5 } : null;
    expect((await explained(farm, 1)).doing).toEqual({
      text: "its prolog runs",
      since: "1970-01-01T00:00:01.500Z",
    });
    expect((await explained(farm, 2)).doing).toBeNull();
  });

  it("is told with what the nearest machine lacks, and who comes first", async () => {
    const farm = await Farm.of(one, { victim: null });
    await farm.submit(10, { cores: 3 });
    await farm.submit(10, { cores: 2, priority: 60 });
    await farm.submit(10, { cores: 2 });
    await farm.pass(1);
    expect((await explained(farm, 3)).waits).toMatchObject({
      pool: "one",
      policy: "first-fit",
      reasons: [{ kind: "too full", machines: 1, nearest: running }],
      ahead: [2],
      rank: { kind: "priority", priority: 60, ownPriority: 50 },
    });
    expect((await explained(farm, 2)).waits).toMatchObject({ ahead: [], rank: null });
  });

  it("of a job that is suspended by hand tells what it keeps, and who has it since", async () => {
    const farm = await Farm.of(one, { victim: "lowest-priority" });
    await farm.submit(1000, { cores: 4 });
    await farm.pass(1);
    await farm.act("pause", 1);
    await farm.pass(1);
    expect((await explained(farm, 1)).dominant).toEqual({
      token: "suspended-by-hand",
      sentence:
        "it was suspended by hand, until it is resumed (croft resume 1), and keeps its cores and memory",
    });
    await farm.submit(1000, { cores: 4, priority: 90 });
    await farm.pass(2);
    expect(farm.state(2)).toBe("running");
    expect((await explained(farm, 1)).dominant).toEqual({
      token: "suspended-by-hand",
      sentence:
        "it was suspended by hand, until it is resumed (croft resume 1); jobs that come first have its cores since, and then it waits for them",
    });
  });

  it("names who has the licence", async () => {
    const farm = await Farm.of(one, { licences: { matlab: 1 } });
    await farm.submit(100, { cores: 1, licences: "matlab" });
    await farm.submit(100, { cores: 1, licences: "matlab" });
    await farm.pass(1);
    expect((await explained(farm, 2)).waits!.reasons).toEqual([
      { kind: "licence", licence: "matlab", asked: 1, inUse: 1, count: 1, by: [1] },
    ]);
  });

  it("is told of a held job together with what it waits for after that, and how that must end", async () => {
    const farm = await Farm.of(one);
    await farm.submit(100, { cores: 1 });
    const after = [
      { job: 1, condition: "ok" },
      { job: 1, condition: "failed" },
    ] as const;
    await farm.submit(10, { cores: 1, hold: true, after: [after[0]] });
    await farm.submit(10, { cores: 1, after: [after[1]] });
    await farm.pass(1);
    expect((await explained(farm, 2)).dominant).toEqual({
      token: "held",
      sentence:
        "it is held by its user, until it is released (croft release 2); then it waits for job 1 to succeed",
    });
    expect((await explained(farm, 3)).dominant).toEqual({
      token: "after-job",
      sentence: "it waits for job 1 to fail",
    });
  });

  it("names the job that EASY keeps the room for, and when it is to start", async () => {
    const farm = await Farm.of(one, { policy: "easy" });
    await farm.submit(100, { cores: 3, timeSeconds: 100 });
    await farm.submit(100, { cores: 4, timeSeconds: 100 });
    await farm.submit(200, { cores: 1, timeSeconds: 200 });
    await farm.pass(10);
    const { waits } = await explained(farm, 3);
    expect(waits!.reasons).toEqual([
      { kind: "would delay", machines: 1, job: 2, startSeconds: expect.any(Number) as number },
    ]);
    const [reason] = waits!.reasons!;
    const start = reason.kind === "would delay" ? reason.startSeconds! : NaN;
    expect(start - farm.world.service.unixSeconds()).toBeCloseTo(90, 0);
  });

  it("names the pools that have no room for a job at its virtual pool", async () => {
    const two = ["one", "two"].map((name) => ({ name, machines: 1, cores: 1 }));
    const farm = await Farm.of(two, { hasQueue: true });
    for (let job = 1; job <= 3; job++) await farm.submit(10);
    await farm.pass(1);
    const { waits } = await explained(farm, 3);
    expect(waits).toMatchObject({
      pool: null,
      reasons: [
        { kind: "no pool has room", pools: ["one", "two"] },
        { kind: "too full", nearest: { machine: "one", coresShort: 1, running: [1] } },
        { kind: "too full", nearest: { machine: "two", coresShort: 1, running: [2] } },
      ],
      groups: [
        { example: "one", machines: 1, tooFull: 1 },
        { example: "two", machines: 1, tooFull: 1 },
      ],
      aheadCount: 0,
    });
    await farm.submit(10);
    await farm.pass(1);
    expect((await explained(farm, 4)).waits).toMatchObject({ ahead: [3], aheadCount: 1 });
    await farm.pass(20);
    expect(farm.world.service.books.jobs.has(3)).toBe(false);
  });

  it("tells of promises under conservative backfilling", async () => {
    const farm = await Farm.of(one, { policy: "conservative" });
    await farm.submit(100, { cores: 3, timeSeconds: 100 });
    await farm.submit(100, { cores: 4, timeSeconds: 100 });
    await farm.submit(200, { cores: 1, timeSeconds: 200 });
    await farm.pass(10);
    const [reason] = (await explained(farm, 3)).waits!.reasons!;
    expect(reason).toMatchObject({ kind: "promised", machines: 1, on: ["one"], delay: null });
    const { startSeconds, firstSeconds } = reason as Extract<typeof reason, { kind: "promised" }>;
    expect(firstSeconds).toBe(startSeconds);
    // Behind job 2, which is to start 100 s after the first pass and to run for 100 s.
    expect(startSeconds! - farm.world.service.unixSeconds()).toBeCloseTo(190, 0);
  });

  it("counts each machine that it may not use where it first fails", async () => {
    const farm = await Farm.of([{ name: "one", machines: 3, cores: 4 }]);
    await farm.submit(100, { cores: 4, requires: "cores >= 4" });
    await farm.world.act(({ loop, acts }) =>
      loop.act((turn) => {
        acts.drain(turn, "one", "one-1", "disk", "ann");
        acts.drain(turn, "one", "one-2", "disk", "ann");
        acts.drain(turn, "one", "one-3", "cable", "bob");
      }),
    );
    await farm.submit(100, { requires: "cores >= 4" });
    await farm.pass(1);
    const { waits, dominant } = await explained(farm, 2);
    expect(waits!.reasons).toEqual([
      {
        kind: "drained",
        machines: 3,
        closed: [
          { machine: "one-1", why: "disk (ann)" },
          { machine: "one-2", why: "disk (ann)" },
          { machine: "one-3", why: "cable (bob)" },
        ],
      },
    ]);
    expect(dominant).toEqual({
      token: "drained",
      sentence: "3 machines could hold it, and take no jobs: one-1, one-2: disk (ann); one-3: cable (bob)",
    });
  });

  it("is what the next cycle finds, where a pool has them by the clock", async () => {
    const farm = await Farm.of(one, { intervalSeconds: 20 });
    await farm.submit(100, { cores: 4 });
    await farm.pass(21);
    await farm.submit(100, { cores: 4 });
    const before = farm.world.clock.monotonicSeconds();
    expect((await explained(farm, 2)).waits!.reasons).toMatchObject([{ kind: "too full" }]);
    const passed = farm.world.clock.monotonicSeconds() - before;
    expect(passed).toBeGreaterThan(1);
    expect(passed).toBeLessThanOrEqual(20);
  });

  it("is not waited for longer than half a minute, nor while nothing can be written", async () => {
    const farm = await Farm.of(one, { intervalSeconds: 3600 });
    await farm.pass(1);
    await farm.submit(100, { cores: 4 });
    expect((await explained(farm, 1)).waits).toMatchObject({ reasons: null, intervalSeconds: 3600 });
    farm.world.databaseFailsWith = "disk full";
    const asked = explained(farm, 1);
    expect((await asked).waits).toMatchObject({ reasons: null });
    expect((await explained(farm, 1)).waits).toMatchObject({ reasons: null, writeError: "disk full" });
  });

  it("is asked for without changing what is decided", async () => {
    const starts = async (asks: boolean): Promise<(string | null)[]> => {
      const farm = await Farm.of([{ name: "one", machines: 2, cores: 4 }], {
        victim: "lowest-priority",
        policy: "easy",
      });
      for (let job = 1; job <= 12; job++) {
        await farm.submit(20 + job, { cores: 1 + (job % 4), priority: 50 + (job % 3), timeSeconds: 60 });
        await farm.pass(3);
        if (asks) for (const number of farm.world.service.books.jobs.keys()) await explained(farm, number);
      }
      await farm.pass(1000);
      expect(farm.world.wrong()).toEqual([]);
      return Array.from({ length: 12 }, (_, at) => findJob(farm.world.database, at + 1)!.startedAt);
    };
    expect(await starts(true)).toEqual(await starts(false));
  });

  it("is told again after a restart", async () => {
    const farm = await Farm.of(one);
    await farm.submit(10, { cores: 4 });
    await farm.submit(10, { cores: 4 });
    await farm.pass(1);
    await explained(farm, 2);
    farm.world.die();
    await farm.world.start();
    expect((await explained(farm, 2)).waits!.reasons).toMatchObject([{ kind: "too full" }]);
    expect(farm.world.wrong()).toEqual([]);
  });
});

describe("why a job is suspended", () => {
  it("is no job that is over, though others have taken the room that it left", async () => {
    const farm = await Farm.of(one, { victim: "lowest-priority" });
    await farm.submit(100, { cores: 4 });
    await farm.pass(1);
    await farm.submit(20, { cores: 4, priority: 90 });
    await farm.submit(100, { cores: 4, priority: 80 });
    await farm.pass(1);
    expect(await explained(farm, 1)).toMatchObject({ state: "suspended", reason: "for job 2" });
    await farm.pass(30);
    const now = {
      state: "suspended",
      reason: "until there is room",
      suspended: null,
      dominant: { token: "suspended", sentence: "it is suspended until there is room" },
    };
    expect([farm.state(2), farm.state(3)]).toEqual(["ended", "running"]);
    expect(await explained(farm, 1)).toMatchObject(now);
    expect(findJob(farm.world.database, 1)).toMatchObject({ reason: "until there is room" });
    farm.world.die();
    await farm.world.start();
    expect(await explained(farm, 1)).toMatchObject(now);
    const { culprits } = whyAll(farm.world.database, { at: farm.world.service.farmTime(), user: null });
    expect(culprits).toMatchObject([{ token: "suspended", what: "room on its machines", jobs: 1 }]);
  });

  it("names the one above it, over a restart too, until it goes on", async () => {
    const farm = await Farm.of(one, { victim: "lowest-priority" });
    await farm.submit(100, { cores: 4 });
    await farm.pass(1);
    await farm.submit(50, { cores: 4, priority: 90 });
    await farm.pass(1);
    const because = { kind: "suspended", by: [2], rank: { kind: "priority", priority: 90, ownPriority: 50 } };
    expect(await explained(farm, 1)).toMatchObject({
      state: "suspended",
      reason: "for job 2",
      suspended: because,
    });
    farm.world.die();
    await farm.world.start();
    expect(await explained(farm, 1)).toMatchObject({ reason: "for job 2", suspended: { by: [2] } });
    await farm.pass(60);
    expect(await explained(farm, 1)).toMatchObject({ state: "running", reason: "", suspended: null });
  });

  it("tells what was done by hand from what was done for others", async () => {
    const farm = await Farm.of(one, { victim: "lowest-priority" });
    await farm.submit(100, { cores: 4 });
    await farm.pass(1);
    await farm.act("pause", 1);
    await farm.pass(1);
    expect(await explained(farm, 1)).toMatchObject({
      state: "suspended",
      reason: "by hand",
      suspended: null,
    });
    await farm.submit(10, { cores: 1 });
    await farm.pass(1);
    expect((await explained(farm, 2)).waits?.reasons).toMatchObject([
      { kind: "too full", nearest: { running: [], suspended: [1] } },
    ]);
    await farm.act("resume", 1);
    await farm.pass(1);
    expect(await explained(farm, 1)).toMatchObject({ state: "running", reason: "" });
  });

  it("names the job that one was ended for where its pool cannot suspend", async () => {
    const farm = await Farm.of(one, { victim: "lowest-priority", engine: { suspend: "none" } });
    await farm.submit(100, { cores: 4 });
    await farm.pass(1);
    await farm.submit(50, { cores: 4, priority: 90 });
    await farm.pass(1);
    expect(farm.kinds(1)).toContain("preempted");
    expect(await explained(farm, 1)).toMatchObject({
      state: "waiting",
      waits: { reasons: [{ kind: "too full" }] },
    });
  });
});

describe("a job that is held", () => {
  it("says by whom, or for which job", async () => {
    const farm = await Farm.of(one);
    await farm.submit(100);
    await farm.submit(1, { hold: true });
    await farm.submit(1, { after: [{ job: 1, condition: "ok" }] });
    expect(await explained(farm, 2)).toMatchObject({
      state: "held",
      reason: "by its user",
      waits: null,
    });
    expect(await explained(farm, 3)).toMatchObject({ state: "held", reason: "waits for job 1", waits: null });
  });
});
