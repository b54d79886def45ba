import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { Farm } from "./farm.fixture.ts";
import { lastNumber } from "./last-number.ts";

it("is that of a job which was forgotten by restoring a backup, where its output is there", async () => {
  const data = mkdtempSync(join(tmpdir(), "croft-last-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
  for (let job = 1; job <= 2; job++) await farm.submit(10);
  const { database } = farm.world;
  expect(await lastNumber(database, data)).toBe(2);
  for (const job of ["1", "2", "no-job"]) mkdirSync(join(data, "jobs", job), { recursive: true });
  expect(await lastNumber(database, data)).toBe(2);
  for (const job of ["700", "1234"]) mkdirSync(join(data, "jobs", job));
  expect(await lastNumber(database, data)).toBe(1234);
});
