import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, it } from "vitest";

import { refuseLostDatabase } from "./lost-database.ts";

let data: string;
beforeEach(() => (data = mkdtempSync(join(tmpdir(), "croft-data-"))));
afterEach(() => rmSync(data, { recursive: true }));

it("takes a folder that is new, has only a folder for jobs, or has a database", () => {
  refuseLostDatabase(data);
  mkdirSync(join(data, "jobs"));
  refuseLostDatabase(data);
  mkdirSync(join(data, "jobs", "1"));
  writeFileSync(join(data, "croft.db"), "whatever it is, others look at it");
  refuseLostDatabase(data);
});

it("refuses what jobs have printed without a database, or with an empty one", () => {
  mkdirSync(join(data, "jobs", "1"), { recursive: true });
  expect(() => refuseLostDatabase(data)).toThrow("the database is not there, and ");
  writeFileSync(join(data, "croft.db"), "");
  expect(() => refuseLostDatabase(data)).toThrow("the database is empty, and ");
});
