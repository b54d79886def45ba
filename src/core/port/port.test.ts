import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { NONE, victimRules, type EngineSettings, type SuspendCapability } from "../index.ts";
import { FREE, HELD, STARTING, UNASSIGNED, WAITING } from "../jobs/job-states.ts";
import { anyEngine, anySuspend, Draws } from "./any-engine.fixture.ts";
import { wrongInBooks } from "./books.fixture.ts";
import { onePool } from "./one-pool.fixture.ts";
import { Port } from "./port.ts";
import type { EngineEvent } from "./events.ts";
import { NOT_AN_EVENT, NOT_NEXT_MACHINE } from "../engine/ignored.ts";
import { FaultyDriver } from "./faulty-driver.fixture.ts";

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

/** The answers of a new engine to events that have been through JSON. */
function replay(seed: number, events: readonly EngineEvent[]): string[] {
  const random = new Draws(seed + 1);
  const port = new Port(anyEngine(seed).settings((below) => random.below(below)));
  return events.map((event) => JSON.stringify(port.apply(JSON.parse(JSON.stringify(event)) as EngineEvent)));
}

describe("a journal", () => {
  it("gives the same answers and decisions when it is replayed, byte for byte", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const driver = new FaultyDriver(anyEngine(seed), seed);
        driver.run(120);
        const events = driver.journal.filter(({ answer }) => answer.answer !== "ignored");
        expect(
          replay(
            seed,
            events.map(({ event }) => event),
          ),
        ).toEqual(events.map(({ answer }) => JSON.stringify(answer)));
      }),
      { numRuns: 60 },
    );
  });
});

describe("the pool of a job", () => {
  it("is where it starts, and none when it is over", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const driver = new FaultyDriver(anyEngine(seed), seed);
        driver.run(60);
        const random = new Draws(seed + 1);
        const port = new Port(anyEngine(seed).settings((below) => random.below(below)));
        for (const { event } of driver.journal) {
          const { decisions } = port.apply(event);
          for (const decision of decisions)
            if (decision.type === "START") expect(port.poolOf(decision.job)).toBe(decision.pool);
          if (!("job" in event)) continue;
          const state = port.view.jobs.stateOf(port.handleOf(event.job));
          // At its virtual pool, or held there.
          if (state === UNASSIGNED || state === HELD) continue;
          expect(port.poolOf(event.job) >= 0).toBe(port.has(event.job));
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("a snapshot", () => {
  it("does so after pools have begun to suspend in another way", () => {
    fc.assert(
      fc.property(seeds, fc.nat(119), fc.nat(99), (seed, step, part) => {
        const any = anyEngine(seed);
        const suspend = anySuspend(seed);
        const driver = new FaultyDriver(any, seed, seed % 2 === 0);
        driver.run(120, { step, suspend });
        const { journal, reloadedAt } = driver;
        const reload = reloadedAt!;
        const cut = reload + Math.floor(((journal.length - reload) * part) / 100);
        const random = new Draws(seed + 1);
        const settings = (others?: readonly SuspendCapability[]): EngineSettings =>
          any.settings((below) => random.below(below), others);
        const first = new Port(settings());
        for (const { event } of journal.slice(0, reload)) first.apply(event);
        const second = Port.load(settings(suspend), structuredClone(first.save()));
        for (const { event } of journal.slice(reload, cut)) second.apply(event);
        const third = Port.load(settings(suspend), structuredClone(second.save()));
        expect(wrongInBooks(third)).toEqual([]);
        for (const { event, answer } of journal.slice(cut))
          expect(JSON.stringify(third.apply(event))).toBe(JSON.stringify(answer));
      }),
      { numRuns: 60 },
    );
  });

  it("of before it was noted which suspended jobs keep their memory has them keep it as their pools suspend", () => {
    const any = anyEngine(1);
    const settings = any.settings(() => 0, ["cpu-only", "cpu-only", "cpu-only"]);
    const port = new Port(settings);
    const request = { ...any.request(new Draws(1)), candidates: 0 };
    port.apply({ type: "submitted", at: 0, job: 1, request });
    const state = port.save();
    const { keepsMemory: _, ...jobs } = state.engine.jobs;
    const loaded = Port.load(settings, { ...state, engine: { ...state.engine, jobs } });
    expect([...loaded.save().engine.jobs.keepsMemory!]).toEqual([1]);
  });

  it("restored at any step, gives an engine that answers and decides as the original", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 0, max: 99 }), (seed, part) => {
        const driver = new FaultyDriver(anyEngine(seed), seed, seed % 2 === 0);
        driver.run(120);
        const { journal } = driver;
        const cut = Math.floor((journal.length * part) / 100);
        const random = new Draws(seed + 1);
        const settings = anyEngine(seed).settings((below) => random.below(below));
        const before = new Port(settings);
        for (const { event } of journal.slice(0, cut)) before.apply(event);
        const kept = structuredClone(before.save());
        const after = Port.load(settings, structuredClone(kept));
        expect(after.save()).toEqual(kept);
        expect(wrongInBooks(after)).toEqual([]);
        for (const { event, answer } of journal.slice(cut))
          expect(JSON.stringify(after.apply(event))).toBe(JSON.stringify(answer));
      }),
      {
        numRuns: 60,
        examples: [
          // A job that ran in a pool with suspensions is in one without.
          [1035746621, 40],
          // A job that is over had been excluded from a machine, and the end of that woke its pool.
          [41550998, 39],
          // EASY did not try a job again whose machines another family had left.
          [1982474574, 25],
          // What EASY had promised was written in the order of handles.
          [405844456, 28],
        ],
      },
    );
  });
});

