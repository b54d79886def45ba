import { expect, test } from "vitest";

import type { RunResult } from "../simulation/result.ts";
import { meanWait, wastedTime } from "./metrics.ts";
import { inventInput, inventRun } from "./report.fixture.ts";
import { renderReport } from "./report.ts";
import { renderFarmTable } from "./farm-table.ts";
import { renderFailuresTable } from "./failures-table.ts";
import { measureOf } from "./measure.ts";
import { tabulate } from "./runs.ts";

const part = {
  jobs: 10,
  suspendRate: 0.3,
  waitMeanMinutes: 5,
  completionMeanMinutes: 60,
  suspendedMeanMinutes: 7,
  wastedSuspendMinutes: 2,
  wastedMeanMinutes: 8,
  wastedMaxMinutes: 77,
};

/** A run on a farm under a strategy, with this much wasted of all jobs' time. */
function interrupted(policy: string, strategy: string, wastedMeanMinutes: number, load = 0.8): RunResult {
  return {
    ...inventRun(policy, 0, load, 3),
    strategy,
    routing: "round-robin",
    suspendRate: 0.25,
    completionMeanSuspendedMinutes: 100,
    completionMeanMinutes: 60,
    suspendedMeanMinutes: 20,
    wastedMeanMinutes,
    wastedWaitMinutes: wastedMeanMinutes - 5,
    wastedSuspendMinutes: 5,
    wastedRestartMinutes: 0,
    transferMeanMinutes: 0,
    suspensions: 40,
    moves: 3,
    movedJobs: 3,
    duplicates: 0,
    duplicateMeanMinutes: 0,
    suspensionMinutes: [],
    lostJobs: 4,
    losses: 6,
    repeatedCoreHours: 12.5,
    unavailableCoreHours: 100,
    byPriority: [
      { priority: 10, ...part },
      { priority: 0, ...part },
    ],
    byGroup: [
      { group: "cpu", ...part },
      { group: "", ...part },
    ],
    byPool: [
      { pool: "east", ...part },
      { pool: "west", ...part },
    ],
    longestSuspended: [
      {
        job: 4711,
        group: "cpu",
        priority: 0,
        runtimeSeconds: 600,
        suspendedSeconds: 7200,
        pool: "east",
        suspensions: 2,
      },
    ],
  };
}

const runs = [
  interrupted("easy", "NoRes", 40),
  interrupted("easy", "ResSusUtil", 20),
  interrupted("first-fit", "NoRes", 60),
];

test("runs are told apart by policy and strategy, each where it differs", () => {
  expect(tabulate(runs).policies).toEqual(["easy, NoRes", "easy, ResSusUtil", "first-fit, NoRes"]);
  expect(tabulate(runs.slice(0, 2)).policies).toEqual(["NoRes", "ResSusUtil"]);
  expect(tabulate([runs[0], runs[2]]).policies).toEqual(["easy", "first-fit"]);
});

test("where jobs are suspended or lost, runs are judged by the time that was wasted", () => {
  const { loads } = tabulate(runs);
  expect(measureOf(loads[0].runs)).toBe(wastedTime);
  const html = renderReport({ ...inventInput(), runs });
  expect(html).toContain(
    "easy, ResSusUtil has the lowest mean wasted time in this log: 20.0\u00a0min, against 40.0\u00a0min under easy, NoRes.",
  );
  const quiet = { suspensions: 0, moves: 0, losses: 0 };
  expect(measureOf(tabulate(runs.map((run) => ({ ...run, ...quiet }))).loads[0].runs)).toBe(meanWait);
});

test("the report has the chapter, by priority, group and pool, and the jobs suspended for longest", () => {
  const html = renderReport({ ...inventInput(), runs });
  const text = [
    "By priority, under easy, ResSusUtil",
    "By group, under",
    "By pool, under",
    "(none)",
    "<h3>Suspended for longest</h3>",
    "4711",
    "Longest wasted",
    "10.0\u00a0min",
    "2.00\u00a0h",
  ];
  for (const each of [...text, "Core-hours repeated", "12.5"]) expect(html).toContain(each);
  expect(renderReport(inventInput())).not.toContain("Suspended, moved and lost");
});

test("the terminal's tables have a line a run, and none where there is nothing", () => {
  expect(renderFarmTable(runs)).toMatch(
    /^easy, ResSusUtil +25.0% +100.0 +60.0 +20.0 +20.0 +15.0 +5.0 +0.0 /m,
  );
  expect(renderFailuresTable(runs)).toMatch(/^first-fit, NoRes +80% +4 +6 +12.5 +100$/m);
  const plain = [inventRun("easy", 0, 0.8, 3)];
  expect([renderFarmTable(plain), renderFailuresTable(plain)]).toEqual(["", ""]);
});
