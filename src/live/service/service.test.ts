import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { freeTwice } from "../../core/port/miscount.fixture.ts";
import { simulate } from "../../simulation/index.ts";
import { readWorkload } from "../../workload/index.ts";
import { anyFarmOf, type PoolSize } from "./farms.fixture.ts";
import { FarmWorld, simulatedJob } from "./farm-world.fixture.ts";
import type { Engine } from "../engines/engine.ts";
import type { JobRequest } from "../store/job-request.ts";
import { Farm } from "./farm.fixture.ts";
import { machineViews, poolViews } from "./farm-views.ts";
import { attemptsOf, findJob } from "../store/job-views.ts";

const one: readonly PoolSize[] = [{ name: "one", machines: 1, cores: 4 }];
const two: readonly PoolSize[] = [...one, { name: "two", machines: 1, cores: 4 }];

describe("a job", () => {
  it("waits, runs and ends", async () => {
    const farm = await Farm.of(one);
    await farm.submit(10, { cores: 4 });
    await farm.submit(10, { cores: 4 }, { status: 3 });
    await farm.pass(1);
    expect([farm.state(1), farm.state(2)]).toEqual(["running", "waiting"]);
    await farm.pass(10);
    expect([farm.state(1), farm.state(2)]).toEqual(["ended", "running"]);
    await farm.pass(10);
    expect(findJob(farm.world.database, 2)).toMatchObject({ state: "failed", exitStatus: 3 });
  });

  it("is rejected with the reason where no machine could hold it", async () => {
    const farm = await Farm.of(two);
    const { state, reason } = await farm.submit(1, { cores: 5 });
    expect({ state, reason }).toEqual({
      state: "rejected",
      reason: "no pool takes it: asks for 5 cores on one machine; the largest has 4",
    });
    expect(farm.state(1)).toBe("rejected");
  });

  it("is held and released, and cancelled in any state", async () => {
    const farm = await Farm.of(one);
    await farm.submit(100, { cores: 4 });
    await farm.submit(5, { hold: true, cores: 4 });
    await farm.submit(5);
    await farm.act("hold", 3);
    await farm.pass(1);
    await farm.act("cancel", 1);
    await farm.pass(50);
    expect([farm.state(1), farm.state(2), farm.state(3)]).toEqual(["cancelled", "held", "held"]);
    await farm.act("cancel", 3);
    await farm.act("release", 2);
    await farm.pass(6);
    expect([farm.state(2), farm.state(3)]).toEqual(["ended", "cancelled"]);
    await expect(farm.act("cancel", 2)).rejects.toThrow("job 2 is over");
  });

  it("goes to another pool while it is held, for whatever, and starts there once it is not", async () => {
    const farm = await Farm.of(two);
    await farm.submit(100, { cores: 4, pool: "one" });
    const at = farm.world.service.unixSeconds() + 50;
    for (const more of [{ hold: true }, { beginAt: at }, { after: [{ job: 1, condition: "ok" as const }] }])
      await farm.submit(10, { pool: "one", ...more });
    const poolOf = (job: number) => findJob(farm.world.database, job)!.pool;
    for (const job of [2, 3, 4]) {
      await farm.change(job, { pool: "two" });
      expect([poolOf(job), farm.state(job)]).toEqual(["two", "held"]);
    }
    await expect(farm.change(2, { pool: "none" })).rejects.toThrow("there is no pool");
    farm.world.die();
    await farm.world.start();
    await farm.pass(20);
    expect([farm.state(2), farm.state(3), farm.state(4)]).toEqual(["held", "held", "held"]);
    await farm.act("release", 2);
    await farm.pass(20);
    expect([farm.state(1), farm.state(2), farm.state(3)]).toEqual(["running", "ended", "held"]);
    await farm.pass(80);
    await farm.pass(20);
    for (const job of [2, 3, 4]) expect([poolOf(job), farm.state(job)]).toEqual(["two", "ended"]);
    expect(farm.world.wrong()).toEqual([]);
  });

  it("goes to another pool while it waits, over a restart too", async () => {
    const small: PoolSize = { name: "small", machines: 1, cores: 2 };
    const farm = await Farm.of([...two, small]);
    for (const pool of ["one", "two", "one", "one"]) await farm.submit(100, { cores: 4, pool });
    await farm.act("hold", 4);
    await farm.pass(1);
    await farm.change(3, { pool: "two", priority: 60 });
    const poolOf = (job: number) => findJob(farm.world.database, job)!.pool;
    expect([poolOf(3), farm.state(3)]).toEqual(["two", "waiting"]);
    await expect(farm.change(1, { pool: "two" })).rejects.toThrow(
      "job 1 is running: only a waiting or held job",
    );
    await expect(farm.change(3, { pool: "none" })).rejects.toThrow("there is no pool");
    await expect(farm.change(3, { pool: "small", priority: 10 })).rejects.toThrow(
      "no machine of pool small could ever hold job 3",
    );
    expect(findJob(farm.world.database, 3)).toMatchObject({ pool: "two", priority: 60 });
    farm.world.die();
    await farm.world.start();
    await farm.act("cancel", 1);
    await farm.pass(50);
    expect(farm.state(3)).toBe("waiting");
    await farm.act("cancel", 2);
    await farm.pass(1);
    expect([poolOf(3), farm.state(3)]).toEqual(["two", "running"]);
    expect(farm.world.wrong()).toEqual([]);
  });

  it("becomes larger or smaller while it waits, over a restart too", async () => {
    const farm = await Farm.of(two);
    await farm.submit(100, { cores: 4, pool: "one" });
    await farm.submit(100, { cores: 4, pool: "one" });
    await farm.submit(100, { cores: 2, memoryMiB: 500, pool: "one", hold: true, retries: 1 });
    await farm.pass(1);
    await expect(farm.change(1, { cores: 1 })).rejects.toThrow("job 1 is running: only a waiting");
    await expect(farm.change(2, { memoryMiB: 100_000, priority: 99 })).rejects.toThrow(
      "no machine of pool one could ever hold job 2 with that: it stays as it is, unless its pool is changed too",
    );
    expect(findJob(farm.world.database, 2)).toMatchObject({ cores: 4, memoryMiB: 100, priority: 50 });
    await farm.change(3, { cores: 3, memoryMiB: 600 });
    await farm.change(2, { cores: 1, memoryMiB: 2000 });
    expect(findJob(farm.world.database, 2)).toMatchObject({ cores: 1, memoryMiB: 2000, gpus: 0 });
    farm.world.die();
    await farm.world.start();
    await farm.act("release", 3);
    await farm.act("cancel", 1);
    await farm.pass(1);
    // Side by side on one machine, as 4 and 2 cores could not be.
    expect([farm.state(2), farm.state(3)]).toEqual(["running", "running"]);
    const { attempts } = farm.world.service.books;
    expect([...attempts.values()].map(({ placement }) => placement[0])).toMatchObject([
      { coresMilli: 1000, memoryMiB: 2000 },
      { coresMilli: 3000, memoryMiB: 600 },
    ]);
    expect(machineViews(farm.world.service)[0]).toMatchObject({ coresFree: 0, memoryFreeMiB: 1400 });
    await farm.pass(200);
    expect([farm.state(2), farm.state(3)]).toEqual(["ended", "ended"]);
    expect(farm.world.wrong()).toEqual([]);
  });

  it("becomes larger and goes to the pool where it fits, or stays as it was", async () => {
    const small: PoolSize = { name: "small", machines: 1, cores: 2 };
    const farm = await Farm.of([small, ...two]);
    await farm.submit(100, { cores: 2, pool: "small" });
    await farm.submit(100, { cores: 2, pool: "small" });
    await farm.pass(1);
    await expect(farm.change(2, { cores: 4 })).rejects.toThrow("no machine of pool small could ever hold");
    await expect(farm.change(2, { cores: 9, pool: "one" })).rejects.toThrow("no machine of pool one could");
    await farm.change(2, { cores: 4, pool: "one" });
    await farm.pass(1);
    expect(findJob(farm.world.database, 2)).toMatchObject({ state: "running", pool: "one", cores: 4 });
    expect(farm.world.wrong()).toEqual([]);
  });

  it("stands still while its user has suspended it, over a restart too", async () => {
    const farm = await Farm.of(one);
    await farm.submit(10);
    await farm.pass(1);
    await farm.act("pause", 1);
    await farm.pass(100);
    expect(farm.state(1)).toBe("suspended");
    farm.world.die();
    await farm.world.start();
    await farm.pass(100);
    expect(farm.state(1)).toBe("suspended");
    await farm.act("resume", 1);
    await farm.pass(5);
    expect(farm.state(1)).toBe("running");
    await farm.pass(5);
    expect(farm.state(1)).toBe("ended");
  });

  it("tries again as often as it may", async () => {
    const farm = await Farm.of(one);
    await farm.submit(1, { retries: 2 }, { status: 1 });
    await farm.pass(60);
    expect(findJob(farm.world.database, 1)).toMatchObject({ state: "failed", attempt: 3 });
  });

  it("is ended when its time is over", async () => {
    const farm = await Farm.of(one);
    await farm.submit(100, { timeSeconds: 10 });
    await farm.pass(11);
    expect(findJob(farm.world.database, 1)).toMatchObject({ state: "failed", reason: "its time was over" });
  });
});

