import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { findJob } from "../store/job-views.ts";
import { Farm } from "./farm.fixture.ts";
import { simulatedJob } from "./farm-world.fixture.ts";

async function arrayOf(farm: Farm, count: number, most: number, seconds = 10): Promise<void> {
  const jobs = Array.from({ length: count }, (_, index) =>
    simulatedJob({ array: { first: 0, index, most } }),
  );
  await farm.submit(seconds, {}, { jobs });
}

/** Of all jobs, in order. */
function statesOf(farm: Farm): string[] {
  return farm.world.database.all("SELECT state FROM job ORDER BY number").map(({ state }) => String(state));
}

const large = [{ name: "one", machines: 4, cores: 8 }];

describe("an array of which so many may run at once", () => {
  it("has no more of its jobs in the queue, and lets the next in as they end", async () => {
    const farm = await Farm.of(large);
    await arrayOf(farm, 5, 2);
    await farm.pass(1);
    expect(statesOf(farm)).toEqual(["running", "running", "held", "held", "held"]);
    expect(findJob(farm.world.database, 3)).toMatchObject({
      reason: "waits for a place: at most 2 jobs of its array at once",
      array: { first: 1, index: 2, most: 2 },
    });
    const outcome = await farm.world.act(({ books, explaining }) => explaining.explain(books.jobs.get(3)!));
    expect(outcome).toMatchObject({ answer: { dominant: { token: "array-limit" } } });
    await farm.pass(10);
    expect(statesOf(farm)).toEqual(["ended", "ended", "running", "running", "held"]);
    await farm.pass(30);
    expect(statesOf(farm)).toEqual(Array.from({ length: 5 }, () => "ended"));
    expect(farm.world.database.all("SELECT * FROM array_limit")).toEqual([]);
  });

  it("gives the place of a job that is held or cancelled to another, and takes it back from none", async () => {
    const farm = await Farm.of(large);
    await farm.submit(1000, { cores: 8 });
    await farm.submit(1000, { cores: 8 });
    await farm.submit(1000, { cores: 8 });
    await farm.submit(1000, { cores: 8 });
    await arrayOf(farm, 4, 1);
    await farm.pass(1);
    expect(statesOf(farm).slice(4)).toEqual(["waiting", "held", "held", "held"]);
    await farm.act("hold", 5);
    await farm.pass(1);
    expect(statesOf(farm).slice(4)).toEqual(["held", "waiting", "held", "held"]);
    await farm.act("release", 5);
    await farm.pass(1);
    expect(findJob(farm.world.database, 5)).toMatchObject({
      state: "held",
      reason: expect.stringContaining("waits for a place") as string,
    });
    await farm.act("cancel", 6);
    await farm.act("cancel", 7);
    await farm.pass(1);
    // 8 was held back before 5 was released.
    expect(statesOf(farm).slice(4)).toEqual(["held", "cancelled", "cancelled", "waiting"]);
  });

  it("never has more at once, whatever is done, and over restarts", async () => {
    const verbs = fc.constantFrom(
      "cancel",
      "hold",
      "release",
      "pause",
      "resume",
      "pass",
      "restart",
      "submit",
    );
    const acts = fc.array(fc.tuple(verbs, fc.integer({ min: 1, max: 12 })), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(acts, fc.integer({ min: 1, max: 3 }), async (all, most) => {
        const farm = await Farm.of(large);
        await arrayOf(farm, 8, most);
        for (const [verb, number] of all) {
          if (verb === "pass") await farm.pass(number);
          else if (verb === "restart") {
            farm.world.die();
            await farm.world.start();
          } else if (verb === "submit") await farm.submit(5);
          // What does not fit how a job stands is refused.
          else await farm.act(verb, number).catch(() => undefined);
          const states = statesOf(farm).slice(0, 8);
          const placed = states.filter((state) =>
            ["waiting", "starting", "running", "suspended"].includes(state),
          );
          expect(placed.length).toBeLessThanOrEqual(most);
        }
        // What nobody holds comes to its end.
        for (let number = 1; number <= statesOf(farm).length; number++)
          for (const verb of ["release", "resume"] as const)
            await farm.act(verb, number).catch(() => undefined);
        await farm.pass(1000);
        expect(statesOf(farm).filter((state) => !["ended", "cancelled"].includes(state))).toEqual([]);
        expect(farm.world.database.all("SELECT * FROM array_limit")).toEqual([]);
        expect(farm.world.wrong()).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
