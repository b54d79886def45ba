import { chmodSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, it } from "vitest";

import { TestFarm } from "./farm.fixture.ts";

it("all that a farm keeps is for its owner alone", async () => {
  const farm = new TestFarm();
  await farm.serve();
  await farm.croft("submit", "--", "sh", "-c", "echo out; echo err >&2");
  await farm.croft("submit", "--array", "1-2", "--retries", "1", "--", "false");
  await farm.croft("wait", "1-3");
  const data = join(farm.folder, "data");
  expect((await farm.croft("backup", join(data, "copy.db"))).status).toBe(0);
  const open = [
    data,
    ...readdirSync(data, { recursive: true, encoding: "utf8" }).map((name) => join(data, name)),
  ]
    .filter((path) => (lstatSync(path).mode & 0o077) !== 0)
    .map((path) => path.slice(data.length));
  expect(open).toEqual([]);
  expect(readdirSync(join(data, "jobs", "2")).sort()).toEqual(["stderr", "stderr.2", "stdout", "stdout.2"]);
});

it("what an earlier version left open is closed", async () => {
  const farm = new TestFarm();
  await farm.serve();
  await farm.kill("SIGTERM");
  const file = join(farm.folder, "data", "croft.db");
  const outputs = join(farm.folder, "data", "jobs");
  mkdirSync(outputs, { recursive: true });
  chmodSync(file, 0o644);
  chmodSync(outputs, 0o755);
  await farm.serve();
  expect(lstatSync(file).mode & 0o777).toBe(0o600);
  expect(lstatSync(outputs).mode & 0o777).toBe(0o700);
});

it("a folder that others can read is refused, with what to do", async () => {
  const farm = new TestFarm();
  const data = join(farm.folder, "data");
  mkdirSync(data);
  chmodSync(data, 0o755);
  await expect(farm.serve()).rejects.toThrow(
    `${data}: the farm does not keep its data here: others may read it, and it holds the environments and the output of jobs: chmod 700 ${data}. Mend that, or give another folder with --data`,
  );
  expect(readdirSync(data)).toEqual([]);
});

it("a database that lacks a table is told with its file, and what to do", async () => {
  const farm = new TestFarm();
  await farm.serve();
  await farm.kill("SIGTERM");
  const file = join(farm.folder, "data", "croft.db");
  const database = new DatabaseSync(file);
  database.exec("DROP TABLE token");
  database.close();
  await expect(farm.serve()).rejects.toThrow(
    `${file}: the database is not as it was written (no such table: token): move it away and restore a backup`,
  );
});
