import { describe, expect, it } from "vitest";

import { anyFarmOf, type PoolSize } from "../service/farms.fixture.ts";
import { Farm } from "../service/farm.fixture.ts";
import { simulatedJob } from "../service/farm-world.fixture.ts";
import { NotingReasons } from "../service/noting-reasons.ts";
import { findJob, listJobs } from "../store/job-views.ts";
import { whyAll } from "./all.ts";
import { changesOf, MOST_CHANGES } from "./changes.ts";
import { newReasons } from "./noted.ts";
import { whyOne, type FoundOut } from "./one.ts";

const one: readonly PoolSize[] = [{ name: "one", machines: 2, cores: 4 }];
const two: readonly PoolSize[] = [...one, { name: "two", machines: 1, cores: 2 }];

function why(farm: Farm, job: number, isWaiting = true): FoundOut {
  const { database, service } = farm.world;
  return whyOne(database, { job, at: service.farmTime(), isWaiting });
}

/** Notes for what reason each job waits now. */
async function note(farm: Farm): Promise<void> {
  const { world } = farm;
  const { service, database, clock } = world;
  const noting = new NotingReasons({
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    loop: service.loop,
    // At once: while a module is loaded the world's clock would go on.
    trials: { do: async (_, input) => newReasons(database, input as never) as never },
    farmTime: () => service.farmTime(),
    isAnyWaiting: () => service.journal.port.view.jobs.waiting > 0,
  });
  const outcome = await world.act(() => noting.note());
  expect(outcome).toHaveProperty("answer");
}

async function drain(farm: Farm, machine: string): Promise<void> {
  await farm.world.act(({ loop, acts }) =>
    loop.act((turn) => acts.drain(turn, "one", machine, "disk", "ann")),
  );
}

