import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { anyFarmOf } from "../live/service/farms.fixture.ts";
import { Database } from "../live/store/database.ts";
import { pastSnapshotWrites } from "../live/store/past-snapshots.ts";
import { openPast } from "./open-past.ts";
import { farmWith, pass, somePast, untilAllAreOver } from "../live/replica/past.fixture.ts";
import { replayPast } from "./replay.ts";

const sizes = [{ name: "one", machines: 2, cores: 4 }];

it("begins with a snapshot that is kept, where the journal before it is gone, and follows a strategy's draws", async () => {
  const farm = anyFarmOf([...sizes, { name: "two", machines: 2, cores: 4 }], {
    victim: "last-submitted",
    strategy: "ResSusWaitRand",
    waitThresholdSeconds: 60,
    checkSeconds: 30,
  });
  const world = await farmWith(farm, somePast(5, 150));
  const { database } = world;
  const keep = (): number => {
    const { journal } = world.service;
    // As the service does: the last snapshot is kept, and another takes its place.
    database.commit([
      { sql: "DELETE FROM past_snapshot", values: [] },
      ...journal.snapshot(),
      ...pastSnapshotWrites(-1),
    ]);
    return journal.seq;
  };
  await pass(world, 2000);
  const seq = keep();
  await pass(world, 1000);
  keep();
  await untilAllAreOver(world, 150);
  database.commit([{ sql: "DELETE FROM journal WHERE seq <= ?", values: [seq] }]);
  const { check } = replayPast(database);
  expect(check.afterSeq).toBe(seq);
  expect(check.decisions).toBeGreaterThan(30);
  expect(check).toMatchObject({ firstOther: null, agreed: check.decisions });
  expect(replayPast(database).port.save()).toEqual(world.service.journal.port.save());
});

it("reads one moment of a database that others write, and writes nothing", () => {
  const folder = mkdtempSync(join(tmpdir(), "croft-past-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "croft.db");
  expect(() => openPast(path)).toThrow("there is no farm's database");
  expect(existsSync(path)).toBe(false);
  const database = new Database(path);
  onTestFinished(() => database.close());
  const past = openPast(path);
  onTestFinished(() => past.close());
  past.together(() => {
    expect(past.all("SELECT name FROM archive")).toEqual([]);
    database.commit([{ sql: "INSERT INTO archive (name) VALUES ('2026-10')", values: [] }]);
    // One within the other is of the same moment.
    expect(past.together(() => past.all("SELECT name FROM archive"))).toEqual([]);
    expect(past.all("SELECT name FROM archive")).toEqual([]);
  });
  expect(past.all("SELECT name FROM archive")).toHaveLength(1);
  expect(database.all("SELECT name FROM archive")).toHaveLength(1);
  database.commit([{ sql: "PRAGMA user_version = 3", values: [] }]);
  expect(() => openPast(path)).toThrow("an older Croft has written it (version 3");
});
