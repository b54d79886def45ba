import { describe, expect, it } from "vitest";

import type { ProjectView } from "../../simulation/index.ts";

import { anyFarmOf, type FarmRules, type PoolSize } from "./farms.fixture.ts";
import { Farm } from "./farm.fixture.ts";

const one: readonly PoolSize[] = [{ name: "one", machines: 1, cores: 4 }];
const HOUR = 3600;
const rules: FarmRules = {
  shares: [
    { path: "/a", share: 2 },
    { path: "/b", share: 1 },
  ],
  usage: { halfLifeSeconds: 2 * HOUR, of: "cores" },
};

function projects(farm: Farm): Readonly<Record<string, ProjectView>> {
  const [view] = farm.world.service.shares();
  return Object.fromEntries(view.projects.map((each) => [each.project, each]));
}

/** The core-hours of one core in an hour, as they count at its end: 2 h are a half-life. */
const ONE_HOUR = (2 * (1 - Math.SQRT1_2)) / Math.LN2;

describe("the shares of a farm", () => {
  it("tell what each project is due, has used and uses now", async () => {
    const farm = await Farm.of(one, rules);
    await farm.submit(HOUR, { cores: 4, project: "/a" });
    await farm.submit(HOUR, { cores: 4, project: "/b" });
    await farm.submit(10, { cores: 4, project: "/a" });
    await farm.pass(HOUR / 2);
    expect(projects(farm)).toMatchObject({
      "": { due: 0.25, usedHours: 0, usedPart: 0, coresRunning: 0, running: 0, waiting: 0 },
      "/a": { due: 0.5, usedPart: 1, coresRunning: 4, running: 1, waiting: 1 },
      "/b": { due: 0.25, usedHours: 0, usedPart: 0, coresRunning: 0, running: 0, waiting: 1 },
    });
    await farm.pass(HOUR + 60);
    const { "/a": a, "/b": b } = projects(farm);
    expect(b).toMatchObject({ coresRunning: 4, running: 1, waiting: 0 });
    expect(a.usedHours).toBeCloseTo(4 * ONE_HOUR * 2 ** (-(HOUR / 2 + 60) / (2 * HOUR)), 2);
    expect(a.usedPart! + b.usedPart!).toBeCloseTo(1, 10);
  });

  it("tell what is in use where it goes by that, and nothing where no pool has any", async () => {
    const farm = await Farm.of(one, { shares: rules.shares! });
    await farm.submit(10, { cores: 3, project: "/a" });
    await farm.pass(5);
    expect(farm.world.service.shares()).toMatchObject([
      { pool: "one", fairShare: "running", halfLifeSeconds: null, of: null },
    ]);
    expect(projects(farm)["/a"]).toMatchObject({ usedHours: null, usedPart: null, coresRunning: 3 });
    expect((await Farm.of(one)).world.service.shares()).toEqual([]);
  });
});

describe("what projects have used", () => {
  it("is there after the service died, exactly", async () => {
    const farm = await Farm.of(one, rules);
    await farm.submit(HOUR, { cores: 2, project: "/a" });
    await farm.submit(HOUR, { cores: 1, project: "/b" });
    await farm.submit(300, { cores: 1, project: "/b" });
    await farm.pass(HOUR / 2);
    const state = () => {
      const { pools } = farm.world.service.journal.port.save().engine;
      return pools[0];
    };
    const { usage } = farm.world.service.journal.port.view.pools[0];
    const before = state().usage;
    farm.world.die();
    await farm.world.start();
    const after = farm.world.service.journal.port.view.pools[0].usage!;
    expect(after).not.toBe(usage);
    expect(state().usage).toEqual(before);
    const now = farm.world.service.farmTime();
    expect(after.usedByProject(now)).toEqual(usage!.usedByProject(now));
  });

  it("goes on counting by a new file: by its half-life, and with all others where a share is gone", async () => {
    const farm = await Farm.of(one, rules);
    await farm.submit(3 * HOUR, { cores: 2, project: "/a" });
    await farm.submit(HOUR, { cores: 1, project: "/b" });
    await farm.pass(HOUR + 1);
    const before = projects(farm);
    const shares = [
      { path: "/c", share: 1 },
      { path: "/a", share: 1 },
    ];
    farm.world.changeFarm(anyFarmOf(one, { shares, usage: { halfLifeSeconds: 1e12, of: "cores" } }));
    await farm.world.start();
    const after = projects(farm);
    expect(after["/a"].usedHours).toBeCloseTo(before["/a"].usedHours!, 2);
    expect(after["/c"].usedHours).toBe(0);
    expect(after[""].usedHours).toBeCloseTo(before["/b"].usedHours!, 2);
    // A job that runs goes on counting, and nothing decays any more.
    await farm.pass(HOUR);
    expect(projects(farm)["/a"].usedHours).toBeCloseTo(after["/a"].usedHours! + 2, 2);
    // Of something else all begin at nothing, from the last event on.
    await farm.submit(1);
    await farm.pass(1);
    farm.world.changeFarm(anyFarmOf(one, { shares, usage: { halfLifeSeconds: 1e12, of: "memory" } }));
    await farm.world.start();
    expect(projects(farm)["/a"].usedHours).toBeCloseTo(0, 2);
    expect(farm.world.wrong()).toEqual([]);
  });

  it("starts at nothing where a farm begins to count, whatever runs", async () => {
    const farm = await Farm.of(one, { shares: rules.shares! });
    await farm.submit(HOUR, { cores: 2, project: "/a" });
    await farm.pass(HOUR / 2);
    await farm.submit(1);
    await farm.pass(1);
    farm.world.changeFarm(anyFarmOf(one, rules));
    await farm.world.start();
    expect(projects(farm)["/a"].usedHours).toBeLessThan(0.01);
    await farm.pass(HOUR / 4);
    expect(projects(farm)["/a"].usedHours).toBeGreaterThan(0.4);
  });
});

it("a job is told what its project has used, where later jobs come before it for that", async () => {
  const farm = await Farm.of(one, { ...rules, usage: { halfLifeSeconds: 1e12, of: "cores" } });
  await farm.submit(HOUR, { cores: 4, project: "/a" });
  await farm.submit(100, { cores: 4, project: "/a" });
  await farm.submit(100, { cores: 4, project: "/b" });
  await farm.submit(100, { cores: 4, project: "/b" });
  await farm.pass(HOUR + 50);
  const { books, explaining } = farm.world.service;
  const answer = explaining.explain(books.jobs.get(2)!);
  await farm.pass(1);
  const { waits } = (await answer)!;
  expect(waits!.reasons!.at(-1)).toMatchObject({
    kind: "share used",
    project: "/a",
    of: "cores",
    usedHours: expect.closeTo(4, 2) as number,
    // The next one, and the one that runs in its place.
    before: [4, 3],
  });
});
