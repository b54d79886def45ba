import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { planPools } from "../service/farm-plan.ts";
import { journalAfter } from "../service/journal.ts";
import { findJob } from "../store/job-views.ts";
import type { FarmWorld } from "../service/farm-world.fixture.ts";
import { anyFarmOf } from "../service/farms.fixture.ts";
import { knownMachines } from "../service/restore.ts";
import type { Farm } from "../../workload/index.ts";
import { farmWith, pass, somePast } from "./past.fixture.ts";
import { readPresent } from "./present.ts";
import { Replica } from "./replica.ts";
import { settingsChanged } from "./settings-changed.ts";
import { tryReload, type ReloadTrial } from "./try-reload.ts";

const owners = [null, "red", "blue"] as const;

interface Change {
  readonly ownersOf: readonly (readonly number[])[];
  readonly victim: number;
  readonly policy: number;
  readonly machines: readonly number[];
  readonly suspend: readonly number[];
  readonly isWithoutTwo: boolean;
  readonly strategy: number;
  /** Whether a machine that stays is drained before. */
  readonly isDrained: boolean;
}

const victims = [null, "lowest-priority", "last-submitted"] as const;
const policies = ["first-fit", "easy", "mix-fit"] as const;
const strategies = ["NoRes", "ResSusUtil", "ResSusWaitUtil"] as const;
const suspends = ["cpu-only", "full", "none"] as const;

const anyChange: fc.Arbitrary<Change> = fc.record({
  ownersOf: fc.array(fc.array(fc.nat({ max: 2 }), { minLength: 4, maxLength: 4 }), {
    minLength: 2,
    maxLength: 2,
  }),
  victim: fc.constantFrom(0, 1, 1, 2, 2),
  policy: fc.nat({ max: 2 }),
  machines: fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 2, maxLength: 2 }),
  suspend: fc.array(fc.nat({ max: 2 }), { minLength: 2, maxLength: 2 }),
  isWithoutTwo: fc.nat({ max: 9 }).map((number) => number === 0),
  strategy: fc.nat({ max: 2 }),
  isDrained: fc.boolean(),
});

const anyBefore = fc.record({
  seed: fc.nat({ max: 1000 }),
  isOwned: fc.boolean(),
  victim: fc.nat({ max: 1 }),
});

/** Every machine is a group of its own, with an owner of its own. */
function farmOf({ ownersOf, victim, policy, machines, suspend, isWithoutTwo, strategy }: Change): Farm {
  const base = anyFarmOf(
    ["one", "two"].map((name) => ({ name, machines: 1, cores: 4 })),
    { victim: victims[victim]!, policy: policies[policy], strategy: strategies[strategy] },
  );
  const pools = base.pools.map((pool, number) => ({
    ...pool,
    engine: { kind: "simulated", settings: { suspend: suspends[suspend[number]] } },
    groups: Array.from({ length: machines[number] }, (_, at) => ({
      ...pool.groups[0],
      owner: owners[ownersOf[number][at]]!,
    })),
  }));
  return isWithoutTwo
    ? {
        ...base,
        pools: pools.slice(0, 1),
        virtualPools: base.virtualPools.map((each) => ({ ...each, pools: [0] })),
      }
    : { ...base, pools };
}

function trial(world: FarmWorld, farm: Farm): ReloadTrial {
  const planned = planPools(farm, (pool) => ({
    clock: world.clock,
    disk: world.disk,
    commands: { run: () => Promise.reject(new Error("nothing is run")) },
    folder: `/tried/${pool}`,
  }));
  const { database, clock, service } = world;
  const instant = { farmSeconds: service.farmTime(), unixSeconds: clock.unixSeconds() };
  const present = readPresent(database, new Replica(database), instant);
  return tryReload(present, farm, planned, knownMachines(world.database));
}

/**
 * The jobs on machines that the farm in fact stops or ends for others at the moment of its reload, until an engine fails
 * to start one, which nobody foresees.
 */
