import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { findPolicy, NONE, routings, strategies, victimRules, type PoolManagerSettings } from "../index.ts";
import { anyEngine, Draws } from "./any-engine.fixture.ts";
import { Port } from "./port.ts";
import type { PlainDecision } from "./decisions.ts";
import type { EngineEvent, PlainRequest } from "./events.ts";
import { FaultyDriver } from "./faulty-driver.fixture.ts";

/** How long what failed is left alone. */
const RETRY_SECONDS = 30;

interface SmallFarm {
  readonly policy?: string;
  /** Thousandths of a core, by machine. */
  readonly cores?: readonly number[];
  readonly intervalSeconds?: number;
  readonly pools?: number;
  /** Whether jobs wait at the virtual pool while no pool has room. */
  readonly hasQueue?: boolean;
  readonly strategy?: string;
  readonly suspend?: PoolManagerSettings["suspend"];
  /** The requirement of jobs for which none is suspended; absent: there is none. */
  readonly patient?: number;
  /** Seconds for which a machine stays reserved to a family; absent: families are not packed. */
  readonly ttlSeconds?: number;
}

/**
 * Pools in which jobs of higher priority, up to 2, suspend others. Candidates 0 are all pools, 1 is the first and 2 the
 * second.
 */
function portOf({
  policy = "first-fit",
  cores = [2000],
  intervalSeconds = 0,
  pools = 1,
  hasQueue = false,
  strategy = "NoRes",
  suspend = "full",
  patient,
  ttlSeconds,
}: SmallFarm) {
  const { kind, heuristic } = findPolicy(policy)!;
  const pool: PoolManagerSettings = {
    capacities: { coresMilli: Int32Array.from(cores), memoryMiB: null, gpuMilli: null },
    policy: kind,
    heuristic,
    site: 0,
    groups: { count: 1, meets: () => true, ownerOf: Int32Array.of(0), speedOf: Float64Array.of(1) },
    intervalSeconds,
    suspend,
    ...(ttlSeconds === undefined ? {} : { packing: { policy: "exclusive", ttlSeconds, families: 2 } }),
  };
  return new Port({
    pools: Array.from({ length: pools }, () => pool),
    virtualPools: [
      {
        site: 0,
        pools: Array.from({ length: pools }, (_, number) => number),
        routing: routings[0],
        viewAgeSeconds: 0,
        hasQueue,
      },
    ],
    transferSeconds: [[0]],
    candidateLists: [null, [0], [1]].map((only) => ({ pools: only, restartPools: null })),
    priorities: 3,
    victimRule: { ...victimRules[0], isPatient: (requirement) => requirement === patient },
    strategy: strategies.find(({ name }) => name === strategy)!,
    waitThresholdSeconds: 60,
    rebalanceSeconds: 60,
    maxRestarts: Infinity,
    faults: { retrySeconds: RETRY_SECONDS },
    random: () => 0,
  });
}

function submitted(job: number, at: number, request: Partial<PlainRequest> = {}): EngineEvent {
  return {
    type: "submitted",
    at,
    job,
    request: {
      cores: 2000,
      memory: 0,
      gpu: 0,
      tasks: 1,
      project: 0,
      heuristic: NONE,
      estimateSeconds: 600,
      owner: 0,
      virtualPool: 0,
      candidates: 0,
      priority: 0,
      ...request,
    },
  };
}

function answered(
  type: "started" | "suspended" | "suspendFailed" | "resumed" | "killed",
  job: number,
  at: number,
  decision: number,
): EngineEvent {
  return { type, at, job, attempt: 1, decision };
}

function exited(job: number, at: number): EngineEvent {
  return { type: "exited", at, job, attempt: 1 };
}

/** What follows from the last of these events, each of which is followed by a tick. */
function afterLast(farm: SmallFarm, events: readonly EngineEvent[]): string[] {
  const port = portOf(farm);
  let decisions: string[] = [];
  for (const event of events) {
    const all = [...port.apply(event).decisions, ...port.apply({ type: "tick", at: event.at }).decisions];
    decisions = all.map((each) => ("job" in each ? `${each.type} ${each.job}` : each.type));
  }
  return decisions;
}

