import { describe, expect, it } from "vitest";

import { dominantTokenOf } from "./pauses.fixture.ts";
import { poolViews } from "./farm-views.ts";
import { Farm } from "./farm.fixture.ts";
import { findJob } from "../store/job-views.ts";

const two = [
  { name: "one", machines: 1, cores: 4 },
  { name: "two", machines: 1, cores: 4 },
];

async function pause(farm: Farm, pool: string | null, suspends = false): Promise<void> {
  const outcome = await farm.world.act(({ loop, pauses }) =>
    loop.act((turn) => pauses.pause(turn, pool, { actor: "eve", reason: "new disk", suspends })),
  );
  if (outcome !== null && "refusal" in outcome) throw outcome.refusal;
}

async function unpause(farm: Farm, pool: string | null): Promise<void> {
  const outcome = await farm.world.act(({ loop, pauses }) =>
    loop.act((turn) => pauses.unpause(turn, pool, "eve")),
  );
  if (outcome !== null && "refusal" in outcome) throw outcome.refusal;
}

describe("a pause", () => {
  it("of a pool starts nothing there, also after a restart, and says why", async () => {
    const farm = await Farm.of(two);
    await farm.submit(10, { cores: 4, pool: "one" });
    await farm.submit(10, { cores: 4, pool: "one" });
    await farm.pass(1);
    await pause(farm, "one");
    await farm.submit(10, { cores: 4, pool: "two" });
    await farm.pass(20);
    // What ran has run on.
    expect([farm.state(1), farm.state(2), farm.state(3)]).toEqual(["ended", "waiting", "ended"]);
    farm.world.die();
    await farm.world.start();
    await farm.pass(20);
    expect(farm.state(2)).toBe("waiting");
    expect(await dominantTokenOf(farm, 2)).toMatchObject({
      token: "paused",
      sentence:
        "eve has paused pool one (new disk): nothing starts there until an operator lets it (croft unpause one)",
    });
    expect(poolViews(farm.world.service).map(({ paused }) => paused?.reason ?? null)).toEqual([
      "new disk",
      null,
    ]);
    await expect(unpause(farm, "two")).rejects.toThrow("pool two is not paused");
    await expect(unpause(farm, "three")).rejects.toThrow("there is no pool");
    await unpause(farm, "one");
    await farm.pass(20);
    expect(farm.state(2)).toBe("ended");
    expect(farm.world.wrong()).toEqual([]);
  });

  it("of the farm is one of all pools, and each has its own beside it", async () => {
    const farm = await Farm.of(two);
    await pause(farm, null);
    await pause(farm, "two");
    for (const pool of ["one", "two"]) await farm.submit(10, { pool });
    await farm.pass(5);
    expect([farm.state(1), farm.state(2)]).toEqual(["waiting", "waiting"]);
    await expect(unpause(farm, "one")).rejects.toThrow("not paused by itself, but with the whole farm");
    await unpause(farm, null);
    await farm.pass(5);
    expect([farm.state(1), farm.state(2)]).toEqual(["running", "waiting"]);
    await unpause(farm, "two");
    await farm.pass(5);
    expect(farm.state(2)).toBe("running");
    await expect(unpause(farm, null)).rejects.toThrow("the farm is not paused");
  });

  it("opens no machine that is drained, and leaves one open that is undrained meanwhile", async () => {
    const farm = await Farm.of(two);
    const machine = farm.world.service.pools[0].machineName(0);
    const act = (verb: "drain" | "undrain") =>
      farm.world.act(({ loop, acts }) =>
        loop.act((turn) =>
          verb === "drain"
            ? acts.drain(turn, "one", machine, "disk", "eve")
            : acts.undrain(turn, "one", machine, "eve"),
        ),
      );
    await act("drain");
    await pause(farm, "one");
    await unpause(farm, "one");
    await farm.submit(10, { pool: "one" });
    await farm.pass(5);
    expect(farm.state(1)).toBe("waiting");
    await pause(farm, "one");
    await act("undrain");
    await farm.pass(5);
    expect(farm.state(1)).toBe("waiting");
    await unpause(farm, "one");
    await farm.pass(5);
    expect(farm.state(1)).toBe("running");
  });

  it.each([true, false])(
    "suspends what runs, whatever dies before that is known (with its pool: %s)",
    async (isPool) => {
      const farm = await Farm.of(two);
      await farm.submit(100, { cores: 4, pool: "one" });
      await farm.pass(1);
      if (isPool) await pause(farm, "one", true);
      else await farm.world.act(({ loop, acts }) => loop.act((turn) => acts.pause(turn, 1, "eve")));
      farm.world.die();
      await farm.world.start();
      await farm.pass(1);
      expect([farm.state(1), findJob(farm.world.database, 1)!.state]).toEqual(["suspended", "suspended"]);
      expect(poolViews(farm.world.service)[0]).toMatchObject({ running: 0, suspended: 1 });
      if (isPool) await unpause(farm, "one");
      else await farm.world.act(({ loop, acts }) => loop.act((turn) => acts.resume(turn, 1, "eve")));
      await farm.pass(1);
      expect(poolViews(farm.world.service)[0]).toMatchObject({ running: 1, suspended: 0 });
      await farm.pass(200);
      expect(farm.state(1)).toBe("ended");
      expect(farm.world.wrong()).toEqual([]);
    },
  );

  it("suspends what runs where it is to, and lets go on what it has suspended and nothing else", async () => {
    const farm = await Farm.of(two);
    for (let count = 0; count < 3; count++) await farm.submit(10, { pool: "one" });
    await farm.submit(10, { pool: "two" });
    await farm.pass(1);
    await farm.act("pause", 1);
    await farm.pass(1);
    await pause(farm, "one", true);
    await farm.pass(50);
    expect([1, 2, 3, 4].map((job) => farm.state(job))).toEqual([
      "suspended",
      "suspended",
      "suspended",
      "ended",
    ]);
    expect(findJob(farm.world.database, 2)!.reason).toBe("with its pool, which is paused");
    expect(await dominantTokenOf(farm, 2)).toMatchObject({ token: "paused" });
    await expect(farm.act("resume", 2)).rejects.toThrow("it goes on with it");
    // By hand as well: it stays then.
    await farm.act("pause", 3);
    farm.world.die();
    await farm.world.start();
    await farm.pass(50);
    expect(farm.state(2)).toBe("suspended");
    await unpause(farm, "one");
    await farm.pass(50);
    expect([1, 2, 3].map((job) => farm.state(job))).toEqual(["suspended", "ended", "suspended"]);
    await farm.act("resume", 1);
    await farm.act("resume", 3);
    await farm.pass(50);
    expect([farm.state(1), farm.state(3)]).toEqual(["ended", "ended"]);
    expect(farm.world.wrong()).toEqual([]);
  });
});
