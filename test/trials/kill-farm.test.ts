import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import { KillFarm } from "../../scripts/live/kill-farm.ts";
import { Wedged } from "../../scripts/live/patience.ts";

it("leaves nothing of a farm that does not start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "croft-"));
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = folder;
  try {
    await expect(KillFarm.started("pools: []\n", null)).rejects.toThrow(Wedged);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
    rmSync(folder, { recursive: true });
  }
});