describe("jobs that wait for others", () => {
  it("start when those have ended as they should, and are cancelled when they cannot any more", async () => {
    const farm = await Farm.of(one);
    await farm.submit(10, {}, { status: 1 });
    const after = (condition: "ok" | "failed" | "any"): Partial<JobRequest> => ({
      after: [{ job: 1, condition }],
    });
    await farm.submit(1, after("ok"));
    await farm.submit(1, after("failed"));
    await farm.submit(1, after("any"));
    await farm.submit(1, { after: [{ job: 2, condition: "ok" }] });
    await farm.pass(5);
    expect(findJob(farm.world.database, 4)).toMatchObject({ state: "held", reason: "waits for job 1" });
    await farm.pass(10);
    expect([2, 3, 4, 5].map((job) => farm.state(job))).toEqual(["cancelled", "ended", "ended", "cancelled"]);
    await farm.submit(1, after("ok"));
    expect(farm.state(6)).toBe("cancelled");
    await expect(farm.submit(1, { after: [{ job: 99, condition: "ok" }] })).rejects.toThrow(
      "there is no job 99",
    );
  });
});

describe("an idempotency key", () => {
  it("makes jobs once", async () => {
    const farm = await Farm.of(one);
    const first = await farm.submit(1, {}, { key: "k" });
    expect((await farm.submit(1, {}, { key: "k" })).number).toBe(first.number);
    farm.world.die();
    await farm.world.start();
    expect((await farm.submit(1, {}, { key: "k" })).number).toBe(first.number);
    await expect(farm.submit(2, {}, { key: "k" })).rejects.toThrow("was used for other jobs");
    expect((await farm.submit(1, {}, { key: "k", user: "bob" })).number).toBe(2);
  });

  it("is not forgotten before its time where the machine's clock jumps", async () => {
    const farm = await Farm.of(one);
    const tenDays = 10 * 86_400;
    expect((await farm.submit(1, {}, { key: "k" })).number).toBe(1);
    farm.world.clock.wallOffsetSeconds += tenDays;
    expect((await farm.submit(1, {}, { key: "other" })).number).toBe(2);
    farm.world.clock.wallOffsetSeconds -= tenDays;
    farm.world.die();
    await farm.world.start();
    expect((await farm.submit(1, {}, { key: "k" })).number).toBe(1);
    await farm.pass(8 * 86_400);
    await farm.submit(1, {}, { key: "third" });
    expect(farm.world.database.all("SELECT key FROM submission")).toEqual([{ key: "third" }]);
  });
});

