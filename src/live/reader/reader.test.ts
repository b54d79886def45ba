import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { KeptForecasts } from "../forecasting/kept-forecasts.ts";
import { neverStarts } from "../forecasting/start-forecast.ts";
import { farmWith } from "../replica/past.fixture.ts";
import { anyFarmOf } from "../service/farms.fixture.ts";
import { jobRequest } from "../store/job-request.ts";
import { Refusal } from "../refusal.ts";
import { Database } from "../store/database.ts";
import { backup } from "./backup.ts";
import { inlineReader, type Reader } from "./tasks.ts";
import { ThreadedReader } from "./threaded-reader.ts";

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "croft-reader-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const withJobs = (path: string, count: number): Database => {
  const database = new Database(path);
  database.commit(
    Array.from({ length: count }, (_, at) => ({
      sql: `INSERT INTO job (number, id, name, user, state, reason, machines, submitted_at, attempt, retries_left,
                             is_held, is_paused, priority, request, environment)
              VALUES (?, ?, 'true', 'ann', 'waiting', '', '[]', 0, 1, 0, 0, 0, 50, '{"command":["true"]}', 1)`,
      values: [at + 1, String(at)],
    })),
  );
  return database;
};

const numbers = (bytes: Uint8Array): number[] =>
  (JSON.parse(Buffer.from(bytes).toString()) as { number: number }[]).map(({ number }) => number);

it("reads in a thread what is committed, while the writer goes on, and copies it", async () => {
  const folder = aFolder();
  const database = withJobs(join(folder, "croft.db"), 3);
  const reader = new ThreadedReader(database.path, 60_000);
  expect(numbers(await reader.do("jobs", { unixSeconds: 0, limit: 10 }))).toEqual([1, 2, 3]);
  database.commit([{ sql: "DELETE FROM job WHERE number = 2", values: [] }]);
  expect(numbers(await reader.do("jobs", { unixSeconds: 0, limit: 10 }))).toEqual([1, 3]);
  const copy = join(folder, "copy.db");
  await backup(reader, copy);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  await reader.close();
  await expect(reader.do("jobs", { unixSeconds: 0, limit: 1 })).rejects.toThrow("the farm is stopping");
  database.close();
  const copied = new Database(copy);
  expect(numbers(await inlineReader(copied).do("jobs", { unixSeconds: 0, limit: 10 }))).toEqual([1, 3]);
  copied.close();
});

it("tells no forecast of a job that was made before the job was to wait again, or asked for something else", async () => {
  const folder = aFolder();
  const database = withJobs(join(folder, "croft.db"), 3);
  const facts = {
    futures: 40,
    isCutShort: false,
    pastJobs: 30,
    never: "so it is",
    jobsAhead: 0,
    coreHoursAhead: 0,
  };
  const asks = { cores: 1, memoryMiB: 0, gpus: 0, licences: "", limits: [], hasRoom: false };
  const forecast = neverStarts("so it is", 1000, { ...facts, ...asks });
  const kept = new KeptForecasts(folder);
  kept.write(new Map([1, 2, 3].map((job) => [job, forecast])), { told: [], over: [], withdrawn: [] });
  kept.close();
  const event = "INSERT INTO event (at, kind, job, text) VALUES (?, ?, ?, '')";
  database.commit([
    { sql: event, values: [999, "changed", 1] },
    { sql: event, values: [1001, "attempt-over", 2] },
    { sql: event, values: [1001, "started", 3] },
  ]);
  const listed = await inlineReader(database).do("jobs", { unixSeconds: 1010, limit: 10 });
  const jobs = JSON.parse(Buffer.from(listed).toString()) as { forecast: { never: string } | null }[];
  expect(jobs.map((job) => job.forecast?.never ?? null)).toEqual(["so it is", null, "so it is"]);
  database.close();
});