describe("a fork", () => {
  it("goes on as the original would, and leaves it alone", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 10, max: 90 }), (seed, part) => {
        const any = anyEngine(seed);
        // Saved promises of conservative policies are another matter: see the snapshot's property.
        const driver = new FaultyDriver(any, seed);
        driver.run(100);
        const cut = Math.floor((driver.journal.length * part) / 100);
        const random = new Draws(seed + 1);
        const port = new Port(any.settings((below) => random.below(below)));
        for (const { event } of driver.journal.slice(0, cut)) port.apply(event);
        const before = structuredClone(port.save());
        const own = new Draws(0);
        own.state = random.state;
        const fork = port.fork((below) => own.below(below));
        const ahead = driver.journal.slice(cut).map(({ event }) => JSON.stringify(fork.apply(event)));
        expect(port.save()).toEqual(before);
        expect(random.state).toBe(driver.journal[cut].randomState);
        const again = port.fork((below) => random.below(below));
        expect(driver.journal.slice(cut).map(({ event }) => JSON.stringify(again.apply(event)))).toEqual(
          ahead,
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe("the view", () => {
  it("shows where jobs are, who waits in which order, and what is free", () => {
    const settings = onePool("fcfs", [4000], { victimRule: victimRules[0] });
    const [only] = settings.pools;
    const capacities = { ...only.capacities, memoryMiB: Int32Array.of(1000) };
    const port = new Port({ ...settings, pools: [{ ...only, capacities }] });
    const submit = (job: number, cores: number, priority: number): void => {
      const more = { project: 0, heuristic: NONE, owner: 0, virtualPool: 0, candidates: 0 };
      const request = { cores, memory: 10, gpu: 0, tasks: 1, estimateSeconds: null, priority, ...more };
      port.apply({ type: "submitted", at: 0, job, request });
    };
    submit(1, 3000, 1);
    expect(port.apply({ type: "tick", at: 0 }).decisions).toEqual([
      {
        type: "START",
        number: 1,
        job: 1,
        attempt: 1,
        pool: 0,
        placement: [{ machine: 0, tasks: 1 }],
        cores: 3000,
        memory: 10,
        gpu: 0,
      },
    ]);
    submit(2, 2000, 0);
    submit(3, 4000, 0);
    submit(4, 2000, 1);
    port.apply({ type: "tick", at: 1 });
    const { jobs, pools } = port.view;
    const [pool] = pools;
    expect(Array.from(jobs, (job) => port.numberOf(job))).toEqual([1, 2, 3, 4]);
    expect(pool.queue(0).map((job) => port.numberOf(job))).toEqual([4, 2, 3]);
    expect(pool.queue(0, 1)).toHaveLength(1);
    expect([jobs.waiting, pool.waiting, jobs.count(0, WAITING), jobs.count(0, STARTING)]).toEqual([
      3, 3, 3, 1,
    ]);
    expect(pool.machines.freeCores[0]).toBe(1000);
    expect(pool.jobsOn(0)).toEqual([port.handleOf(1)]);
    expect(pool.placementOf(port.handleOf(1))).toEqual([{ machine: 0, tasks: 1 }]);
    expect(jobs.stateOf(port.handleOf(9))).toBe(FREE);
  });
});

/** Every value of a snapshot that is no object: how to read it, and to put another in its place. */
function* placesIn(value: object, path: readonly string[] = []): Generator<readonly string[]> {
  for (const [name, each] of Object.entries(value)) {
    if (typeof each === "object" && each !== null) {
      yield [...path, name];
      yield* placesIn(each as object, [...path, name]);
    } else yield [...path, name];
  }
}

function damaged<T extends object>(snapshot: T, path: readonly string[], value: unknown): T {
  const copy = structuredClone(snapshot);
  let at = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[path.at(-1)!] = value;
  return copy;
}

it("a snapshot that is damaged is refused in words, or gives an engine that goes on", () => {
  const optional = /hasPassedOver|licences|heuristic|hasTwins|isDirty|keepsMemory|kept$|policy$|bookings$/;
  fc.assert(
    fc.property(seeds, fc.nat(), (seed, pick) => {
      const driver = new FaultyDriver(anyEngine(seed), seed);
      driver.run(80);
      const random = new Draws(seed + 1);
      const settings = anyEngine(seed).settings((below) => random.below(below));
      const port = new Port(settings);
      for (const { event } of driver.journal) port.apply(event);
      const snapshot = port.save();
      const places = [...placesIn(snapshot)];
      const path = places[pick % places.length];
      const isEntry = /^\d+$/.test(path.at(-1)!);
      for (const value of [undefined, NaN, -5, 1e300, "x", null]) {
        const isRemoved = value === undefined && !isEntry && !optional.test(path.join("."));
        let after: Port;
        try {
          after = Port.load(settings, damaged(snapshot, path, value));
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect((error as Error).message, path.join(".")).toMatch(/the snapshot/);
          continue;
        }
        expect(isRemoved, `without ${path.join(".")}`).toBe(false);
        after.apply({
          type: "tick",
          at: driver.journal.at(-1)!.event.at + 1000,
        });
      }
    }),
    {
      numRuns: 100,
      examples: [
        [313595616, 306622182],
        [1913429094, 838250327],
      ],
    },
  );
});

it("a snapshot of other pools is refused", () => {
  const settings = anyEngine(1).settings(() => 0);
  const snapshot = new Port(settings).save();
  const { pools } = snapshot.engine;
  const other = { ...snapshot, engine: { ...snapshot.engine, pools: [...pools, ...pools] } };
  expect(() => Port.load(settings, other)).toThrow(/the snapshot is of \d pools, and the settings have/);
});

describe("an event that is ignored", () => {
  it("may not even be an object, or be a job without a request", () => {
    const port = new Port(anyEngine(1).settings(() => 0));
    for (const event of [null, undefined, 5, "tick", [], {}, { type: "submitted", at: 0, job: 1 }])
      expect(port.apply(event as EngineEvent)).toMatchObject({
        answer: "ignored",
        why: NOT_AN_EVENT,
      });
  });

  it("may have a time to which seconds cannot be added", () => {
    const port = new Port(anyEngine(1).settings(() => 0));
    for (const at of [NaN, Infinity, -Infinity, 1e20, -1e20, 2 ** 45 + 1])
      expect(port.apply({ type: "tick", at })).toMatchObject({
        answer: "ignored",
        why: NOT_AN_EVENT,
      });
    expect(port.apply({ type: "tick", at: 2 ** 45 }).answer).toBe("taken");
  });

  it("may name a pool or a machine by what is no number", () => {
    const port = new Port(anyEngine(1).settings(() => 0));
    const types = ["machineUp", "machineDown", "machineDrained", "machineUndrained", "machineRemoved"];
    const capacity = { coresMilli: 1000, memoryMiB: 1, gpuMilli: 0, group: 0 };
    for (const type of [...types, "machineAdded", "machineChanged"])
      for (const pool of ["length", "map", "__proto__", "0", [0], 0.5, null, undefined]) {
        const wrong = { type, at: 0, pool, machine: 0, ...capacity } as unknown as EngineEvent;
        expect(port.apply(wrong)).toMatchObject({ answer: "ignored", why: NOT_AN_EVENT });
        const other = { ...wrong, pool: 0, machine: pool } as unknown as EngineEvent;
        expect(port.apply(other)).toMatchObject({ answer: "ignored", why: NOT_AN_EVENT });
      }
  });

  it("may add a machine with a number that is in use", () => {
    const port = new Port(anyEngine(1).settings(() => 0));
    const event = { type: "machineAdded", at: 0, pool: 0, machine: 0 } as const;
    const answer = port.apply({ ...event, coresMilli: 1000, memoryMiB: 1, gpuMilli: 0, group: 0 });
    expect(answer).toMatchObject({ answer: "ignored", why: NOT_NEXT_MACHINE });
  });

  it("changes nothing that later decisions depend on", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const driver = new FaultyDriver(anyEngine(seed), seed);
        driver.run(60);
        const random = new Draws(seed + 1);
        const port = new Port(anyEngine(seed).settings((below) => random.below(below)));
        for (const { event, answer } of driver.journal) {
          const before = answer.answer === "ignored" ? structuredClone(port.save()) : null;
          port.apply(event);
          if (before !== null) expect(port.save()).toEqual(before);
        }
      }),
      { numRuns: 40 },
    );
  });
});
