import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { Connection, Database } from "./database.ts";

function aPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "croft-database-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "croft.db");
}

it("has one service, in this process and of all, and any number of readers", () => {
  const path = aPath();
  const database = new Database(path);
  expect(() => new Database(path)).toThrow(/another croft serve uses this data/);
  // The refused one has given nothing back that is the first one's.
  const open = `
    const { Database } = await import(${JSON.stringify(new URL("database.ts", import.meta.url).href)});
    try { new Database(${JSON.stringify(path)}); console.log("open"); } catch (error) { console.log(error.message); }`;
  const other = (): string =>
    execFileSync(process.execPath, ["--input-type=module", "-e", open], { encoding: "utf8" });
  expect(other()).toMatch(/another croft serve uses this data/);
  const reader = new Connection(path);
  database.commit([{ sql: "INSERT INTO archive (name) VALUES ('2026-10')", values: [] }]);
  expect(reader.get("SELECT name FROM archive")).toEqual({ name: "2026-10" });
  expect(() => reader.all("DELETE FROM archive")).toThrow(/readonly/);
  reader.close();
  expect(other()).toMatch(/another croft serve uses this data/);
  database.close();
  expect(other()).toBe("open\n");
});

it("leaves files that others cannot read, and a lock that is empty", () => {
  const path = aPath();
  const database = new Database(path);
  for (const file of ["", "-wal", "-shm", "-lock"])
    expect(statSync(`${path}${file}`).mode & 0o777).toBe(0o600);
  expect(readFileSync(`${path}-lock`)).toHaveLength(0);
  database.close();
});

it("counts what a service that was killed has left in the log", () => {
  const [path, copy] = [aPath(), aPath()];
  const database = new Database(path);
  const sql = "INSERT INTO environment (id, hash, text) VALUES (?, ?, ?)";
  const text = "x".repeat(3 * 1024 * 1024);
  database.commit([1, 2].map((id) => ({ sql, values: [id, String(id), text] })));
  expect(database.takeCheckpoint()).toBe(false);
  for (const file of ["", "-wal"]) copyFileSync(`${path}${file}`, `${copy}${file}`);
  database.close();
  const next = new Database(copy);
  next.commit([{ sql, values: [3, "3", text] }]);
  expect([next.takeCheckpoint(), next.takeCheckpoint()]).toEqual([true, false]);
  next.close();
});
