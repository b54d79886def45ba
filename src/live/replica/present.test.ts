import { expect, it } from "vitest";

import { Farm } from "../service/farm.fixture.ts";
import { readPresent, type Present } from "./present.ts";
import { Replica } from "./replica.ts";

function presentOf({ world: { service, database } }: Farm): Present {
  const instant = { farmSeconds: service.farmTime(), unixSeconds: service.unixSeconds() };
  return readPresent(database, new Replica(database), instant);
}

/** Forty jobs of one user have run for a quarter of their limit, one for all of it. */
async function aFarm(): Promise<Farm> {
  const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
  for (let job = 0; job < 40; job++) {
    await farm.submit(job === 0 ? 390 : 100, { cores: 4, timeSeconds: 400 });
    await farm.pass(400);
  }
  return farm;
}

it("a job is expected to run for such a part of its limit as those before it did", async () => {
  const farm = await aFarm();
  await farm.submit(1e6, { cores: 4, timeSeconds: 4000 });
  await farm.submit(1e6, { cores: 4, timeSeconds: 40_000 });
  const { runSecondsOf } = presentOf(farm);
  expect(runSecondsOf(41) / 4000).toBeCloseTo(0.28, 1);
  expect(runSecondsOf(42) / 40_000).toBeCloseTo(0.28, 1);
});

it("a job that runs is expected to run as long as those did that had run as long", async () => {
  const farm = await aFarm();
  await farm.submit(1e6, { cores: 4, timeSeconds: 4000 });
  await farm.pass(500);
  const soon = presentOf(farm).runs.get(41)!;
  expect(soon.doneSeconds).toBeCloseTo(500, 0);
  expect(soon.runSeconds).toBeLessThan(1500);
  await farm.pass(1500);
  // All but one were over by then.
  expect(presentOf(farm).runs.get(41)!.runSeconds).toBeGreaterThan(3000);
});

it("the time that a job stood still is no time that it has run", async () => {
  const farm = await aFarm();
  await farm.submit(1e6, { cores: 4, timeSeconds: 4000 });
  await farm.pass(300);
  await farm.act("pause", 41);
  await farm.pass(1000);
  const standing = presentOf(farm).runs.get(41)!;
  expect(standing.doneSeconds).toBeCloseTo(300, -1);
  expect(standing.sinceSeconds).toBeNaN();
  await farm.act("resume", 41);
  await farm.pass(100);
  expect(presentOf(farm).runs.get(41)!.doneSeconds).toBeCloseTo(400, -1);
});
