import { describe, expect, test } from "vitest";

import { simulate } from "../../src/simulation/index.ts";
import {
  judgeRescheduling,
  publishedRows,
  reschedulingClaims,
  studyRescheduling,
  type ReschedulingResult,
  type ReschedulingRow,
  type ReschedulingYear,
} from "../../src/study/index.ts";
import { farmGenerator } from "../../src/workload/index.ts";

/** A quarter of the published week, on a quarter of the farm. */
const jobs = 62_000;

describe("the synthetic weeks, under NoRes, on the mean of some seeds", () => {
  const runs = [1, 2, 3].map((seed) => {
    const generator = farmGenerator("netbatch-week");
    return simulate(generator.generate({ jobs, seed }), generator.farm(jobs), { seed }).result;
  });
  const mean = (of: (run: (typeof runs)[number]) => number | null): number =>
    runs.reduce((sum, run) => sum + of(run)!, 0) / runs.length;

  test("are calibrated to the row NoRes of Zhang 2010, Table 1", () => {
    expect(mean((run) => run.suspendRate)).toBeGreaterThan(0.0114 - 0.003);
    expect(mean((run) => run.suspendRate)).toBeLessThan(0.0114 + 0.003);
    expect(mean((run) => run.completionMeanMinutes) / 569.8).toBeCloseTo(1, 1);
    const wasted = mean((run) => run.wastedMeanMinutes);
    expect(wasted).toBeGreaterThan(31 * 0.75);
    expect(wasted).toBeLessThan(31 * 1.25);
  });

  test("use about 40 % of the cores, mostly between 20 % and 60 %", () => {
    for (const { farmSeries } of runs) {
      // From the second day, when the farm has filled, to the last submission.
      const used = farmSeries.coreUtilization.filter(
        (_, i) => farmSeries.timeSeconds[i] > 86_400 && farmSeries.timeSeconds[i] < 604_800,
      );
      const average = used.reduce((sum, each) => sum + each, 0) / used.length;
      expect(average).toBeGreaterThan(0.35);
      expect(average).toBeLessThan(0.5);
      expect(used.filter((each) => each > 0.2 && each < 0.6).length / used.length).toBeGreaterThan(0.85);
    }
  });

  test("reject nobody", () => {
    expect(runs.map(({ rejected }) => rejected)).toEqual([0, 0, 0]);
  });
});

test("in the other week about 14 % of the jobs are suspended", () => {
  const generator = farmGenerator("netbatch-week-suspended");
  const { result } = simulate(generator.generate({ jobs: 40_000 }), generator.farm(40_000));
  expect(result.suspendRate).toBeGreaterThan(0.12);
  expect(result.suspendRate).toBeLessThan(0.16);
});

test("the study makes every run of the contract, the same each time", async () => {
  const make = (threads: number): Promise<ReschedulingResult> =>
    studyRescheduling({ jobs: 1500, year: false, threads });
  const [one, two] = await Promise.all([make(1), make(2)]);
  expect(one.rows).toEqual(two.rows);
  expect(one.rows).toHaveLength(30);
  for (const row of one.rows) {
    const { wastedMeanMinutes, wastedWaitMinutes, wastedSuspendMinutes, wastedRestartMinutes } = row;
    expect(wastedWaitMinutes! + wastedSuspendMinutes! + wastedRestartMinutes!).toBeCloseTo(
      wastedMeanMinutes!,
      6,
    );
    if (row.strategy === "NoRes") expect(wastedRestartMinutes).toBe(0);
  }
  expect(judgeRescheduling(one).map(({ holds }) => typeof holds)).not.toContain("undefined");
});

/** The paper's own figures, as far as it tells them. */
const published: ReschedulingResult = {
  jobs: 248_000,
  weekSeries: {},
  rows: [
    ...publishedRows.map((row): ReschedulingRow => {
      const suspended = row.suspendRate * row.suspendedMeanMinutes;
      const restart = row.strategy === "NoRes" ? 0 : 5;
      const wait = row.wastedMeanMinutes - suspended - restart;
      return {
        ...row,
        wastedWaitMinutes: wait,
        wastedSuspendMinutes: suspended,
        wastedRestartMinutes: restart,
      };
    }),
    ...(["NoRes", "ResSusUtil"] as const).map((strategy): ReschedulingRow => ({
      ...publishedRows[0],
      scenario: "high-suspension",
      routing: "round-robin",
      strategy,
      suspendRate: 0.14,
      completionMeanMinutes: strategy === "NoRes" ? 600 : 558,
      completionMeanSuspendedMinutes: strategy === "NoRes" ? 800 : 448,
      wastedWaitMinutes: 0,
      wastedSuspendMinutes: 0,
      wastedRestartMinutes: 0,
    })),
  ],
  year: {
    jobs: 1_000_000,
    suspendRate: 0.01,
    suspendedMeanMinutes: 905,
    suspensionMinutes: [{ part: 0.5, minutes: 437 }],
    series: {
      timeSeconds: [0, 200_000, 300_000],
      coreUtilization: [0, 0.35, 0.45],
      suspendedJobs: [0, 0, 0],
      waitingJobs: [0, 0, 0],
    },
  },
};

/** The paper's figures with strategies and routings in each other's place: whatever was better is worse. */
function turned(result: ReschedulingResult): ReschedulingResult {
  const others: Record<string, string> = {
    NoRes: "ResSusUtil",
    ResSusUtil: "NoRes",
    ResSusWaitUtil: "ResSusRand",
    ResSusRand: "ResSusWaitUtil",
  };
  const year = result.year as ReschedulingYear;
  return {
    ...result,
    rows: result.rows.map((row) => ({ ...row, strategy: others[row.strategy] ?? row.strategy })),
    year: {
      ...year,
      suspendedMeanMinutes: 500,
      series: { ...year.series, coreUtilization: [0, 0.8, 0.9] },
    },
  };
}

describe("the claims", () => {
  test.each(reschedulingClaims)("$claim: hold of the published figures", ({ judge }) => {
    expect(judge(published)).toMatchObject({ holds: true });
  });

  test("cannot be judged without the runs they speak of", () => {
    for (const { judge } of reschedulingClaims)
      expect(judge({ ...published, rows: [], year: null }).holds).toBeNull();
  });

  test("fail where the figures say otherwise, and say what may be behind it", () => {
    const failed = judgeRescheduling(turned(published)).filter(({ holds }) => holds === false);
    expect(failed.length).toBeGreaterThan(10);
    for (const { evidence } of failed) expect(evidence).toContain("Why: ");
    // Those that the exchange leaves alone: of one strategy under two routings, and of the two that move waiting jobs.
    const swapped = (routing: string): string => (routing === "utilization" ? "round-robin" : "utilization");
    const others: ReschedulingResult[] = [
      { ...published, rows: published.rows.map((row) => ({ ...row, routing: swapped(row.routing) })) },
      {
        ...published,
        rows: published.rows.map((row) =>
          row.strategy === "ResSusWaitRand" ? { ...row, completionMeanMinutes: 2000 } : row,
        ),
      },
      {
        ...published,
        rows: published.rows.map((row) =>
          row.strategy === "ResSusRand"
            ? { ...row, wastedMeanMinutes: 1, completionMeanSuspendedMinutes: 1, wastedWaitMinutes: 0 }
            : row,
        ),
      },
    ];
    const everFailed = new Set(
      [turned(published), ...others].flatMap((figures) =>
        reschedulingClaims.filter(({ judge }) => judge(figures).holds === false).map(({ claim }) => claim),
      ),
    );
    for (const { claim } of reschedulingClaims) expect(everFailed).toContain(claim);
  });
});