describe("a farm of pools", () => {
  it.each(["NoRes", "ResSusUtil", "ResSusRand", "ResSusWaitUtil", "ResSusWaitRand"])(
    "suspends for more urgent jobs, which then go on or are restarted elsewhere (%s)",
    async (strategy) => {
      const farm = await Farm.of(two, { victim: "lowest-priority", strategy, waitThresholdSeconds: 5 });
      await farm.submit(100, { cores: 4, pool: "one" });
      await farm.submit(100, { cores: 4 });
      await farm.pass(1);
      await farm.submit(50, { cores: 4, pool: "one", priority: 90 });
      await farm.pass(1);
      expect([farm.state(3), farm.state(1)]).toEqual(["running", "suspended"]);
      await farm.pass(400);
      expect([farm.state(1), farm.state(2), farm.state(3)]).toEqual(["ended", "ended", "ended"]);
      expect(farm.kinds(1)).toEqual(expect.arrayContaining(["suspended", "ended"]));
    },
  );

  it("restarts a suspended job in a pool that is free", async () => {
    const farm = await Farm.of(two, { victim: "lowest-priority", strategy: "ResSusUtil" });
    await farm.submit(100, { cores: 4 });
    await farm.pass(1);
    const [{ pool }] = [findJob(farm.world.database, 1)!];
    await farm.submit(50, { cores: 4, pool, priority: 90 });
    await farm.pass(1);
    expect(findJob(farm.world.database, 1)).toMatchObject({ state: "running", attempt: 2 });
    expect(findJob(farm.world.database, 1)!.pool).not.toBe(pool);
    expect(farm.kinds(1)).toEqual(["submitted", "started", "suspended", "moved", "started"]);
  });

  it("lets nothing new onto a drained machine, and what runs there run on", async () => {
    const farm = await Farm.of(one);
    await farm.submit(10);
    await farm.pass(1);
    const act = (verb: "drain" | "undrain"): Promise<unknown> =>
      farm.world.act(({ loop, acts }) =>
        loop.act((turn) =>
          verb === "drain"
            ? acts.drain(turn, "one", "one", "disk", "ann")
            : acts.undrain(turn, "one", "one", "ann"),
        ),
      );
    await act("drain");
    await farm.submit(10);
    farm.world.die();
    await farm.world.start();
    await farm.pass(20);
    expect([farm.state(1), farm.state(2)]).toEqual(["ended", "waiting"]);
    await act("undrain");
    await farm.pass(20);
    expect(farm.state(2)).toBe("ended");
  });
});