it("writes the log back when enough is written, and a service that dies loses nothing", async () => {
  const folder = aFolder();
  const path = join(folder, "croft.db");
  const database = withJobs(path, 10);
  const reader = new ThreadedReader(path, 60_000);
  expect(database.takeCheckpoint()).toBe(false);
  const big = "x".repeat(1_000_000);
  for (let i = 0; i < 9; i++)
    database.commit([{ sql: "INSERT INTO settings (text) VALUES (?)", values: [big] }]);
  const before = statSync(path).size;
  expect(database.takeCheckpoint()).toBe(true);
  expect(database.takeCheckpoint()).toBe(false);
  await reader.do("checkpoint", {});
  expect(statSync(path).size).toBeGreaterThan(before + 9_000_000);
  // The log begins anew, so it does not grow for ever.
  const log = statSync(`${path}-wal`).size;
  for (let i = 0; i < 8; i++)
    database.commit([{ sql: "INSERT INTO settings (text) VALUES (?)", values: [big] }]);
  expect(statSync(`${path}-wal`).size).toBeLessThan(log * 1.2);
  await reader.close();
  database.close();
});

it("writes the log back when many rows were deleted, by however few statements", () => {
  const database = withJobs(join(aFolder(), "croft.db"), 100_000);
  database.takeCheckpoint();
  for (let first = 1; first < 100_000; first += 500)
    database.commit([{ sql: "DELETE FROM job WHERE number BETWEEN ? AND ?", values: [first, first + 499] }]);
  expect(database.takeCheckpoint()).toBe(true);
  database.close();
});

it("tells of a failure, and goes on after it", async () => {
  const folder = aFolder();
  const database = withJobs(join(folder, "croft.db"), 1);
  const reader = new ThreadedReader(database.path, 60_000);
  onTestFinished(() => reader.close());
  const asked = [
    reader.do("backup", { path: "/nowhere/copy.db" }),
    reader.do("jobs", { unixSeconds: 0, limit: 10 }),
  ] as const;
  await expect(asked[0]).rejects.toThrow(/unable to open/);
  expect(numbers(await asked[1])).toEqual([1]);
  database.close();
});

it("refuses what is under way or waits when it is closed", async () => {
  const database = withJobs(join(aFolder(), "croft.db"), 1);
  const reader = new ThreadedReader(database.path, 60_000);
  const asked = [
    reader.do("jobs", { unixSeconds: 0, limit: 10 }),
    reader.do("jobs", { unixSeconds: 0, limit: 10 }),
  ];
  const settled = Promise.allSettled(asked);
  await reader.close();
  for (const each of await settled)
    expect(each).toMatchObject({ status: "rejected", reason: { name: "Refusal", status: 503 } });
  await expect(reader.do("jobs", { unixSeconds: 0, limit: 10 })).rejects.toBeInstanceOf(Refusal);
  database.close();
});

it("passes a refusal on as one", async () => {
  const { database } = await farmWith(anyFarmOf([{ name: "one", machines: 1, cores: 4 }]), []);
  const path = join(aFolder(), "copy.db");
  await inlineReader(database).do("backup", { path });
  const reader = new ThreadedReader(path, 60_000);
  onTestFinished(() => reader.close());
  const request = jobRequest(["job"], { requires: "no such thing" });
  const instant = { farmSeconds: 0, unixSeconds: 0 };
  const asked = reader.do("fits", { request, tasks: 1, count: 1, instant });
  await expect(asked).rejects.toMatchObject({ name: "Refusal", status: 422 });
});

it("a copy is there whole or not at all", async () => {
  const folder = aFolder();
  const database = withJobs(":memory:", 1);
  const path = join(folder, "copy.db");
  let seen: string[] = [];
  const reader = inlineReader(database);
  const failing: Reader = {
    async do(name, input) {
      await reader.do(name, input);
      seen = readdirSync(folder);
      throw new Error("the disk is full");
    },
  };
  await expect(backup(failing, path)).rejects.toThrow("the disk is full");
  expect(seen).toHaveLength(1);
  expect(seen).not.toContain("copy.db");
  expect(readdirSync(folder)).toEqual([]);
  await backup(reader, path);
  expect(readdirSync(folder)).toEqual(["copy.db"]);
});
