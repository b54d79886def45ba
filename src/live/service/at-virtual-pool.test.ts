import { describe, expect, it } from "vitest";

import type { DominantReason } from "../../simulation/index.ts";
import { whyAll } from "../why/all.ts";
import { whyOne } from "../why/one.ts";
import { Farm } from "./farm.fixture.ts";
import { dominantTokenOf } from "./pauses.fixture.ts";

const two = ["one", "two"].map((name) => ({ name, machines: 1, cores: 4 }));
const none = { runningJobs: null, runningCores: null, waitingJobs: null, jobsAtOnce: null };

async function drain(farm: Farm, pool: string): Promise<void> {
  await farm.world.act(({ loop, acts }) =>
    loop.act((turn) => acts.drain(turn, pool, pool, "new disk", "ann")),
  );
}

/** What `croft explain --all` says of the farm's jobs. */
function all(farm: Farm): { token: string; what: string }[] {
  const { database, service } = farm.world;
  const { culprits } = whyAll(database, { at: service.farmTime(), user: null });
  return culprits.map(({ token, what }) => ({ token, what }));
}

describe("why a job waits at its virtual pool", () => {
  it("is a limit, though pools have room", async () => {
    const farm = await Farm.of(two, {
      hasQueue: true,
      limits: [{ of: "user", name: "ann", ...none, runningCores: 4 }],
    });
    await farm.submit(100, { cores: 3 });
    await farm.submit(100, { cores: 2 });
    await farm.pass(1);
    expect(await dominantTokenOf(farm, 2)).toEqual({
      token: "limit",
      sentence: "above ann's limit of 4 cores: 3 are in use, and it asks for 2",
    });
    expect(all(farm)).toEqual([{ token: "limit", what: "ann's limit of 4 cores" }]);
  });

  it("is a licence, where no pool has enough", async () => {
    const farm = await Farm.of(two, { hasQueue: true, licences: { matlab: 1 } });
    for (let job = 1; job <= 3; job++) await farm.submit(100, { cores: 1, licences: "matlab" });
    await farm.pass(1);
    expect(await dominantTokenOf(farm, 3)).toMatchObject({ token: "licence" });
    expect(all(farm)).toEqual([{ token: "licence", what: "the licence matlab" }]);
  });

  it("is that the machines of all pools take no jobs, or that all pools are paused", async () => {
    const farm = await Farm.of(two, { hasQueue: true });
    await drain(farm, "one");
    await drain(farm, "two");
    await farm.submit(100, { cores: 1 });
    await farm.submit(100, { cores: 1, pool: "one" });
    await farm.pass(1);
    expect(await dominantTokenOf(farm, 1)).toEqual({
      token: "drained",
      sentence: "2 machines could hold it, and take no jobs: one, two: new disk (ann)",
    });
    expect(all(farm)).toEqual([
      { token: "drained", what: "one of the pools one, two" },
      { token: "drained", what: "pool one" },
    ]);
    await farm.world.act(({ loop, pauses }) =>
      loop.act((turn) => pauses.pause(turn, "one", { actor: "eve", reason: "move", suspends: false })),
    );
    const paused: DominantReason = {
      token: "paused",
      sentence:
        "eve has paused pool one (move): nothing starts there until an operator lets it (croft unpause one)",
    };
    expect(await dominantTokenOf(farm, 2)).toEqual(paused);
    expect(await dominantTokenOf(farm, 1)).toMatchObject({ token: "drained" });
    // For so long the same is answered again.
    await farm.pass(11);
    expect(all(farm)).toContainEqual({ token: "paused", what: "pool one" });
  });

  it("is that the only pools are paused that could run it", async () => {
    const farm = await Farm.of([two[0], { ...two[1], cores: 2 }], { hasQueue: true });
    await farm.submit(100, { cores: 3 });
    await farm.submit(100, { cores: 2, pool: "two" });
    await farm.submit(100, { cores: 1 });
    await farm.world.act(({ loop, pauses }) =>
      loop.act((turn) => pauses.pause(turn, "one", { actor: "eve", reason: "move", suspends: false })),
    );
    await farm.submit(100, { cores: 3 });
    await farm.submit(100, { cores: 2 });
    await farm.pass(1);
    expect(await dominantTokenOf(farm, 4)).toMatchObject({
      token: "paused",
      sentence: expect.stringMatching(/^eve has paused pool one \(move\)/),
    });
    expect(await dominantTokenOf(farm, 5)).toMatchObject({ token: "no-pool-has-room" });
    expect(all(farm)).toContainEqual({ token: "paused", what: "pool one" });
    expect(all(farm)).not.toContainEqual({ token: "paused", what: "one of the pools one, two" });
  });

  it("is else that none has room, and what the machine lacks that lacks least", async () => {
    const farm = await Farm.of(two, { hasQueue: true });
    await farm.submit(100, { cores: 4, pool: "one" });
    await farm.submit(100, { cores: 2, pool: "two" });
    await farm.submit(100, { cores: 3 });
    await farm.pass(1);
    expect(await dominantTokenOf(farm, 3)).toEqual({
      token: "no-pool-has-room",
      sentence: "no pool has room: one, two; two, which lacks least, lacks 1 core",
    });
    await drain(farm, "one");
    expect(await dominantTokenOf(farm, 3)).toMatchObject({ token: "no-pool-has-room" });
  });
});

it("ahead of a job are those of projects that have used less, where fair share goes by that", async () => {
  const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }], {
    policy: "first-fit",
    shares: [
      { path: "/a", share: 1 },
      { path: "/b", share: 1 },
    ],
    usage: { halfLifeSeconds: 86_400, of: "cores" },
  });
  await farm.submit(1000, { cores: 4, project: "/a" });
  await farm.pass(100);
  await farm.submit(10, { cores: 4, project: "/a" });
  await farm.submit(10, { cores: 4, project: "/b" });
  await farm.pass(1);
  const { database, service } = farm.world;
  const ahead = (job: number): unknown =>
    whyOne(database, { job, at: service.farmTime(), isWaiting: true }).ahead;
  expect(ahead(2)).toMatchObject({ jobs: 1, first: [3] });
  expect(ahead(3)).toMatchObject({ jobs: 0 });
});
