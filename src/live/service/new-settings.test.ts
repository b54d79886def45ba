import { describe, expect, it } from "vitest";

import type { Reason } from "../../simulation/index.ts";
import { Farm } from "./farm.fixture.ts";
import { anyFarmOf, type FarmRules } from "./farms.fixture.ts";

const pools = [
  { name: "one", machines: 1, cores: 12 },
  { name: "two", machines: 1, cores: 4 },
];
const rules: FarmRules = { policy: "conservative" };

/** Serves the farm on, with another file or the same one. */
async function reload(farm: Farm, more: FarmRules = {}, sizes = pools): Promise<void> {
  const { world } = farm;
  world.die();
  world.changeFarm(anyFarmOf(sizes, { ...rules, ...more }));
  await world.start();
  await farm.pass(1);
}

/** In seconds from the beginning on. */
async function promised(farm: Farm, job: number, begin: number): Promise<number> {
  const outcome = await farm.world.act(({ books, explaining }) => explaining.explain(books.jobs.get(job)!));
  if (outcome === null || "refusal" in outcome) throw new Error("there is no explanation");
  const reasons: readonly Reason[] = outcome.answer?.waits?.reasons ?? [];
  const promise = reasons.find((reason) => reason.kind === "promised");
  return Math.round((promise?.startSeconds ?? NaN) - begin);
}

/**
 * Job 5 is promised the time at which job 2 is to end. Job 4, before it, could start then too, since job 3 has ended
 * early: whoever makes the promises anew gives it that.
 */
async function farmWithPromises(): Promise<{ farm: Farm; begin: number }> {
  const farm = await Farm.of(pools, rules);
  const begin = farm.world.clock.unixSeconds();
  const onOne = { pool: "one" };
  await farm.submit(600, { ...onOne, cores: 4, timeSeconds: 600 });
  await farm.submit(1200, { ...onOne, cores: 5, timeSeconds: 1200 });
  await farm.submit(15, { ...onOne, cores: 3, timeSeconds: 1800 });
  await farm.submit(60, { ...onOne, cores: 12, timeSeconds: 3600 });
  await farm.submit(60, { ...onOne, cores: 9, timeSeconds: 600 });
  await farm.pass(100);
  expect(await promised(farm, 4, begin)).toBe(1800);
  expect(await promised(farm, 5, begin)).toBe(1200);
  return { farm, begin };
}

describe("promises of a pool", () => {
  it("hold where another pool is changed, or a reservation is made there", async () => {
    const { farm, begin } = await farmWithPromises();
    await reload(farm, {
      reservations: [
        {
          name: "disks",
          pool: 1,
          machines: null,
          from: { since: "1970", seconds: Math.floor(begin) + 5000 },
          seconds: 60,
          users: ["ann"],
          groups: [],
          projects: [],
          reason: null,
        },
      ],
    });
    expect([await promised(farm, 4, begin), await promised(farm, 5, begin)]).toEqual([1800, 1200]);
    await reload(farm, {}, [pools[0], { name: "two", machines: 3, cores: 4 }]);
    expect([await promised(farm, 4, begin), await promised(farm, 5, begin)]).toEqual([1800, 1200]);
    await farm.pass(1150);
    expect([farm.state(4), farm.state(5)]).toEqual(["waiting", "running"]);
  });

  it("are made anew where the pool is another", async () => {
    const { farm, begin } = await farmWithPromises();
    await reload(farm, {}, [{ name: "one", machines: 2, cores: 12 }, pools[1]]);
    await farm.pass(1);
    // On the second machine both have room now, one after the other.
    expect(farm.state(4)).not.toBe("waiting");
    expect(await promised(farm, 5, begin)).not.toBe(1800);
  });
});
