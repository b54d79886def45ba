import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { recordsDisk } from "./records-disk.ts";

it("removes what is large first, which may take long, and the records with which it is found at once and last", async () => {
  const folder = mkdtempSync(join(tmpdir(), "croft-records-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "launch"), "a record");
  writeFileSync(join(folder, "stdout"), "x".repeat(1_000_000));
  const removing = recordsDisk.remove(folder);
  expect(existsSync(join(folder, "launch"))).toBe(true);
  await removing;
  expect(existsSync(folder)).toBe(false);
});