async function evictedBy(world: FarmWorld, farm: Farm): Promise<number[]> {
  const last = Number(world.database.get("SELECT max(seq) AS seq FROM journal")?.["seq"] ?? 0);
  const ran = new Set(
    world.database
      .all("SELECT engine_job FROM attempt WHERE outcome IS NULL")
      .map((row) => Number(row["engine_job"])),
  );
  world.changeFarm(farm);
  const at = world.clock.unixSeconds();
  await world.start();
  await pass(world, 0.01);
  const evicted = new Set<number>();
  for (const { event, decisions } of journalAfter(world.database, last)) {
    if (event.at > at || event.type === "startFailed") break;
    for (const decision of decisions)
      if (decision.type === "SUSPEND" || (decision.type === "KILL" && decision.why !== "cancel"))
        if (ran.has(decision.job)) evicted.add(decision.job);
  }
  return [...evicted].sort((a, b) => a - b);
}

const start: Change = {
  ownersOf: [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ],
  victim: 1,
  policy: 0,
  machines: [2, 2],
  suspend: [0, 0],
  isWithoutTwo: false,
  strategy: 0,
  isDrained: false,
};

/** Twice as much is asked for as it has. */
async function busyFarm(seed: number, isOwned: boolean, victim: number): Promise<FarmWorld> {
  const groups = ["", "red", "blue"];
  const past = somePast(seed, 120, (draws) =>
    isOwned ? { group: groups[draws.below(3)], priority: 50 } : {},
  );
  const owned = [
    [1, 2, 0, 0],
    [2, 1, 0, 0],
  ];
  const world = await farmWith(
    farmOf({ ...start, victim, ownersOf: isOwned ? owned : start.ownersOf }),
    past.map((job) => ({ ...job, submit: job.submit / 4 })),
  );
  // No job comes or ends at that moment.
  await pass(world, 700 + 1 / 64);
  return world;
}