describe("what is found out of a job that waits", () => {
  it("is who is ahead, and a change that the farm then takes and starts it with", async () => {
    const farm = await Farm.of(one);
    for (let job = 1; job <= 2; job++) await farm.submit(100, { cores: 3 });
    await farm.submit(100, { cores: 2, timeSeconds: 7200, memoryMiB: 10 });
    await farm.submit(100, { cores: 2, priority: 20 });
    await farm.submit(100, { cores: 2, priority: 10 });
    await farm.pass(1);
    expect(why(farm, 5)).toMatchObject({
      ahead: { jobs: 2, coreHours: 4, withoutLimit: 1, first: [3, 4] },
      notTried: null,
      lost: [],
    });
    const { helps } = why(farm, 3);
    expect(helps).toMatchObject({ startsAsItIs: false, isCutShort: false });
    expect(helps!.changes).toEqual([
      {
        change: { cores: 1 },
        machines: 2,
        sentence: "with 1 core instead of 2 it would start now, on one of 2 machines",
      },
    ]);
    await farm.change(3, helps!.changes[0].change);
    await farm.pass(1);
    expect(farm.state(3)).toBe("running");
    expect(why(farm, 3, false)).toMatchObject({ ahead: null, helps: null, notTried: null });
  });

  it("is a limit that ends before a reservation begins, and no job is passed by that where none is ahead", async () => {
    const begin = Math.floor((await Farm.of(one)).world.clock.unixSeconds());
    const disks = {
      name: "disks",
      pool: 0,
      machines: null,
      from: { since: "1970" as const, seconds: begin + 7500 },
      seconds: 60,
      users: [],
      groups: [],
      projects: [],
      reason: null,
    };
    const farm = await Farm.of(one, { reservations: [disks] });
    await farm.submit(100);
    await farm.pass(1);
    expect(why(farm, 1).helps!.changes.map(({ sentence }) => sentence)).toEqual([
      "with a limit of 2 h it would start now, on one of 2 machines",
    ]);
  });

  it("is a limit with which EASY lets it go, another pool, or no requirement", async () => {
    const farm = await Farm.of(two, { policy: "easy" });
    const onOne = { pool: "one", memoryMiB: 10 };
    for (let job = 1; job <= 2; job++) await farm.submit(5000, { ...onOne, cores: 3, timeSeconds: 5000 });
    await farm.submit(100, { ...onOne, cores: 4, timeSeconds: 100 });
    // One of the two machines is free in 5000 s for job 3; the other takes a long job.
    for (let job = 4; job <= 5; job++) await farm.submit(100, { ...onOne, cores: 1, timeSeconds: 9000 });
    await farm.submit(100, { cores: 1, timeSeconds: 9000, requires: "cores >= 4", memoryMiB: 10 });
    await farm.pass(1);
    const sentences = (job: number): string[] =>
      why(farm, job).helps!.changes.map(({ sentence }) => sentence);
    expect([4, 5, 6].map((job) => farm.state(job))).toEqual(["running", "waiting", "waiting"]);
    expect(sentences(5)).toEqual([
      "with a limit of 1 h it would be let go before others now, on 1 machine",
      "in pool two it would start now, on 1 machine",
      "with the priority 99 it would start now, on 1 machine",
    ]);
    expect(sentences(6)).toEqual([
      "with a limit of 1 h it would be let go before others now, on 1 machine",
      "submitted again without its requirement it would start now, on 1 machine",
      "with the priority 99 it would start now, on 1 machine",
    ]);
  });

  it("is as many cores as a limit leaves", async () => {
    const limits = { runningJobs: null, runningCores: 5, waitingJobs: null, jobsAtOnce: null };
    const farm = await Farm.of([{ name: "one", machines: 2, cores: 8 }], {
      limits: [{ of: "user", name: "ann", ...limits }],
    });
    for (const cores of [3, 5]) await farm.submit(1000, { cores });
    await farm.pass(1);
    const sentence = "with 2 cores instead of 5 it would start now, on one of 2 machines";
    expect(why(farm, 2).helps!.changes).toMatchObject([{ change: { cores: 2 }, sentence }]);
  });

  it("is to do without GPUs, in plain words", async () => {
    const farm = await Farm.of([{ name: "one", machines: 1, cores: 8 }], { gpus: { one: "a100" } });
    await farm.submit(1000, { cores: 1, gpus: 4 });
    await farm.submit(1000, { cores: 1, gpus: 1 });
    await farm.pass(1);
    expect(why(farm, 2).helps!.changes).toEqual([
      { change: { gpus: 0 }, machines: 1, sentence: "without GPUs it would start now, on 1 machine" },
    ]);
  });

  it("is the pool with room, of however many that are full", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const farm = await Farm.of(
      names.map((name) => ({ name, machines: 1, cores: 4 })),
      { victim: null },
    );
    for (const pool of ["a", "b", "c", "d", "e"]) await farm.submit(1000, { cores: 4, pool });
    await farm.submit(100, { cores: 4, pool: "a" });
    await farm.pass(1);
    const sentence = "in pool f it would start now, on 1 machine";
    expect(why(farm, 6).helps!.changes).toMatchObject([{ change: { pool: "f" }, sentence }]);
  });

  it("is told again without another try, until something happens", async () => {
    const farm = await Farm.of(one);
    for (let job = 1; job <= 3; job++) await farm.submit(100, { cores: 4 });
    await farm.pass(1);
    const first = why(farm, 3);
    // The farm itself was only asked, and its clock goes on.
    await farm.world.act(({ explaining, books }) => explaining.explain(books.jobs.get(3)!));
    expect(why(farm, 3).helps).toBe(first.helps);
    await farm.pass(20);
    expect(why(farm, 3).helps).not.toBe(first.helps);
    const second = why(farm, 3);
    expect(why(farm, 3).helps).toBe(second.helps);
    await farm.submit(1);
    expect(why(farm, 3).helps).not.toBe(second.helps);
  });

  it("is known of one at its virtual pool too: who is offered to the pools first, and what the farm then starts", async () => {
    const farm = await Farm.of(two, { hasQueue: true });
    for (const cores of [3, 3, 2]) await farm.submit(100, { cores });
    await farm.submit(100, { cores: 4, priority: 60, timeSeconds: 3600 });
    await farm.submit(100, { cores: 2, priority: 70, timeSeconds: 3600 });
    await farm.submit(100, { cores: 2, priority: 60 });
    await farm.pass(1);
    expect(findJob(farm.world.database, 6)).toMatchObject({ state: "waiting", pool: null });
    const { ahead, helps, notTried } = why(farm, 6);
    expect(ahead).toMatchObject({ jobs: 2, coreHours: 6, first: [5, 4] });
    expect(notTried).toBeNull();
    expect(helps!.changes.map(({ change }) => change)).toContainEqual({ cores: 1 });
    await farm.change(6, { cores: 1 });
    await farm.pass(1);
    expect(farm.state(6)).toBe("running");
  });

  it("is what an attempt did that was ended for another job", async () => {
    const farm = await Farm.of([one[0]], { victim: "lowest-priority", engine: { suspend: "none" } });
    for (let job = 1; job <= 2; job++) await farm.submit(1000, { cores: 4, priority: 1 });
    await farm.pass(60);
    await farm.submit(1000, { cores: 4, priority: 90 });
    await farm.pass(60);
    const [job] = [1, 2].filter((each) => farm.state(each) === "waiting");
    const { lost } = why(farm, job);
    expect(lost).toMatchObject([{ attempt: 1, machines: [expect.stringMatching(/^one-/)] }]);
    expect(lost[0].seconds).toBeGreaterThan(55);
    expect(lost[0].seconds).toBeLessThan(100);
  });
});

