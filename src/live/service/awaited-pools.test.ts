import { describe, expect, it } from "vitest";

import { findJob } from "../store/job-views.ts";
import { whyAll } from "../why/all.ts";
import { anyFarmOf, type PoolSize } from "./farms.fixture.ts";
import { Farm } from "./farm.fixture.ts";
import { simulatedJob } from "./farm-world.fixture.ts";
import { poolViews } from "./farm-views.ts";

const far: PoolSize = { name: "far", machines: 1, cores: 4 };
const near: PoolSize = { name: "near", machines: 1, cores: 2 };

const AWAITED = "pool far has not been reached yet, and its machines are not known";

const jobIn = (farm: Farm, job: number) => findJob(farm.world.database, job)!;

async function again(farm: Farm): Promise<void> {
  farm.world.die();
  await farm.world.start();
}

/** Starts the farm again, with all its pools reached. */
async function reached(farm: Farm): Promise<void> {
  farm.world.unreached.clear();
  await again(farm);
}

describe("a job for a pool that has not been reached since the farm's first start", () => {
  it.each([
    ["of a farm of one pool", [far], {}],
    ["of a farm of two", [near, far], {}],
    ["behind a queue", [near, far], { hasQueue: true }],
    ["that nobody is suspended for", [far], { victim: null }],
  ])("waits, and runs once its machines are known: a pool %s", async (_, pools, rules) => {
    const farm = await Farm.of(pools, rules, ["far"]);
    expect(await farm.submit(10, { cores: 4, pool: "far" })).toMatchObject({
      state: "waiting",
      reason: AWAITED,
    });
    await farm.pass(100);
    expect(jobIn(farm, 1)).toMatchObject({ state: "waiting", reason: AWAITED, pool: null });
    await again(farm);
    await farm.pass(100);
    expect(jobIn(farm, 1)).toMatchObject({ state: "waiting", reason: AWAITED });
    await reached(farm);
    await farm.pass(1);
    expect(jobIn(farm, 1)).toMatchObject({ state: "running", reason: "", pool: "far" });
    await farm.pass(10);
    expect(farm.state(1)).toBe("ended");
    await farm.submit(10, { cores: 4 });
    await farm.pass(1);
    expect(farm.state(2)).toBe("running");
  });

  it.each([{}, { hasQueue: true }])("is rejected then where no machine can hold it: %o", async (rules) => {
    const farm = await Farm.of([near, far], rules, ["far"]);
    for (const more of [{ pool: "far" }, {}, { hold: true }, { pool: "far", cores: 1 }])
      await farm.submit(10, { cores: 5, ...more });
    const after = await farm.submit(10, { cores: 1, after: [{ job: 1, condition: "failed" }] });
    expect(after.state).toBe("held");
    await farm.pass(1);
    expect([1, 2, 3, 4].map((job) => farm.state(job))).toEqual(["waiting", "waiting", "held", "waiting"]);
    await reached(farm);
    await farm.pass(1);
    const why = "asks for 5 cores on one machine; the largest has 4";
    expect(jobIn(farm, 1)).toMatchObject({ state: "rejected", reason: `pool far does not take it: ${why}` });
    for (const job of [2, 3])
      expect(jobIn(farm, job)).toMatchObject({
        state: "rejected",
        reason:
          "no pool takes it: in near: asks for 5 cores on one machine; the largest has 2, and in far: asks for 5 cores on one machine; the largest has 4",
      });
    expect(farm.kinds(1)).toEqual(["submitted", "rejected"]);
    expect([farm.state(4), farm.state(5)]).toEqual(["running", "running"]);
  });

  it("is sent on by the next service where this one dies before it has done so", async () => {
    const farm = await Farm.of([far], { hasQueue: true }, ["far"]);
    await farm.submit(10, { cores: 5 });
    farm.world.die();
    farm.world.unreached.clear();
    const settings = () =>
      Number(farm.world.database.get("SELECT count(*) AS count FROM settings")!["count"]);
    for (let step = 1; settings() === 1; step++) await farm.world.start(step);
    expect(farm.world.isDead).toBe(true);
    expect(farm.state(1)).toBe("waiting");
    await again(farm);
    expect(farm.state(1)).toBe("rejected");
  });

  it("goes to another pool of its virtual pool that can hold it", async () => {
    const farm = await Farm.of([far, near], {}, ["far"]);
    for (const cores of [1, 1, 3]) await farm.submit(10, { cores });
    await farm.pass(1);
    expect([1, 2, 3].map((job) => [farm.state(job), jobIn(farm, job).pool])).toEqual([
      ["running", "near"],
      ["running", "near"],
      ["waiting", null],
    ]);
    await farm.change(3, { cores: 2 });
    await farm.change(3, { pool: "near" });
    expect(jobIn(farm, 3)).toMatchObject({ state: "waiting", pool: "near", reason: "" });
    await farm.change(3, { pool: "far" });
    expect(jobIn(farm, 3)).toMatchObject({ state: "waiting", pool: null, reason: AWAITED });
    await farm.act("hold", 3);
    await farm.act("release", 3);
    expect(jobIn(farm, 3)).toMatchObject({ state: "waiting", pool: null, reason: AWAITED });
    await reached(farm);
    await farm.pass(1);
    expect(jobIn(farm, 3)).toMatchObject({ state: "running", pool: "far" });
  });

  it("is rejected at once for what does not depend on machines", async () => {
    const farm = await Farm.of([far], { licences: { matlab: 1 } }, ["far"]);
    expect(await farm.submit(10, { licences: "matlab=2" })).toMatchObject({
      state: "rejected",
      reason: "asks for 2 of the licence matlab; the pool has 1",
    });
  });

  it("may require what no machine is known to have, until they are known", async () => {
    const farm = await Farm.of([far], { gpus: { far: "a100" } }, ["far"]);
    for (const requires of ["gpuKind == 'a100'", "disk == 'fast'"]) await farm.submit(10, { requires });
    await reached(farm);
    await farm.pass(1);
    expect(farm.state(1)).toBe("running");
    expect(jobIn(farm, 2)).toMatchObject({ state: "rejected", reason: "no machine meets disk == 'fast'" });
    await expect(farm.submit(10, { requires: "disk == 'fast'" })).rejects.toThrow(
      "no machine of the farm has",
    );
  });

  it("waits with all of its array, as many of which run at a time as may", async () => {
    const farm = await Farm.of([far], {}, ["far"]);
    const jobs = [0, 1, 2].map((index) => ({ index, first: 1, most: 2 }));
    await farm.world.act(({ loop, submitting }) =>
      loop.act((turn) =>
        submitting.submit(turn, {
          user: "ann",
          jobs: jobs.map((array) => ({ ...simulatedJob(), array })),
          environment: { CROFT_SIMULATED_SECONDS: "10" },
          key: null,
        }),
      ),
    );
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["waiting", "waiting", "held"]);
    await reached(farm);
    await farm.pass(1);
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["running", "running", "held"]);
    await farm.pass(20);
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["ended", "ended", "ended"]);
  });

  it("is explained by that", async () => {
    const farm = await Farm.of([near, far], {}, ["far"]);
    await farm.submit(10, { cores: 4 });
    await farm.pass(1);
    const { service } = farm.world;
    const asked = await farm.world.act(({ explaining, books }) => explaining.explain(books.jobs.get(1)!));
    expect(asked).toMatchObject({
      answer: {
        dominant: { token: "unreachable", sentence: `${AWAITED}: nobody answers` },
        waits: { pool: null, reasons: [], unreachable: "nobody answers" },
      },
    });
    expect(whyAll(farm.world.database, { at: service.farmTime(), user: null })).toMatchObject({
      reasons: [{ token: "unreachable", jobs: 1 }],
      culprits: [{ what: "the machines of far", jobs: 1 }],
    });
  });

  it("waits where a reload adds the pool", async () => {
    const farm = await Farm.of([near], {});
    await farm.submit(10, { cores: 2 });
    farm.world.changeFarm(anyFarmOf([near, far]));
    farm.world.unreached.add("far");
    await again(farm);
    await farm.submit(10, { cores: 4, pool: "far" });
    await farm.pass(1);
    expect([farm.state(1), farm.state(2)]).toEqual(["running", "waiting"]);
    await reached(farm);
    await farm.pass(1);
    expect(jobIn(farm, 2)).toMatchObject({ state: "running", pool: "far" });
  });
});