describe("a pool decides again", () => {
  it("when a job has stopped for one that was cancelled meanwhile", () => {
    const events = [
      submitted(1, 0),
      answered("started", 1, 0, 1),
      submitted(2, 10, { priority: 1 }),
      { type: "cancelled", at: 11, job: 2 } as const,
      answered("suspended", 1, 12, 2),
    ];
    expect(afterLast({}, events)).toEqual(["RESUME 1"]);
  });

  it("when a job may not be ended for another: after a while, and never where it is cancelled meanwhile", () => {
    const events = [
      submitted(1, 0),
      answered("started", 1, 0, 1),
      submitted(2, 10, { priority: 1 }),
      answered("suspendFailed", 1, 12, 2),
    ];
    const farm = { suspend: "none" } as const;
    expect(afterLast(farm, events.slice(0, 3))).toEqual(["KILL 1"]);
    expect(afterLast(farm, events)).toEqual([]);
    expect(afterLast(farm, [...events, { type: "tick", at: 12 + RETRY_SECONDS - 1 }])).toEqual([]);
    expect(afterLast(farm, [...events, { type: "tick", at: 12 + RETRY_SECONDS }])).toEqual(["KILL 1"]);
    expect(afterLast(farm, [...events, exited(1, 13)])).toEqual(["START 2"]);
    const cancelled = { type: "cancelled", at: 11, job: 1 } as const;
    expect(afterLast(farm, [...events.slice(0, 3), cancelled])).toEqual(["KILL 1"]);
    expect(afterLast(farm, [...events.slice(0, 3), cancelled, events[3]])).toEqual([]);
  });

  it("when a job is spared no longer, which is why a more urgent one has waited", () => {
    const port = portOf({});
    const told: number[] = [];
    const at = (event: EngineEvent): string[] =>
      [event, { type: "tick", at: event.at } as const].flatMap((each) =>
        port.apply(each).decisions.map(({ type }) => type),
      );
    at(submitted(1, 0));
    at(answered("started", 1, 0, 1));
    at({ type: "spared", at: 1, job: 1, attempt: 1, until: 100 });
    expect(at(submitted(2, 10, { priority: 1 }))).toEqual([]);
    port.tellReasons({
      jobs: new Set([port.handleOf(2)]),
      waits: (_job, _pool, { spared }) => void told.push(spared),
      waitsForPool: () => undefined,
      suspended: () => undefined,
    });
    expect([at({ type: "asked", at: 20, job: 2 }), told]).toEqual([[], [1]]);
    expect(port.nextTime).toBe(100);
    // It may be spared for longer, or for a shorter time.
    at({ type: "spared", at: 30, job: 1, attempt: 1, until: 1e12 });
    expect(at({ type: "tick", at: 100 })).toEqual([]);
    expect(at({ type: "spared", at: 101, job: 1, attempt: 1, until: 50 })).toEqual(["SUSPEND"]);
    // One that does not run is not spared, and another attempt is not either.
    expect(port.apply({ type: "spared", at: 102, job: 1, attempt: 1, until: 200 }).answer).toBe("ignored");
  });

  it("when a job that was spared has started anew", () => {
    const request = { retries: 1 };
    const events = [
      submitted(1, 0, request),
      answered("started", 1, 0, 1),
      { type: "spared", at: 1, job: 1, attempt: 1, until: 1e9 } as const,
      { type: "lost", at: 2, job: 1, attempt: 1 } as const,
      { type: "started", at: 3, job: 1, attempt: 2, decision: 3 } as const,
      submitted(2, 10, { priority: 1 }),
    ];
    expect(afterLast({}, events)).toEqual(["SUSPEND 1"]);
    expect(afterLast({}, [...events.slice(0, 3), submitted(2, 10, { priority: 1 })])).toEqual([]);
  });

  it("when a job has started that a more urgent one could not suspend yet", () => {
    const events = [submitted(1, 0), submitted(2, 1, { priority: 1 }), answered("started", 1, 5, 1)];
    expect(afterLast({}, events)).toEqual(["SUSPEND 1"]);
  });

  it("when a job has resumed that a more urgent one could not suspend yet", () => {
    const events = [
      submitted(1, 0),
      answered("started", 1, 0, 1),
      submitted(2, 10, { priority: 1 }),
      answered("suspended", 1, 11, 2),
      answered("started", 2, 11, 3),
      exited(2, 20),
      submitted(3, 21, { priority: 1 }),
      answered("resumed", 1, 25, 4),
    ];
    expect(afterLast({}, events)).toEqual(["SUSPEND 1"]);
  });

  it("when a job has started in whose place a suspended one may resume", () => {
    const events = [
      submitted(1, 0, { priority: 1 }),
      answered("started", 1, 0, 1),
      submitted(2, 10, { priority: 2, cores: 1000 }),
      submitted(3, 10, { priority: 2, cores: 1000 }),
      answered("suspended", 1, 11, 2),
      answered("started", 2, 12, 3),
      answered("started", 3, 12, 4),
      exited(2, 20),
      submitted(4, 21, { cores: 1000 }),
      exited(3, 22),
      answered("started", 4, 23, 5),
    ];
    expect(afterLast({}, events)).toEqual(["SUSPEND 4"]);
  });

  it.each(["first-fit", "fcfs", "easy", "conservative", "lookahead"])(
    "under %s when the first waiting job is cancelled, or held",
    (policy) => {
      const events = [
        submitted(1, 0, { cores: 1000 }),
        submitted(2, 1),
        submitted(3, 2, { cores: 1000, estimateSeconds: 5000 }),
      ];
      for (const type of ["cancelled", "held"] as const)
        expect(afterLast({ policy }, [...events, { type, at: 3, job: 2 }])).toEqual(["START 3"]);
    },
  );

  it("when the second attempt at a job no longer waits, since the first has ended", () => {
    const farm = { policy: "fcfs", pools: 2, strategy: "DupSusUtil" };
    const inFirst = { candidates: 1 };
    const inSecond = { candidates: 2, cores: 1000 };
    const events = [
      submitted(1, 0, inSecond),
      submitted(2, 1),
      answered("started", 1, 1, 1),
      answered("started", 2, 1, 2),
      submitted(3, 2, { ...inFirst, priority: 1 }),
      // The second attempt at job 2 waits for the whole machine of the second pool.
      answered("suspended", 2, 3, 3),
      submitted(4, 4, inSecond),
    ];
    expect(afterLast(farm, events)).toEqual([]);
    expect(afterLast(farm, [...events, exited(2, 5)])).toEqual(["CANCEL -1", "START 4"]);
  });

  it.each([
    ["NoRes", ["START 2"]],
    ["ResSusUtil", ["START 2", "MOVE 1", "START 1"]],
    ["DupSusUtil", ["START 2", "DUPLICATE -1", "START -1"]],
  ])(
    "%s: where a job goes that was killed for another, since its pool cannot suspend it",
    (strategy, expected) => {
      const farm = { pools: 2, suspend: "none", strategy } as const;
      const events = [
        submitted(1, 0),
        answered("started", 1, 0, 1),
        submitted(2, 10, { candidates: 1, priority: 1 }),
      ];
      expect(afterLast(farm, events)).toEqual(["KILL 1"]);
      expect(afterLast(farm, [...events, answered("killed", 1, 11, 2)])).toEqual(expected);
    },
  );

  it("when jobs at the virtual pool may have the room that a suspension leaves over", () => {
    const farm = { cores: [4000], hasQueue: true };
    const events = [
      submitted(1, 0, { cores: 4000 }),
      answered("started", 1, 0, 1),
      submitted(2, 1, { cores: 1000 }),
      submitted(3, 2, { cores: 1000, priority: 2 }),
    ];
    expect(afterLast(farm, events)).toEqual(["SUSPEND 1", "MOVE 2"]);
  });

  it("when a machine is no longer reserved to a family", () => {
    const farm = { cores: [4000], ttlSeconds: 100 };
    const events = [
      submitted(1, 0, { cores: 3000 }),
      submitted(2, 1, { cores: 1000, family: 1 }),
      answered("started", 1, 1, 1),
      answered("started", 2, 1, 2),
      submitted(3, 2, { priority: 1, family: 2 }),
    ];
    const end = { type: "tick", at: 101 } as const;
    expect(afterLast(farm, [...events, end])).toEqual(["SUSPEND 1"]);
    // The last job of the family gives the machine up before its time.
    expect(afterLast(farm, [...events, exited(2, 50)])).toEqual(["SUSPEND 1"]);
  });

  it("when a machine goes out of service on which jobs were promised a place", () => {
    const farm = { policy: "conservative", cores: [2000, 2000] };
    const events = [
      submitted(1, 0, { cores: 1000, estimateSeconds: 10 }),
      submitted(2, 1, { tasks: 2 }),
      submitted(3, 2, { cores: 1000, estimateSeconds: 5000 }),
    ];
    for (const type of ["machineDrained", "machineDown", "machineRemoved"] as const)
      expect(afterLast(farm, [...events, { type, at: 3, pool: 0, machine: 1 }])).toEqual(["START 3"]);
  });

  it("in its next cycle after one that came late", () => {
    const farm = { intervalSeconds: 30 };
    const events = [
      submitted(1, 50),
      { type: "tick", at: 79 } as const,
      submitted(2, 80, { cores: 1000 }),
      exited(1, 81),
      { type: "tick", at: 90 } as const,
    ];
    expect(afterLast(farm, events)).toEqual(["START 2"]);
  });
});