describe("how the reason changed", () => {
  it("is noted when it changes, ends when the job starts, and stands in lists", async () => {
    const farm = await Farm.of(one, { victim: null });
    const { database } = farm.world;
    for (let job = 1; job <= 2; job++) await farm.submit(1000, { cores: 4 });
    await farm.submit(10, { cores: 2 });
    await farm.pass(1);
    expect(findJob(database, 3)!.waitsFor).toBeNull();
    await note(farm);
    await farm.pass(100);
    await note(farm);
    expect(changesOf(database, 3)).toMatchObject([{ token: "cores", to: null }]);
    expect(listJobs(database, { limit: 10 }).map(({ waitsFor }) => waitsFor)).toEqual([null, null, "cores"]);
    await drain(farm, "one-1");
    await drain(farm, "one-2");
    await farm.pass(100);
    await note(farm);
    const [cores, drained] = changesOf(database, 3);
    expect(drained).toMatchObject({ token: "drained", from: cores.to, to: null });
    // The clock of this world goes on while people are answered.
    const seconds = (Date.parse(cores.to!) - Date.parse(cores.from)) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(200);
    expect(seconds).toBeLessThan(300);
    await farm.world.act(({ loop, acts }) =>
      loop.act((turn) => {
        for (const machine of ["one-1", "one-2"]) acts.undrain(turn, "one", machine, "ann");
      }),
    );
    await farm.pass(1000);
    expect(farm.state(3)).toBe("ended");
    expect(changesOf(database, 3).map(({ to }) => to === null)).toEqual([false, false]);
    expect(findJob(database, 3)!.waitsFor).toBeNull();
  });
});

it("counts the time that a job was held, for each cause, to what it waited", async () => {
  const farm = await Farm.of(one);
  const { database, service } = farm.world;
  const beginAt = service.unixSeconds() + 300;
  await farm.submit(10, { cores: 1, beginAt });
  await farm.submit(100, { cores: 1 });
  await farm.submit(10, { cores: 1, after: [{ job: 2, condition: "ok" }] });
  await farm.submit(10, { cores: 1, hold: true });
  const jobs = [0, 1].map((index) => simulatedJob({ cores: 1, array: { first: 0, index, most: 1 } }));
  await farm.submit(50, {}, { jobs });
  await farm.pass(200);
  await farm.act("release", 4);
  await farm.pass(1);
  expect(changesOf(database, 1)).toMatchObject([{ token: "begin-time", to: null }]);
  await farm.pass(200);
  const spans = (job: number): object[] =>
    changesOf(database, job).map(({ token, from, to }) => ({
      token,
      seconds: Math.round((Date.parse(to!) - Date.parse(from)) / 10_000) * 10,
    }));
  expect(spans(1)).toEqual([{ token: "begin-time", seconds: 300 }]);
  expect(spans(3)).toEqual([{ token: "after-job", seconds: 100 }]);
  expect(spans(4)).toEqual([{ token: "held", seconds: 200 }]);
  expect(spans(6)).toEqual([{ token: "array-limit", seconds: 50 }]);
  expect(spans(2)).toEqual([]);
});

describe("how often it changed", () => {
  it("is kept for the last hundred changes, and the last one always stands in lists", async () => {
    const farm = await Farm.of(one, { victim: null });
    const { database } = farm.world;
    for (let job = 1; job <= 2; job++) await farm.submit(1e6, { cores: 4 });
    await farm.submit(10, { cores: 2 });
    database.commit(
      Array.from({ length: MOST_CHANGES }, (_, at) => ({
        sql: "INSERT INTO wait_reason (job, at, token, sentence) VALUES (3, ?, 'memory', '')",
        values: [at],
      })),
    );
    await farm.pass(1);
    await note(farm);
    const changes = changesOf(database, 3);
    expect(changes).toHaveLength(MOST_CHANGES);
    expect(Date.parse(changes[0].from)).toBe(1000);
    expect(findJob(database, 3)!.waitsFor).toBe("cores");
  });
});

