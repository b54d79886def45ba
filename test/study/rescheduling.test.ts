import { describe, expect, test } from "vitest";

import { simulate, type FarmRunResult } from "../../src/simulation/index.ts";
import {
  judgeRescheduling,
  overSeeds,
  publishedRows,
  reschedulingClaims,
  studyRescheduling,
  weekClaimRanges,
  studyReschedulingOf,
  type ReschedulingResult,
  type ReschedulingRow,
  type ReschedulingYear,
} from "../../src/research/study/index.ts";
import { halfOf } from "../../src/research/study/rescheduling/rescheduling.ts";
import { farmGenerator } from "../../src/workload/index.ts";

/** An eighth of the published week, on an eighth of the farm. */
const jobs = 31_000;

describe("the synthetic weeks, on the mean of some seeds", () => {
  const generator = farmGenerator("netbatch-week");
  const runs = [1, 2].map((seed) => {
    const workload = generator.generate({ jobs, seed });
    const run = (strategy: string): FarmRunResult =>
      simulate(workload, generator.farm(jobs), { seed, strategy }).result;
    return { none: run("NoRes"), util: run("ResSusUtil") };
  });
  const mean = (strategy: "none" | "util", of: (run: FarmRunResult) => number | null): number =>
    runs.reduce((sum, run) => sum + of(run[strategy])!, 0) / runs.length;

  test("are calibrated to Zhang 2010, Table 1", () => {
    const isNear = (value: number, published: number, part: number): void => {
      expect(value).toBeGreaterThan(published * (1 - part));
      expect(value).toBeLessThan(published * (1 + part));
    };
    isNear(
      mean("none", (run) => run.suspendRate),
      0.0114,
      0.3,
    );
    isNear(
      mean("none", (run) => run.completionMeanSuspendedMinutes),
      2498.7,
      0.2,
    );
    isNear(
      mean("none", (run) => run.completionMeanMinutes),
      569.8,
      0.1,
    );
    isNear(
      mean("none", (run) => run.wastedMeanMinutes),
      31,
      0.5,
    );
    isNear(
      mean("util", (run) => run.completionMeanSuspendedMinutes),
      1265.4,
      0.3,
    );
  });

  test("use about 40 % of the cores, mostly between 20 % and 60 %", () => {
    for (const { none } of runs) {
      const { timeSeconds, coreUtilization } = none.farmSeries;
      // From the second day, when the farm has filled, to the last submission.
      const used = coreUtilization.filter((_, i) => timeSeconds[i] > 86_400 && timeSeconds[i] < 604_800);
      const average = used.reduce((sum, each) => sum + each, 0) / used.length;
      expect(average).toBeGreaterThan(0.35);
      expect(average).toBeLessThan(0.5);
      expect(used.filter((each) => each > 0.2 && each < 0.6).length / used.length).toBeGreaterThan(0.8);
    }
  });

  test("reject nobody", () => {
    expect(runs.map(({ none }) => none.rejected)).toEqual([0, 0]);
  });
});

test("in the other week many times as many jobs are suspended", () => {
  const generator = farmGenerator("netbatch-week-suspended");
  const { result } = simulate(generator.generate({ jobs: 20_000 }), generator.farm(20_000));
  expect(result.suspendRate).toBeGreaterThan(0.07);
  expect(result.suspendRate).toBeLessThan(0.16);
});