it("under EASY, a job that no machines in service can hold keeps no others waiting", () => {
  const short = { cores: 500, estimateSeconds: 50 };
  const events: EngineEvent[] = [
    submitted(1, 0, { cores: 500, estimateSeconds: 100 }),
    submitted(2, 1, { tasks: 2 }),
    { type: "machineDrained", at: 2, pool: 0, machine: 1 },
    submitted(3, 3, short),
    submitted(4, 3, short),
    submitted(5, 3, short),
    submitted(6, 4, { cores: 500, estimateSeconds: 5000 }),
    exited(1, 5),
  ];
  for (const policy of ["easy", "easy-sjbf"])
    expect(afterLast({ policy, cores: [2000, 2000] }, events)).toEqual(["START 6"]);
});

it("nobody is suspended for a patient job, which starts before less urgent ones all the same", () => {
  const events = [
    submitted(1, 0),
    answered("started", 1, 0, 1),
    submitted(2, 10),
    submitted(3, 11, { priority: 1, requirement: 1 }),
  ];
  expect(afterLast({}, events)).toEqual(["SUSPEND 1"]);
  expect(afterLast({ patient: 1 }, events)).toEqual([]);
  expect(afterLast({ patient: 1 }, [...events, exited(1, 20)])).toEqual(["START 3"]);
  // Another one that is not patient has it suspended for itself.
  expect(afterLast({ patient: 1 }, [...events, submitted(4, 12, { priority: 1 })])).toEqual(["SUSPEND 1"]);
});

