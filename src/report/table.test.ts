import { expect, test } from "vitest";
import { invented, inventRun, inventRuns, twelvePolicies } from "./report.fixture.ts";
import { renderTable } from "./table.ts";

test("a line a policy, the best of every column marked", () => {
  const first = { ...inventRun("first-fit", 0, 0.95, 30), waitMeanSeconds: 90, queueLengthMean: 12 };
  const mix = { ...inventRun("mix-fit", 0, 0.95, 30), waitMeanSeconds: 60, queueLengthMean: 13 };
  const lines = renderTable([first, mix]).split("\n");
  expect(lines[0]).toBe("95% load (beta 0.611)");
  expect(lines[1]).toMatch(/^policy +wait +wait p95 +slowdown +bounded +queue +cores/);
  expect(lines[2]).toMatch(/^first-fit +1\.50min +.*12\.0\* /);
  expect(lines[3]).toMatch(/^mix-fit +1\.00min\* .*13\.0 /);
  expect(lines[2].replace(/\*/g, " ").trimEnd()).toHaveLength(lines[3].replace(/\*/g, " ").trimEnd().length);
});

test("twelve policies with long names fit 120 columns", () => {
  const text = renderTable(inventRuns({ ...invented, policies: twelvePolicies }));
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
  expect(text).toContain("easy-backfilling+~");
});

test("names are not cut where that makes them equal", () => {
  const names = ["GreedyPM */per/OPT=AVG", "GreedyPM */per/OPT=MAX"];
  const text = renderTable(names.map((name) => inventRun(name, 0, 0.95, 30)));
  for (const name of names) expect(text).toContain(`${name} `);
});

test("columns that no run has are left out", () => {
  const run = {
    ...inventRun("first-fit", 0, 0.95, 30),
    memoryUtilizationMean: null,
    strandedCoresMean: null,
    strandedMemoryMean: null,
  };
  expect(renderTable([run])).not.toMatch(/memory|str\./);
  expect(renderTable([run])).not.toContain("NaN");
});

test("no run, no table", () => expect(renderTable([])).toBe("* best of its column at that load\n"));