describe("a farm whose file has changed", () => {
  it("goes on with the jobs that it had", async () => {
    const world = new FarmWorld(anyFarmOf(two, { victim: "lowest-priority" }));
    await world.start();
    const submit = (more: Partial<JobRequest>): Promise<unknown> =>
      world.act((service) =>
        service.loop.act((turn) =>
          service.submitting.submit(turn, {
            user: "ann",
            jobs: [simulatedJob(more)],
            environment: { CROFT_SIMULATED_SECONDS: "50" },
            key: null,
          }),
        ),
      );
    await submit({ cores: 4, pool: "one" });
    await submit({ cores: 4, pool: "one" });
    await submit({ cores: 4, pool: "two" });
    await world.clock.pass(5);
    await submit({ cores: 4, pool: "two", priority: 99 });
    await world.clock.pass(5);
    world.changeFarm(
      anyFarmOf([{ name: "three", machines: 2, cores: 8 }, ...two.toReversed()], {
        victim: "lowest-priority",
        policy: "easy",
      }),
    );
    await world.start();
    const states = (): string[] => [1, 2, 3, 4].map((job) => findJob(world.database, job)!.state);
    expect(states()).toEqual(["running", "waiting", "suspended", "running"]);
    await world.clock.pass(200);
    expect(states()).toEqual(["ended", "ended", "ended", "ended"]);
    for (const count of world.runs().values()) expect(count).toBe(1);
  });

  it("goes on with none, before anything has happened", async () => {
    const farm = await Farm.of(two);
    farm.world.changeFarm(anyFarmOf([...two, { name: "three", machines: 2, cores: 8 }]));
    await farm.world.start();
    await farm.submit(10, { cores: 8 });
    await farm.pass(20);
    expect(farm.state(1)).toBe("ended");
  });

  it("is refused where jobs are in a pool that it has not any more", async () => {
    const farm = await Farm.of(two);
    await farm.submit(50, { pool: "two" });
    await farm.pass(1);
    farm.world.changeFarm(anyFarmOf(one));
    await expect(farm.world.start()).rejects.toThrow(
      "job 1 is in pool two, which the new farm does not have",
    );
  });

  it("is refused without suspensions where a job is suspended, which nothing would let go on", async () => {
    const farm = await Farm.of(one, { victim: "lowest-priority" });
    await farm.submit(50, { cores: 4 });
    await farm.pass(1);
    await farm.submit(50, { cores: 4, priority: 90 });
    await farm.pass(1);
    expect(farm.state(1)).toBe("suspended");
    farm.world.changeFarm(anyFarmOf(one, { victim: null }));
    await expect(farm.world.start()).rejects.toThrow("job 1 is suspended for another, or about to be");
  });
});

