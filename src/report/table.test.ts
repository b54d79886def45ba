import { expect, test } from "vitest";
import { invented, inventRun, inventRuns, twelvePolicies } from "./report.fixture.ts";
import { renderTable } from "./table.ts";
import { inventRecord } from "./report.fixture.ts";

test("a line a policy, the best of every column marked", () => {
  const first = { ...inventRun("first-fit", 0, 0.95, 30), waitMeanSeconds: 90, queueLengthMean: 12 };
  const mix = { ...inventRun("mix-fit", 1, 0.95, 30), waitMeanSeconds: 60, queueLengthMean: 13 };
  const lines = renderTable([first, mix]).split("\n");
  expect(lines[0]).toBe("95% load (submission times × 0.611)");
  expect(lines[1]).toMatch(/^policy +wait +wait p95 +slowdown +bounded +queue +str\.cores/);
  expect(lines[2]).toMatch(/^first-fit +1\.50 min +.*12\.0\* /);
  expect(lines[3]).toMatch(/^mix-fit +1\.00 min\* .*13\.0 /);
  expect(lines[2].replace(/\*/g, " ").trimEnd()).toHaveLength(lines[3].replace(/\*/g, " ").trimEnd().length);
});

test("runs on other machines, for which the same jobs are another load, are told with theirs", () => {
  const own = { ...inventRun("as it is", 0, 0.93, 30), beta: 1 };
  const more = { ...inventRun("as it is, new", 1, 0.61, 30), beta: 1 };
  expect(renderTable([own, more]).split("\n")[0]).toBe("93% load (as it is, new: 61%)");
  expect(renderTable([own]).split("\n")[0]).toBe("93% load");
});

test("twelve policies with long names fit 120 columns", () => {
  const textOf = (...more: string[]): string => {
    const text = renderTable(inventRuns({ ...invented, policies: [...twelvePolicies, ...more] }));
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
    return text;
  };
  expect(textOf("a-policy-of-a-name-that-is-longer-than-the-table-has-room-for")).toContain(
    "\neasy-backfilling+~",
  );
  // They are cut only where there is no room for them.
  expect(textOf()).toContain("\neasy-backfilling+best-fit-memory ");
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

test("what is the same of all is said once, and the wait keeps its column", () => {
  const text = renderTable([inventRun("a", 0, 0.95, 30), inventRun("b", 0, 0.95, 30)]);
  expect(text.split("\n")[1]).toMatch(/^policy +wait$/);
  expect(text.replaceAll("\n", " ")).toMatch(
    / The same under all policies: .*rejected 17; makespan 31\.1 d\. /,
  );
});

test("what was recorded comes first, at the log's own pace only, and is told apart", () => {
  const own = { ...inventRun("a", 0, 0.58, 30), beta: 1 };
  const text = renderTable([own, inventRun("a", 0, 0.95, 30)], inventRecord(8000));
  const rows = text.split("\n").filter((line) => line.startsWith("as it was"));
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/^as it was +2\.22 h +/);
  expect(rows[0]).not.toContain("*");
  expect(rows[1]).toBe("as it was: recorded in the log; all other rows are simulated");
  expect(renderTable([inventRun("a", 0, 0.95, 30)], inventRecord(8000))).not.toContain("as it was");
});

test("what is the same of all at each load is said load by load", () => {
  const runs = [0.6, 0.9].flatMap((load) =>
    [0, 1].map((index) => ({
      ...inventRun(`p${index}`, index, load, 30),
      makespanSeconds: 86_400 * load * 10,
    })),
  );
  const text = renderTable(runs);
  const told = text.replaceAll("\n", " ");
  expect(told).toContain("cores used 58.2% and 87.3%, load by load; ");
  expect(told).toContain("makespan 6.00 d and 9.00 d, load by load.");
  expect(text.split("\n")[1]).not.toMatch(/ cores/);
});
