import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { Database } from "./database.ts";

it("a copy is there whole or not at all", () => {
  const folder = mkdtempSync(join(tmpdir(), "croft-copy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = new Database(":memory:");
  const path = join(folder, "copy.db");
  // SQLite makes the file first and then fills it.
  const prepare = Reflect.get(database, "database") as {
    prepare: (sql: string) => { run: (path: string) => void };
  };
  const own = prepare.prepare.bind(prepare);
  let seen: string[] = [];
  prepare.prepare = (sql) => {
    const statement = own(sql);
    return {
      run: (...values) => {
        statement.run(...values);
        seen = readdirSync(folder);
        throw new Error("the disk is full");
      },
    };
  };
  expect(() => database.copyTo(path)).toThrow("the disk is full");
  expect(seen).toHaveLength(1);
  expect(seen).not.toContain("copy.db");
  expect(readdirSync(folder)).toEqual([]);
  prepare.prepare = own;
  database.copyTo(path);
  expect(readdirSync(folder)).toEqual(["copy.db"]);
  database.close();
  new Database(path).close();
});