describe("a job that ends while the service is away", () => {
  it("has the end that its engine noted, and has run no longer", async () => {
    const farm = await Farm.of(one);
    await farm.submit(10);
    await farm.pass(1);
    farm.world.die();
    await farm.world.clock.pass(1000);
    await farm.world.start();
    await farm.pass(1);
    const { database } = farm.world;
    const { startedAt, endedAt } = findJob(database, 1)!;
    const ranSeconds = (Date.parse(endedAt!) - Date.parse(startedAt!)) / 1000;
    expect(ranSeconds).toBeCloseTo(10, 1);
    const sql =
      "SELECT job.ended_at = attempt.ended_at AS same FROM job JOIN attempt ON attempt.job = job.number";
    expect(database.get(sql)).toEqual({ same: 1 });
  });

  it("is told to have an end that is not known exactly, where its engine does not know", async () => {
    const farm = await Farm.of(one);
    await farm.submit(10);
    await farm.pass(1);
    farm.world.die();
    await farm.world.clock.pass(1000);
    const before = findJob(farm.world.database, 1)!;
    await farm.world.disk.remove("/engines/one/attempts.jsonl");
    await farm.world.start();
    await farm.pass(1);
    const lost = findJob(farm.world.database, 1)!;
    expect([lost.state, lost.reason]).toEqual([
      "lost",
      "pool one does not know it any more (the farm was away, and when is not known exactly)",
    ]);
    // Where it ran, and since when, is known all the same.
    expect(before.startedAt).not.toBeNull();
    expect([lost.startedAt, lost.machines]).toEqual([before.startedAt, before.machines]);
  });
});

describe("an engine that fails while the farm runs", () => {
  it("is unreachable until it lists its attempts again, and its jobs run on", async () => {
    const farm = await Farm.of(two);
    await farm.submit(300, { pool: "one" });
    await farm.pass(1);
    const [pool] = farm.world.service.pools;
    const { engine } = pool.engine as unknown as { engine: Engine };
    const list = engine.list.bind(engine);
    engine.list = () => Promise.reject(new Error("it is broken"));
    await farm.pass(61);
    expect(pool.unreachable?.reason).toBe("its engine has failed: it is broken");
    const lost = "its engine cannot be reached: its engine has failed: it is broken";
    expect(farm.world.warnings).toEqual([lost]);
    await farm.submit(10, { pool: "one" });
    await farm.submit(10, { pool: "two" });
    await farm.pass(20);
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["running", "waiting", "ended"]);
    engine.list = list;
    await farm.pass(61);
    expect(pool.unreachable).toBe(null);
    expect(farm.world.warnings).toEqual([lost, "its engine is reached again"]);
    await farm.pass(300);
    expect([1, 2].map((job) => farm.state(job))).toEqual(["ended", "ended"]);
    expect(farm.world.wrong()).toEqual([]);
  });
});

describe("machines that change while the farm runs", () => {
  it("take what fits as they are now, over a restart too", async () => {
    const farm = await Farm.of(one);
    const report = async (cores: number): Promise<void> => {
      const [machine] = farm.world.service.pools[0].engine.machines();
      farm.world.service.report(0, { kind: "machine", machine: { ...machine, coresMilli: cores * 1000 } });
      await farm.pass(1);
    };
    await report(2);
    await farm.submit(20, { cores: 2 });
    await farm.submit(20, { cores: 2 });
    await farm.pass(1);
    expect([farm.state(1), farm.state(2)]).toEqual(["running", "waiting"]);
    expect(machineViews(farm.world.service)).toMatchObject([{ cores: 2, coresFree: 0, jobs: [1] }]);
    farm.world.die();
    // Its engine says that the machine has four cores again.
    await farm.world.start();
    await farm.pass(1);
    expect([farm.state(1), farm.state(2)]).toEqual(["running", "running"]);
    expect(machineViews(farm.world.service)).toMatchObject([{ cores: 4, coresFree: 0, jobs: [1, 2] }]);
    // Less than what its jobs hold: nothing is free, and it is said.
    await report(3);
    const reason = "its jobs hold 1 core more than it has, until they end";
    expect(machineViews(farm.world.service)).toMatchObject([{ cores: 3, coresFree: 0, reason }]);
    expect(poolViews(farm.world.service)).toMatchObject([{ cores: 3, coresFree: 0 }]);
    await report(4);
    await farm.pass(30);
    expect(farm.world.wrong()).toEqual([]);
  });

  it("stay as long as jobs are on them, though their engine does not list them any more", async () => {
    const pools = (machines: number): PoolSize[] => [{ name: "one", machines, cores: 4 }];
    const farm = await Farm.of(pools(3));
    for (let i = 0; i < 3; i++) await farm.submit(50, { cores: 4 });
    await farm.pass(1);
    farm.world.changeFarm(anyFarmOf(pools(2)));
    await farm.world.start();
    await farm.submit(1, { cores: 1 });
    await farm.pass(10);
    expect(machineViews(farm.world.service)[2]).toMatchObject({
      name: "one-3",
      state: "closed",
      reason: "its engine does not list it",
      jobs: [3],
    });
    await farm.pass(60);
    expect([1, 2, 3, 4].map((job) => farm.state(job))).toEqual(["ended", "ended", "ended", "ended"]);
    await farm.world.start();
    expect(machineViews(farm.world.service)).toHaveLength(2);
  });
});

