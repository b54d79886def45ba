import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { anyEngine, Draws } from "../../core/port/any-engine.fixture.ts";
import { Port } from "../../core/port/port.ts";
import type { PortSnapshot } from "../../core/index.ts";
import { FaultyDriver } from "../../core/port/faulty-driver.fixture.ts";
import { Database } from "./database.ts";
import { migrations } from "./migrations.ts";
import { readSnapshot, snapshotWrites } from "./snapshots.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "croft-snapshot-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

/** The state of some engine in the middle of a bad day. */
function someState(seed: number): PortSnapshot {
  const driver = new FaultyDriver(anyEngine(seed), seed);
  driver.run(60);
  const random = new Draws(seed + 1);
  const port = new Port(anyEngine(seed).settings((below) => random.below(below)));
  for (const { event } of driver.journal) port.apply(event);
  return port.save();
}

describe("a stored snapshot", () => {
  it("comes back as it was written, in place of the one before", () => {
    const database = new Database(join(folder, "croft.db"));
    fc.assert(
      fc.property(seeds, fc.nat(), fc.nat(), (seed, seq, draws) => {
        const snapshot = { seq, draws, settings: 1, port: someState(seed) };
        database.commit(snapshotWrites(snapshot));
        expect(readSnapshot(database)).toEqual(snapshot);
      }),
      { numRuns: 20 },
    );
    database.close();
  });

  it("of database version 3, with a name for each value, is brought forward", () => {
    let count = 0;
    fc.assert(
      fc.property(seeds, (seed) => {
        const path = join(folder, `${count++}.db`);
        const port = withoutNotes(withoutPromises(someState(seed)));
        writeVersion3(path, port);
        const database = new Database(path);
        expect(withoutKinds(readSnapshot(database)!)).toEqual(
          withoutKinds({ seq: 77, settings: 3, draws: 5, port }),
        );
        database.close();
      }),
      { numRuns: 20 },
    );
  });

  it("is none in a database of version 3 that had none", () => {
    const path = join(folder, "croft.db");
    writeVersion3(path, null);
    const database = new Database(path);
    expect(readSnapshot(database)).toBeNull();
    database.close();
  });
});

/** As in those days, in which no policy kept anything, nor was it noted what suspended jobs kept. */
function withoutPromises(port: PortSnapshot): PortSnapshot {
  const { pools: kept, ...engine } = port.engine;
  const pools = kept.map(({ policy: _policy, usage: _usage, ...pool }) => pool);
  const { keepsMemory: _keepsMemory, ...jobs } = engine.jobs;
  return { ...port, engine: { ...engine, jobs, pools } };
}

/** Of version 3 it is not noted which suspended jobs keep their memory: that is taken from their pools. */
function withoutNotes(port: PortSnapshot): PortSnapshot {
  const { keepsMemory: _, ...jobs } = port.engine.jobs;
  return { ...port, engine: { ...port.engine, jobs } };
}

/** Columns of whole numbers and of others are the same if their values are. */
function withoutKinds(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
  if (Array.isArray(value)) return value.map(withoutKinds);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutKinds(inner)]));
}

/** As version 3 wrote it: objects, in parts of 3 jobs here. */
function writeVersion3(path: string, port: PortSnapshot | null): void {
  const database = new DatabaseSync(path);
  for (const migration of migrations.slice(0, 3)) database.exec(migration as string);
  database.exec("PRAGMA application_id = 1131570804; PRAGMA user_version = 3");
  if (port !== null) {
    const { numbers, decisions, engine, ...rest } = port;
    const { jobs: columns, timers, ...more } = engine;
    const plain = (value: number): number | string => (Number.isFinite(value) ? value : String(value));
    const row = (group: object, job: number): object =>
      Object.fromEntries(
        Object.entries(group).map(([name, column]) => [name, plain((column as Float64Array)[job])]),
      );
    const { placements } = columns;
    const order = [...new Set(placements.job)];
    const jobs = Array.from({ length: columns.count }, (_, job) => {
      const { project, heuristic, ...expected } = row(columns.jobs, job) as Record<string, unknown>;
      return {
        request: { ...row(columns.kinds, job), project, heuristic },
        columns: expected,
        engine: row(columns.engineJobs, job),
        twin: columns.twin[job] === -1 ? null : columns.twin[job],
        placement: Array.from(placements.job, (of, at) => ({ of, at }))
          .filter(({ of }) => of === job)
          .map(({ at }) => ({ machine: placements.machine[at], tasks: placements.tasks[at] })),
        ranAs: order.indexOf(job) + 1,
      };
    });
    const insert = database.prepare("INSERT INTO snapshot (seq, part, text) VALUES (77, ?, ?)");
    const head = {
      settings: 3,
      draws: 5,
      port: {
        ...rest,
        numbers: [],
        decisions: [],
        engine: { ...more, timers: timers.map((list) => Array.from(list)) },
      },
    };
    insert.run(0, JSON.stringify(head));
    for (let from = 0; from < jobs.length; from += 3) {
      const part = [Array.from(numbers), Array.from(decisions), jobs].map((all) => all.slice(from, from + 3));
      insert.run(1 + from / 3, JSON.stringify(part));
    }
  }
  database.close();
}
