import { expect, test } from "vitest";

import { inventSweep } from "./sweep.fixture.ts";
import type { SweepInput } from "./sweep-input.ts";
import { renderSweepTable } from "./sweep-table.ts";
import { sweepVerdict } from "./sweep-verdict.ts";

const sweep = inventSweep();
const seen: SweepInput = { ...sweep, logs: sweep.logs.map((log) => ({ ...log, unseen: [] })) };

test("no gain is claimed where runs do not see enough, and the logs are named", () => {
  const [gain, , sure] = sweepVerdict(sweep)!.tiles;
  expect(gain.isGain).toBe(false);
  expect(sure.note).toMatch(/ But the runs of netbatch-b do not see enough: read below\.$/);
  const [claimed, , surer] = sweepVerdict(seen)!.tiles;
  expect(claimed.isGain).toBe(true);
  expect(surer.note).toMatch(/ Other logs may differ\.$/);
});

test("what runs cannot see stands below the tables, log by log", () => {
  expect(renderSweepTable(sweep)).toMatch(/\n\nWhat the runs cannot see\nnetbatch-b: No job has/);
  expect(renderSweepTable(seen)).not.toContain("cannot see");
});