describe("trouble", () => {
  it("with the engine's counts: nothing more is decided, what runs goes on, and the state is not written", async () => {
    const farm = await Farm.of(one);
    await farm.submit(50);
    await farm.pass(1);
    const { service } = farm.world;
    freeTwice(service.journal.port);
    await service.stop();
    expect(service.wrongCount).toMatch(
      /of pool 0, machine 0 has .* free milli-cores, and what runs there leaves/,
    );
    // The journal has what was before: the engine that it gives counts rightly.
    await farm.world.start();
    expect(farm.world.service.wrongCount).toBeNull();
    farm.world.service.wrongCount = "planted";
    await farm.submit(5);
    await farm.pass(60);
    expect([farm.state(1), farm.state(2)]).toEqual(["ended", "waiting"]);
    await farm.act("cancel", 2);
    expect(farm.state(2)).toBe("cancelled");
  });

  it("with the disk: nobody is answered and nothing starts before it can be written again", async () => {
    const farm = await Farm.of(one);
    farm.world.databaseFailsWith = "database or disk is full";
    let answered = false;
    void farm.submit(5).then(() => (answered = true));
    await farm.pass(30);
    expect({ answered, writeError: farm.world.service.writeError, runs: farm.world.runs().size }).toEqual({
      answered: false,
      writeError: "database or disk is full",
      runs: 0,
    });
    farm.world.databaseFailsWith = null;
    await farm.pass(3);
    expect({ answered, writeError: farm.world.service.writeError }).toEqual({
      answered: true,
      writeError: null,
    });
    expect(farm.state(1)).toBe("running");
    await farm.pass(5);
    expect(farm.state(1)).toBe("ended");
    expect(farm.world.wrong()).toEqual([]);
  });

  it("with the disk for long: who asks meanwhile is refused, and only who had been dealt with is answered", async () => {
    const farm = await Farm.of(one);
    farm.world.databaseFailsWith = "database or disk is full";
    const first = farm.submit(5);
    await farm.pass(1);
    const later = farm.submit(5);
    const refused = expect(later).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining("database or disk is full") as string,
    });
    await farm.pass(5);
    const latest = farm.submit(5);
    await farm.pass(6);
    await refused;
    farm.world.databaseFailsWith = null;
    expect([(await first).number, (await latest).number]).toEqual([1, 2]);
    await farm.pass(20);
    expect([farm.state(1), farm.state(2)]).toEqual(["ended", "ended"]);
    expect(farm.world.service.submitting.next).toBe(3);
    expect(farm.world.wrong()).toEqual([]);
  });

  it.each([
    ["cancel", "cancelled"],
    ["pause", "suspended"],
  ] as const)(
    "with the disk, and a job that may be what fills it: %s is done before it can be written",
    async (verb, state) => {
      const farm = await Farm.of(one);
      await farm.submit(1000);
      await farm.submit(1000);
      await farm.pass(1);
      const { acts, loop, pools } = farm.world.service;
      const act = (job: number): Promise<void> =>
        loop.act((turn) => acts[verb](turn, job, "ann"), acts.taking(verb, [job]));
      const isDone = async (): Promise<boolean[]> => {
        const listing = await pools[0].engine.list();
        if (listing.kind === "unreachable") throw new Error(listing.reason);
        return listing.attempts.map((attempt) => attempt.state !== "running");
      };
      farm.world.databaseFailsWith = "database or disk is full";
      const answers: unknown[] = [];
      // The one is in the turn that cannot be written, the other comes later.
      for (const job of [1, 2]) {
        void act(job).catch(({ status, message }) => answers.push([status, message]));
        await farm.pass(2);
      }
      expect(await isDone()).toEqual([true, true]);
      expect([farm.state(1), farm.state(2)]).toEqual(["running", "running"]);
      await farm.pass(12);
      const words = [503, expect.stringContaining("what still runs was told, but this is not kept yet")];
      expect(answers).toEqual([words, words]);
      farm.world.databaseFailsWith = null;
      await farm.pass(5);
      expect([farm.state(1), farm.state(2)]).toEqual([state, state]);
      expect(farm.world.wrong()).toEqual([]);
    },
  );

  it("with the disk: an act that nothing could be told of is not answered as begun, nor done later", async () => {
    const farm = await Farm.of(one);
    for (let i = 0; i < 3; i++) await farm.submit(1000, { hold: true });
    const { acts, loop } = farm.world.service;
    farm.world.databaseFailsWith = "database or disk is full";
    const answers: string[] = [];
    for (const job of [1, 2]) {
      void loop
        .act((turn) => acts.cancel(turn, job, "ann"), acts.taking("cancel", [job]))
        .catch(({ message }: Error) => answers.push(message));
      await farm.pass(2);
    }
    await farm.pass(12);
    // The first is in the turn that is still to be written.
    expect(answers).toEqual([
      expect.stringMatching(/this is not done yet: .* If the farm stops before, it is forgotten/),
      expect.stringContaining("this was not done"),
    ]);
    farm.world.databaseFailsWith = null;
    await farm.pass(5);
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["cancelled", "held", "held"]);
    expect(farm.world.wrong()).toEqual([]);
  });

  it("with the disk, and dies before there is room: a cancellation is forgotten, as its answer said", async () => {
    const farm = await Farm.of(one);
    await farm.submit(1000, { hold: true });
    const { acts, loop } = farm.world.service;
    farm.world.databaseFailsWith = "database or disk is full";
    let answer = "";
    void loop
      .act((turn) => acts.cancel(turn, 1, "ann"), acts.taking("cancel", [1]))
      .catch(({ message }: Error) => (answer = message));
    await farm.pass(15);
    farm.world.die();
    farm.world.databaseFailsWith = null;
    await farm.world.start();
    expect([farm.state(1), answer]).toEqual([
      "held",
      expect.stringContaining("it is forgotten: ask for it again"),
    ]);
  });

  it("with the disk of an engine: its pool is unreachable, takes nothing new, and goes on", async () => {
    const farm = await Farm.of(one);
    await farm.submit(10);
    await farm.pass(1);
    farm.world.disk.writesFailWith = "ENOSPC";
    await farm.submit(10);
    await farm.pass(30);
    const [pool] = farm.world.service.pools;
    expect(pool.unreachable?.reason).toBe("the disk is full");
    farm.world.disk.writesFailWith = null;
    await farm.pass(30);
    expect(pool.unreachable).toBeNull();
    expect([farm.state(1), farm.state(2)]).toEqual(["ended", "ended"]);
    for (const count of farm.world.runs().values()) expect(count).toBe(1);
  });

  it.each([3600, -3600, 86_400 * 365])(
    "with the wall clock, which jumps by %i s: nothing ends early or never",
    async (jump) => {
      const farm = await Farm.of(one);
      await farm.submit(100, { timeSeconds: 200, cores: 4 });
      await farm.submit(100, { timeSeconds: 50, cores: 4 });
      await farm.pass(50);
      farm.world.clock.wallOffsetSeconds += jump;
      await farm.pass(40);
      expect(farm.state(1)).toBe("running");
      farm.world.die();
      await farm.world.start();
      await farm.pass(15);
      expect([farm.state(1), farm.state(2)]).toEqual(["ended", "running"]);
      await farm.pass(50);
      expect(findJob(farm.world.database, 2)).toMatchObject({ state: "failed", reason: "its time was over" });
      const [first, second] = [1, 2].map((number) => {
        const { startedAt, endedAt } = findJob(farm.world.database, number)!;
        return (Date.parse(endedAt!) - Date.parse(startedAt!)) / 1000;
      });
      // As long as it ran where the clock tells less than nothing.
      if (jump < 0) expect([Math.round(first), Math.round(second)]).toEqual([100, 50]);
      expect(farm.world.wrong()).toEqual([]);
    },
  );
});

