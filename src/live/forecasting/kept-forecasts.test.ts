import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterEach, beforeEach, expect, it } from "vitest";

import { KeptForecasts } from "./kept-forecasts.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "croft-kept-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const told = { job: 7, at: 100, raw: [1, 2, 3], told: [1, 2, Infinity] };
const damaged = (): boolean => existsSync(join(folder, "forecasts.db.damaged"));

function withOneTold(): void {
  const kept = new KeptForecasts(folder);
  kept.write(new Map(), { told: [told], over: [], withdrawn: [] });
  kept.close();
}

it("keeps what was told where it cannot be written for now, and opens later", () => {
  withOneTold();
  const other = new DatabaseSync(join(folder, "forecasts.db"));
  other.exec("BEGIN IMMEDIATE");
  // As a full disk does, it lets nothing be written.
  expect(() => new KeptForecasts(folder)).toThrow("database is locked");
  expect(damaged()).toBe(false);
  other.exec("ROLLBACK");
  other.close();
  const kept = new KeptForecasts(folder);
  expect(kept.open()).toEqual([told]);
  kept.close();
});

it("puts a damaged file away, and begins anew", () => {
  withOneTold();
  writeFileSync(join(folder, "forecasts.db"), "no database");
  const kept = new KeptForecasts(folder);
  expect([kept.open(), damaged()]).toEqual([[], true]);
  kept.close();
});