it("a pool that was reached before keeps its machines while it is not", async () => {
  const farm = await Farm.of([near, far]);
  farm.world.unreached.add("far");
  await again(farm);
  expect(await farm.submit(10, { cores: 5, pool: "far" })).toMatchObject({ state: "rejected" });
  await farm.submit(10, { cores: 4 });
  await farm.pass(10);
  expect(jobIn(farm, 2)).toMatchObject({ state: "waiting", pool: "far", reason: "" });
  expect(poolViews(farm.world.service)[1]).toMatchObject({ machines: 1 });
  await reached(farm);
  await farm.pass(1);
  expect(farm.state(2)).toBe("running");
});

describe("a service is told to be opened again", () => {
  it("by a pool that has not been reached, once that tells of a machine or answers", async () => {
    const farm = await Farm.of([near, far], {}, ["far"]);
    await farm.pass(200);
    expect(farm.world.machinesKnown).toBe(0);
    const machine = {
      name: "far1",
      coresMilli: 4000,
      memoryMiB: 4000,
      gpuMilli: 0,
      state: "up" as const,
      reason: "",
      attributes: {},
    };
    farm.world.service.report(1, { kind: "machine", machine });
    await farm.pass(1);
    expect(farm.world.machinesKnown).toBe(1);
    farm.world.service.report(0, { kind: "machine", machine });
    await farm.pass(1);
    expect(farm.world.machinesKnown).toBe(1);
    farm.world.unreached.clear();
    await farm.pass(61);
    expect(farm.world.machinesKnown).toBe(2);
  });
});