it("tells the times of each job in order where the wall clock is set back, after a restart too", async () => {
  const farm = await Farm.of(one);
  await farm.submit(100, { cores: 4, retries: 1 }, { status: 1 });
  await farm.submit(100, { cores: 4 });
  await farm.submit(100, { hold: true });
  await farm.submit(100, { hold: true });
  await farm.pass(50);
  farm.world.clock.wallOffsetSeconds -= 3600;
  await farm.act("cancel", 3);
  farm.world.die();
  await farm.world.start();
  await farm.act("cancel", 4);
  // The first is tried again before the second.
  await farm.pass(200);
  await farm.act("pause", 2);
  await farm.pass(1000);
  await farm.act("resume", 2);
  farm.world.die();
  await farm.world.start();
  await farm.pass(500);
  const times: string[] = [];
  for (const number of [1, 2, 3, 4]) {
    const { submittedAt, endedAt } = findJob(farm.world.database, number)!;
    const attempts = attemptsOf(farm.world.database, number).flatMap((each) => [
      each.startedAt,
      each.endedAt,
    ]);
    const told = [submittedAt, ...attempts, endedAt].map((time) => Date.parse(time!));
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    times.push(`${farm.state(number)} ${told.length}`);
  }
  expect(times).toEqual(["failed 6", "ended 4", "cancelled 2", "cancelled 2"]);
  expect(farm.world.wrong()).toEqual([]);
});