describe("a farm file that is tried", () => {
  it("names the jobs that are evicted when it is then loaded", { timeout: 300_000 }, async () => {
    let [evictions, refusals] = [0, 0];
    await fc.assert(
      fc.asyncProperty(anyBefore, anyChange, async ({ seed, isOwned, victim }, change) => {
        const world = await busyFarm(seed, isOwned, victim);
        if (change.isDrained)
          await world.act(({ loop, acts }) =>
            loop.act((turn) => acts.drain(turn, "one", "one-1", "dust", "u")),
          );
        const farm = farmOf(change);
        const before = JSON.stringify(world.database.all("SELECT * FROM job"));
        const tried = trial(world, farm);
        expect(JSON.stringify(world.database.all("SELECT * FROM job"))).toBe(before);
        if (tried.refused !== null) {
          refusals++;
          world.changeFarm(farm);
          await expect(world.start()).rejects.toThrow(tried.refused);
          return;
        }
        const named = tried.evicted.map(({ job }) => job).sort((a, b) => a - b);
        const from = world.service.farm;
        expect(await evictedBy(world, farm)).toEqual(named);
        expect(tried.changes).toEqual(settingsChanged(from, world.service.farm));
        evictions += named.length;
      }),
      { numRuns: 100 },
    );
    expect(evictions).toBeGreaterThan(5);
    expect(refusals).toBeGreaterThan(0);
  });

  it("names the suspended jobs that could never go on, on a smaller machine", async () => {
    const two = (cores: number) => [
      { name: "one", machines: 1, cores },
      { name: "two", machines: 1, cores: 8 },
    ];
    const rules = { victim: "lowest-priority" };
    const low = { submit: 1, run: 1000, user: "ann", request: { cores: 6, pool: "one", priority: 10 } };
    const small = { ...low, submit: 2, request: { cores: 2, pool: "one", priority: 10 } };
    const urgent = {
      submit: 10,
      run: 1000,
      user: "bob",
      request: { cores: 8, pool: "one", priority: 90, group: "red" },
    };
    const world = await farmWith(anyFarmOf(two(8), { ...rules, owner: "red" }), [low, small, urgent]);
    await pass(world, 50);
    expect([1, 2, 3].map((job) => findJob(world.database, job)!.state)).toEqual([
      "suspended",
      "suspended",
      "running",
    ]);
    const place = { pool: "one", machines: ["one"] };
    expect(trial(world, anyFarmOf(two(4), { ...rules, owner: "red" }))).toMatchObject({
      stranded: [{ job: 1, user: "ann", ...place }],
    });
    expect(trial(world, anyFarmOf(two(6), { ...rules, owner: "red" }))).toMatchObject({ stranded: [] });
  });

  it("tells of held jobs too when they would start", async () => {
    const machines = (count: number) => anyFarmOf([{ name: "one", machines: count, cores: 4 }]);
    const whole = { cores: 4, timeSeconds: 1000 };
    const behind = { ...whole, after: [{ job: 1, condition: "any" as const }] };
    const past = [whole, behind, behind];
    const world = await farmWith(
      machines(1),
      past.map((request, at) => ({ submit: at, run: 1e6, user: "ann", request })),
    );
    await pass(world, 10);
    const tried = trial(world, machines(2));
    expect(tried).toMatchObject({ startNow: [], later: [], sooner: [{ job: 3, user: "ann" }] });
    // It need not wait for the other one, which is expected to run for about three quarters of its limit.
    const [{ beforeSeconds, afterSeconds }] = tried.refused === null ? tried.sooner : [];
    expect(beforeSeconds! - afterSeconds!).toBeCloseTo(770, -1);
  });

  it("lets nothing start on machines that it brings to a pool that is paused", async () => {
    const machines = (cores: number) => anyFarmOf([{ name: "one", machines: cores / 4, cores }]);
    const world = await farmWith(machines(4), [
      { submit: 1, run: 100, user: "ann", request: { cores: 4, timeSeconds: 200 } },
    ]);
    await world.act(({ loop, pauses }) =>
      loop.act((turn) => pauses.pause(turn, "one", { actor: "eve", reason: "", suspends: false })),
    );
    await pass(world, 10);
    expect(trial(world, machines(8))).toMatchObject({ startNow: [], sooner: [], later: [] });
    world.changeFarm(machines(8));
    await world.start();
    await pass(world, 10);
    expect(findJob(world.database, 1)!.state).toBe("waiting");
  });

  it("is told with the machines, engines and groups that it changes", async () => {
    const group = { name: "red", users: ["ann"], unixGroups: [], maxPriority: 80, projects: ["/a"] };
    const two = [{ name: "e", machines: 2, cores: 4 }];
    const before = anyFarmOf(two, { engine: { startLatencySeconds: 1 }, userGroups: [group] });
    const world = await farmWith(before, [{ submit: 1, run: 1000, request: { cores: 4 }, user: "ann" }]);
    await pass(world, 10);
    expect(findJob(world.database, 1)!.machines).toEqual(["e-1"]);
    const one = [{ name: "e", machines: 1, cores: 4 }];
    const after = anyFarmOf(one, { engine: { startLatencySeconds: 2, suspend: "none" } });
    const tried = trial(world, after);
    expect(tried).toMatchObject({
      changes: [
        "pool e: what a job that is suspended gives back: all: it is ended, was cores",
        "pool e: engine's startLatencySeconds: 2, was 1",
        "pool e: engine's suspend: none, was not given",
        "pool e: 1 machine new (e)",
        "pool e: 1 machine gone (e-2)",
        "pool e: 1 machine gone as soon as nothing runs there any more, and closed until then (e-1)",
        "group red is gone: the Unix group of its name says who may ask for it",
      ],
    });
    world.changeFarm(after);
    await world.start();
    await pass(world, 1);
    expect(world.service.farm.pools[0].machines.map(({ name }) => name)).toEqual(["e", "e-1"]);
  });
});