describe("an engine that is asked once more after a tick", () => {
  /**
   * What a copy of the engine decides if all its pools have a cycle after a tick: nothing, or a pool had to be dirty and
   * was not. Pools are left out whose last cycle decided something, which may allow more in the next one; and those where
   * time alone may let a job start: they plan with estimates, or order jobs by what was used, or have bookings. (Once a job
   * would run into a booking it closes no machine there to the jobs behind it any more.)
   */
  function decidedLate(seed: number): readonly PlainDecision[] {
    const any = anyEngine(seed);
    const random = new Draws(seed + 1);
    const settings = any.settings((below) => random.below(below));
    const driver = new FaultyDriver(any, seed);
    driver.run(150);
    const port = new Port(settings);
    for (const { event } of driver.journal) {
      const { answer } = port.apply(event);
      if (answer !== "taken" || event.type !== "tick") continue;
      const { state } = random;
      const copy = Port.load(settings, structuredClone(port.save()));
      for (const manager of copy["pools"]) {
        const { number, intervalSeconds } = manager;
        const { started, suspended, resumed } = port.view.pools[number].cycle;
        const hasDecided = started.length + suspended.length + resumed.length > 0;
        const { usage, bookings } = manager.pool;
        const dependsOnTime =
          settings.pools[number].policy.needsEstimates ||
          usage !== null ||
          (bookings !== null && bookings.nextChange < Infinity);
        if (intervalSeconds > 0 || hasDecided || dependsOnTime) continue;
        manager.preemption?.retry();
        manager.markDirty();
      }
      const { decisions } = copy.apply({ type: "tick", at: event.at });
      random.state = state;
      if (decisions.length > 0) return decisions;
    }
    return [];
  }

  it("decides nothing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
        expect(decidedLate(seed)).toEqual([]);
      }),
      // A strategy moves the first waiting job away; a job comes near a booking.
      { numRuns: 30, examples: [[710], [1165], [1_839_862_647]] },
    );
  });
});

it("a job that is lost while it is ended for another takes none of its retries", () => {
  const port = portOf({ suspend: "none" });
  const lost = (at: number, attempt: number) => ({ type: "lost", at, job: 1, attempt }) as const;
  const events = [
    submitted(1, 0, { retries: 1 }),
    answered("started", 1, 0, 1),
    submitted(2, 10, { priority: 1 }),
    lost(11, 1),
    answered("started", 2, 12, 4),
    exited(2, 13),
    { ...answered("started", 1, 14, 5), attempt: 2 } as EngineEvent,
    lost(15, 2),
    { ...answered("started", 1, 16, 7), attempt: 3 } as EngineEvent,
    lost(17, 3),
  ];
  const told = events.flatMap((event) =>
    [event, { type: "tick", at: event.at } as const].flatMap((each) => port.apply(each).decisions),
  );
  expect(told.flatMap((each) => (each.type === "LOST" ? [[each.goesOn, each.takesRetry]] : []))).toEqual([
    [true, false],
    [true, true],
    [false, false],
  ]);
});