describe("jobs of months that are over", () => {
  it("are moved into a file that the simulator reads, and the farm goes on", async () => {
    const data = mkdtempSync(join(tmpdir(), "croft-history-"));
    onTestFinished(() => rmSync(data, { recursive: true }));
    const farm = await Farm.of(one);
    farm.world.data = data;
    await farm.world.start();
    // The clock shows 2027-01-15.
    for (let i = 0; i < 20; i++)
      await farm.submit(100 + i, { cores: 2, timeSeconds: 500, requires: "cores >= 2" });
    await farm.submit(1, { cores: 9 });
    await farm.pass(3000);
    await farm.submit(3600 * 24 * 30, { cores: 1 });
    await farm.pass(3600 * 24 * 23);
    expect(findJob(farm.world.database, 5)).toMatchObject({ state: "ended" });
    await farm.world.until("January is moved", () => findJob(farm.world.database, 5) === null, 3600 * 24 * 3);
    const workload = await readWorkload(join(data, "history/2027-01.parquet"));
    expect(workload).toMatchObject({ count: 20, farm: { unixStartSeconds: 1_800_000_000 } });
    expect([...workload.runtimeSeconds]).toEqual(Array.from({ length: 20 }, (_, i) => 100 + i));
    expect(workload.recordedWaitSeconds![2]).toBe(100);
    expect(simulate(workload, anyFarmOf(one), { intervalSeconds: 0 }).result.rejected).toBe(0);
    expect(farm.state(22)).toBe("running");
    farm.world.die();
    await farm.world.start();
    expect((await farm.submit(1)).number).toBe(23);
  });

  it("are each in one file and gone from the database, whenever the service dies meanwhile", async () => {
    const data = mkdtempSync(join(tmpdir(), "croft-history-"));
    onTestFinished(() => rmSync(data, { recursive: true }));
    for (let diesAt = 1, isWhole = false; !isWhole; diesAt++) {
      const farm = await Farm.of(one);
      farm.world.data = join(data, String(diesAt));
      // More than are deleted in a turn, of which one runs on.
      const jobs = Array.from({ length: 700 }, () => simulatedJob({ cores: 0.001, memoryMiB: 1 }));
      await farm.submit(10, {}, { jobs, environment: { CROFT_SIMULATED_SECONDS: "10", A: "1" } });
      const output = join(farm.world.data, "jobs");
      for (const job of [1, 700]) {
        mkdirSync(join(output, String(job)), { recursive: true });
        writeFileSync(join(output, String(job), "stdout"), "printed");
      }
      await farm.pass(50);
      await farm.submit(3600 * 24 * 365, { cores: 0.001 });
      farm.world.clock.wallOffsetSeconds += 3600 * 24 * 25;
      await farm.world.start(diesAt);
      await farm.pass(30);
      isWhole = !farm.world.isDead;
      await farm.world.start();
      await farm.world.until("they are moved", () => findJob(farm.world.database, 700) === null);
      await farm.pass(30);
      const files = readdirSync(join(farm.world.data, "history"));
      expect(files).toEqual(["2027-01.parquet"]);
      const workload = await readWorkload(join(farm.world.data, "history", files[0]));
      expect([...workload.jobNumber!].sort((a, b) => a - b)).toEqual(
        Array.from({ length: 700 }, (_, at) => at + 1),
      );
      const left = (sql: string): unknown => farm.world.database.all(sql).map((row) => Object.values(row));
      expect(left("SELECT number FROM job")).toEqual([[701]]);
      expect(left("SELECT count(*) FROM attempt")).toEqual([[1]]);
      expect(left("SELECT count(*) FROM event WHERE job < 701")).toEqual([[0]]);
      expect(left("SELECT count(*) FROM moving")).toEqual([[0]]);
      expect(left("SELECT count(*) FROM environment")).toEqual([[1]]);
      expect(readdirSync(output)).toEqual([]);
      expect(farm.state(701)).toBe("running");
    }
  });
});