describe("for what all jobs wait", () => {
  it("is counted by reason and by what they wait for, of a user's jobs or of all", async () => {
    const farm = await Farm.of(two, { policy: "first-fit", licences: { matlab: 1 } });
    for (let job = 1; job <= 2; job++) await farm.submit(1000, { cores: 4, memoryMiB: 10 });
    for (let job = 3; job <= 5; job++) await farm.submit(1000, { cores: 3 }, { user: "eve" });
    await farm.submit(1000, { cores: 1, licences: "matlab", pool: "two" });
    await farm.submit(1000, { cores: 1, licences: "matlab", pool: "two" });
    await farm.submit(1000, { hold: true });
    await farm.submit(1000, { after: [{ job: 1, condition: "ok" }] });
    await farm.pass(1);
    const { database, service } = farm.world;
    const all = whyAll(database, { at: service.farmTime(), user: null });
    expect(all).toMatchObject({ waiting: 6, examined: 6, notTold: null });
    expect(all.reasons.map(({ token, jobs, first }) => [token, jobs, first])).toEqual([
      ["cores", 3, [3, 4, 5]],
      ["held", 1, [8]],
      ["after-job", 1, [9]],
      ["licence", 1, [7]],
    ]);
    expect(all.culprits.map(({ token, what, jobs }) => `${jobs} ${token} ${what}`)).toEqual([
      "3 cores pool one",
      "1 held a release",
      "1 after-job job 1",
      "1 licence the licence matlab",
    ]);
    expect(whyAll(database, { at: service.farmTime(), user: "eve" })).toMatchObject({
      waiting: 3,
      reasons: [{ token: "cores", jobs: 3 }],
    });
    expect(whyAll(database, { at: service.farmTime(), user: "nobody" })).toMatchObject({
      waiting: 0,
      reasons: [],
    });
  });

  it("is a limit and no machines for jobs above it, a paused pool, and machines that are gone", async () => {
    const limits = { runningJobs: 1, runningCores: null, waitingJobs: null, jobsAtOnce: null };
    const rules = { limits: [{ of: "user", name: "eve", ...limits }] } as const;
    const farm = await Farm.of(two, rules);
    const { world } = farm;
    const culprits = (): unknown[] =>
      whyAll(world.database, { at: world.service.farmTime(), user: null }).culprits.map(
        ({ token, what, jobs, machines }) => [token, what, jobs, machines],
      );
    for (let job = 1; job <= 3; job++) await farm.submit(1000, { cores: 3 }, { user: "eve" });
    await world.act(({ loop, pauses }) =>
      loop.act((turn) => pauses.pause(turn, "two", { actor: "ann", reason: "", suspends: false })),
    );
    for (let job = 4; job <= 5; job++) await farm.submit(1000, { cores: job - 3, pool: "two" });
    await farm.pass(1);
    expect(culprits()).toEqual([
      ["limit", "eve's limit of 1 job", 2, []],
      ["paused", "pool two", 2, []],
    ]);
    world.changeFarm(anyFarmOf([two[0], { ...two[1], cores: 1 }], rules));
    await world.start();
    await world.act(({ loop, pauses }) => loop.act((turn) => pauses.unpause(turn, "two", "ann")));
    await farm.pass(1);
    expect(culprits()).toContainEqual(["no-machine", "a machine that pool two does not have", 1, []]);
  });

  it("names the few machines that many wait for", async () => {
    const farm = await Farm.of([{ name: "one", machines: 1, cores: 8 }]);
    farm.world.changeFarm({
      ...anyFarmOf([{ name: "one", machines: 1, cores: 8 }]),
      pools: anyFarmOf([{ name: "one", machines: 1, cores: 8 }]).pools.map((pool) => ({
        ...pool,
        groups: [...pool.groups, { ...pool.groups[0], count: 5, coresMilli: 2000 }],
      })),
    });
    await farm.world.start();
    for (let job = 1; job <= 6; job++) await farm.submit(1000, { cores: 5 });
    await farm.pass(1);
    const { database, service } = farm.world;
    const { culprits } = whyAll(database, { at: service.farmTime(), user: null });
    expect(culprits).toEqual([
      {
        token: "cores",
        what: "1 of 6 machines of pool one",
        jobs: 5,
        first: [2, 3, 4, 5, 6],
        machines: [expect.stringMatching(/^one/)],
      },
    ]);
  });
});