test("the values of a parameter at which a claim holds, and no claim that the week cannot decide", () => {
  const point = (parameter: string, value: number, holds: (boolean | null)[]) => ({
    parameter,
    value,
    isOwn: value === 2,
    holds,
  });
  const ranges = weekClaimRanges({
    jobs,
    seeds: 1,
    claims: ["cuts", "of the year"],
    points: [point("load", 1, [false, null]), point("load", 2, [true, null]), point("size", 2, [true, null])],
  });
  expect(ranges).toEqual([
    {
      claim: "cuts",
      holdsAsIs: true,
      holdsAt: [
        { parameter: "load", tried: [1, 2], values: [2] },
        { parameter: "size", tried: [2], values: [2] },
      ],
    },
  ]);
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

test("the study of a log and its farm has the figures of its runs, and says what it cannot judge", async () => {
  const generator = farmGenerator("netbatch-week");
  const [log, farm] = [generator.generate({ jobs: 1000 }), generator.farm(1000)];
  const { rows, ofLog, ...result } = await studyReschedulingOf(log, farm, { seed: 3 });
  expect(rows).toHaveLength(20);
  expect(ofLog!.rejected).toEqual({ normal: 0, highLoad: 0 });
  for (const [scenario, place] of [
    ["normal", farm],
    ["high-load", halfOf(farm)],
  ] as const) {
    const named = { routing: "utilization", strategy: "ResSusWaitRand" };
    const { suspendRate, wastedMeanMinutes } = simulate(log, place, { ...named, seed: 3 }).result;
    const row = rows.find(
      (each) =>
        each.scenario === scenario && each.strategy === named.strategy && each.routing === named.routing,
    );
    expect(row).toMatchObject({ suspendRate, wastedMeanMinutes });
  }
  const claims = judgeRescheduling({ ...result, rows, ofLog: ofLog! });
  for (const { evidence } of claims) expect(evidence).not.toContain("Why: ");
  expect(claims.slice(-3).map(({ holds }) => holds)).toEqual([null, null, null]);
});

test("a farm of one pool cannot be studied", async () => {
  const generator = farmGenerator("netbatch-week");
  const farm = generator.farm(1000);
  const one = { ...farm, pools: farm.pools.slice(0, 1) };
  await expect(studyReschedulingOf(generator.generate({ jobs: 1000 }), one)).rejects.toThrow("has one pool");
});

test("where no job is suspended nothing is said of how many are", () => {
  const rows = published.rows.map((row) => ({ ...row, suspendRate: 0 }));
  const [claim] = judgeRescheduling({ ...published, rows }).filter((each) =>
    each.claim.startsWith("ResSusUtil suspends more jobs"),
  );
  expect(claim).toMatchObject({ holds: null, evidence: "no job was suspended" });
});

test("where a strategy had nothing to do no claim about it is judged", () => {
  const none = published.rows.find(({ strategy }) => strategy === "NoRes")!;
  const idle = {
    ...none,
    suspendRate: 0,
    completionMeanSuspendedMinutes: null,
    suspendedMeanMinutes: null,
  };
  const rows = published.rows.map(({ scenario, routing, strategy }) => ({
    ...idle,
    scenario,
    routing,
    strategy,
  }));
  const claims = judgeRescheduling({ ...published, rows, year: null });
  expect(claims.filter(({ holds }) => holds !== null)).toEqual([]);
  const evidenceOf = (start: string): string | undefined =>
    claims.find(({ claim }) => claim.startsWith(start))?.evidence;
  expect(evidenceOf("ResSusUtil cuts the completion")).toBe("no job was suspended");
  expect(evidenceOf("with waiting jobs rescheduled too")).toBe(
    "no job was suspended, and the runs come to the same",
  );
});

test("where no job is suspended but waiting ones are moved, what that changes is judged", () => {
  const rows = published.rows.map((row) => ({ ...row, suspendRate: 0 }));
  const claim = judgeRescheduling({ ...published, rows }).find((each) =>
    each.claim.startsWith("rescheduling waiting jobs as well lowers wasted time"),
  );
  expect(claim?.holds).toBe(true);
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

describe("several weeks", () => {
  /** The published figures, wasted time of the normal week under NoRes apart. */
  const week = (wasted: number | null): ReschedulingResult => ({
    ...published,
    rows: published.rows.map((row, i) => (i === 0 ? { ...row, wastedMeanMinutes: wasted } : row)),
  });

  test("are judged by their means, and by how many bear a claim out alone", () => {
    // ResSusUtil wastes 20.8 min: it cuts 30 and 25, but not 22; the mean is 25.67.
    const { mean, margins, claims } = overSeeds([week(30), week(25), week(22)]);
    expect(mean.rows[0].wastedMeanMinutes).toBeCloseTo(77 / 3, 12);
    expect(mean.rows[1].suspendRate).toBeCloseTo(0.0156, 12);
    // s = 4.0415, t(2) = 4.3027.
    expect(margins![0].wastedMeanMinutes).toBeCloseTo((4.3027 * 4.041_45) / Math.sqrt(3), 3);
    expect(margins![0].completionMeanMinutes).toBeCloseTo(0, 9);
    const cut = claims.find(({ claim }) => claim.startsWith("ResSusUtil cuts wasted time under normal"));
    expect(cut).toMatchObject({ holds: true, alone: { parts: "weeks", holding: 2, judged: 3 } });
    // Three weeks are too few for an interval.
    expect(cut!.alone!.interval).toBeNull();
    // Without each of four weeks NoRes wastes 25.67, 27.33, 28.33 and 29 min, with all of them 27.58.
    const four = overSeeds([week(30), week(25), week(22), week(33.333_333)].map((each) => each));
    const { interval } = four.claims.find(({ claim }) =>
      claim.startsWith("ResSusUtil cuts wasted time under normal"),
    )!.alone!;
    expect(interval!.value).toBeCloseTo(20.8 / 27.583_333 - 1, 6);
    expect(interval!.low).toBeLessThan(-0.35);
    expect(interval!.high).toBeGreaterThan(-0.15);
  });

  test("have no figure where one of them has none, and no margin where there is one", () => {
    const { mean, claims } = overSeeds([week(30), week(null)]);
    expect(mean.rows[0].wastedMeanMinutes).toBeNull();
    const cut = claims.find(({ claim }) => claim.startsWith("ResSusUtil cuts wasted time under normal"));
    expect(cut).toMatchObject({ holds: null, alone: { holding: 1, judged: 1, interval: null } });
    const alone = overSeeds([published]);
    expect(alone.margins).toBeNull();
    expect(alone.mean).toEqual(published);
  });
});

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
          row.scenario === "high-load" ? { ...row, completionMeanMinutes: 900 } : row,
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
