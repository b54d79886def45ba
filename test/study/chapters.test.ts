import { describe, expect, test } from "vitest";

import { aPoolOf, farmOf } from "../../src/simulation/farm.fixture.ts";
import { simulate } from "../../src/simulation/index.ts";
import { aWorkload, type JobSpec } from "../../src/simulation/workload.fixture.ts";
import {
  chaptersNamed,
  reschedulingChapters,
  studyChapters,
  studyChaptersOf,
  type ChapterFigure,
  type ComparedFigure,
} from "../../src/research/study/index.ts";
import type { TriedChapter, Variant } from "../../src/research/study/rescheduling/chapters/chapter.ts";
import { compare } from "../../src/research/study/rescheduling/chapters/compare.ts";
import { figuresOf } from "../../src/research/study/rescheduling/chapters/figures.ts";
import {
  farmOfVariant,
  settingsOfVariant,
  workloadOfVariant,
} from "../../src/research/study/rescheduling/chapters/place.ts";
import { taskFigures, tasksOf } from "../../src/research/study/rescheduling/chapters/tasks.ts";
import { farmGenerator, type Farm } from "../../src/workload/index.ts";

const minute = 60;
const urgent = { priority: 1, pools: "a" };

/** What came of a figure in a chapter, by variant, on a farm and jobs made for it. */
function comparedOn(
  farm: Farm,
  jobs: readonly JobSpec[],
  name: string,
  figure: ChapterFigure,
): Record<string, ComparedFigure> {
  const [chapter] = chaptersNamed([name]);
  const { baseline, variants } = chapter as TriedChapter;
  const workload = aWorkload(jobs);
  const valueOf = (variant: Variant): number | null => {
    const { result, schedule } = simulate(
      workloadOfVariant(workload, farm, variant),
      farmOfVariant(farm, variant),
      settingsOfVariant(variant, 1),
    );
    return figuresOf(result, taskFigures(tasksOf(workload), schedule, workload.runtimeSeconds))[figure];
  };
  const usual = valueOf(baseline);
  return Object.fromEntries(
    [baseline, ...variants].map((variant) => [variant.name, compare([valueOf(variant)], [usual])]),
  );
}

const two = [aPoolOf("a", [{}]), aPoolOf("b", [{}])];

describe("duplication", () => {
  test("wins where the job soon goes on and the other pool is slow", () => {
    const slow = [aPoolOf("a", [{}]), aPoolOf("b", [{ speed: 0.5 }])];
    const found = comparedOn(
      farmOf(slow),
      [{ run: 100 * minute }, { submit: 10 * minute, run: 5 * minute, ...urgent }],
      "duplication",
      "completionMeanSuspendedMinutes",
    );
    // Restarted after 10 min it takes 200; where it was it is done after 105, and the other attempt ran for 95 in vain.
    expect(found["ResSusUtil"]).toMatchObject({ mean: 210 });
    expect(found["DupSusUtil"]).toMatchObject({ mean: 105, difference: -105, verdict: "better" });
  });

  test("loses where the second attempt keeps another job waiting", () => {
    const found = comparedOn(
      farmOf(two),
      [
        { run: 100 * minute },
        { submit: 10 * minute, run: 20 * minute, ...urgent },
        { submit: 12 * minute, run: 10 * minute, pools: "a" },
      ],
      "duplication",
      "completionMeanMinutes",
    );
    // The last is done at 40, or, once the first is done at the other pool, at 120 min.
    expect(found["ResSusUtil"]).toMatchObject({ mean: (110 + 20 + 28) / 3 });
    expect(found["DupSusUtil"]).toMatchObject({ mean: (110 + 20 + 108) / 3, verdict: "worse" });
  });
});

test("a stale view loses where it hides that a pool has been taken", () => {
  const found = comparedOn(
    farmOf(two),
    [{ run: 100 * minute }, { submit: 10 * minute, run: 100 * minute }],
    "stale-views-without-queue",
    "completionMeanMinutes",
  );
  expect(found["as they are"]).toMatchObject({ mean: 100 });
  expect(found["1 min old"]).toMatchObject({ mean: 100, verdict: "no difference" });
  // Both go to the first pool. After 1 h the second sees that the first is used, and goes to the other one.
  expect(found["1 h old"].verdict).toBe("worse");
  expect(found["1 h old"].mean).toBeCloseTo((100 + 150) / 2, 0);
  expect(found["6 h old"]).toMatchObject({ mean: (100 + 190) / 2, verdict: "worse" });
});

test("restarting pays until moving the data takes longer than staying", () => {
  const found = comparedOn(
    farmOf(two),
    [{ run: 100 * minute }, { submit: 10 * minute, run: 60 * minute, ...urgent }],
    "restart-delay",
    "completionMeanSuspendedMinutes",
  );
  expect(found["NoRes"]).toMatchObject({ mean: 160 });
  expect(found["ResSusUtil, nothing"]).toMatchObject({ mean: 110, verdict: "better" });
  expect(found["ResSusUtil, 100 GB"]).toMatchObject({ mean: 110 + 800 / 60, verdict: "better" });
  expect(found["ResSusUtil, 1 TB"]).toMatchObject({ mean: 110 + 8000 / 60, verdict: "worse" });
});

test("a checkpoint saves what was run before it", () => {
  const jobs = [{ run: 200 * minute }, { submit: 100 * minute, run: 60 * minute, ...urgent }];
  const found = comparedOn(farmOf(two), jobs, "checkpoints", "wastedRestartMinutes");
  const lost = Object.values(found).map(({ mean }) => mean! * jobs.length);
  expect(lost).toEqual([100, 100, 40, 10]);
});

test("a virtual machine makes all jobs slower, and keeps what a suspended one has done", () => {
  const jobs = [{ run: 200 * minute }, { submit: 100 * minute, run: 60 * minute, ...urgent }];
  const found = comparedOn(farmOf(two), jobs, "virtual-machines", "completionMeanSuspendedMinutes");
  expect(found["restarted"]).toMatchObject({ mean: 300 });
  expect(found["migrated, as fast"].mean).toBeCloseTo(200, 0);
  expect(found["migrated, 20 % slower"].mean).toBeCloseTo(240, -1);
  expect(found["migrated, 20 % slower"].verdict).toBe("better");
});

test("own timers move a job when its time has come, and not before", () => {
  const jobs = [
    { run: 600 * minute, pools: "a" },
    { submit: 30, run: 60 * minute, pools: "a; b" },
  ];
  const found = comparedOn(farmOf(two), jobs, "own-timers-without-queue", "completionMeanMinutes");
  // Round-robin sends the second to the first pool: jobs of other candidates take turns of their own.
  expect(found["ResSusWaitUtil, 30 min"].mean! * 2 - 600).toBeCloseTo(90, -1);
  expect(found["own timer, 10 min"].mean!).toBeLessThan(found["own timer, 120 min"].mean! - 30);
});

describe("a comparison", () => {
  test("tells a difference only beyond its interval over the weeks", () => {
    expect(compare([9, 10, 11], [19, 20, 21])).toEqual({
      mean: 10,
      difference: -10,
      margin: 0,
      verdict: "better",
    });
    // Differences of 1, 2 and 3: 2 ± 4.303 × 1 ÷ √3.
    const { margin, ...rest } = compare([11, 12, 13], [10, 10, 10]);
    expect(rest).toEqual({ mean: 12, difference: 2, verdict: "no difference" });
    expect(margin).toBeCloseTo(2.484, 3);
    expect(compare([13, 14, 15], [10, 10, 10])).toMatchObject({ difference: 4, verdict: "worse" });
    expect(compare([10, 10], [10, 10]).verdict).toBe("no difference");
  });

  test("of one week needs more than 5 %", () => {
    expect(compare([104], [100])).toEqual({
      mean: 104,
      difference: 4,
      margin: null,
      verdict: "no difference",
    });
    expect(compare([106], [100]).verdict).toBe("worse");
    expect(compare([94], [100]).verdict).toBe("better");
  });

  test("says nothing where a week has no figure", () => {
    expect(compare([1, null], [1, 1])).toEqual({
      mean: null,
      difference: null,
      margin: null,
      verdict: "cannot be judged",
    });
    expect(compare([1, 2], [null, 1])).toMatchObject({ mean: 1.5, verdict: "cannot be judged" });
  });
});

describe("tasks", () => {
  const log = aWorkload([
    { project: "x", run: 100 },
    { project: "y", run: 500, submit: 5 },
    { project: "x", run: 300, submit: 10 },
    { project: "x", run: 100, submit: 20, cores: 2000 },
    { project: "x", run: 100, submit: 3601 },
    { project: "x", run: 900, submit: 3700 },
  ]);

  test("are jobs of a project that ask for the same, within an hour of the first", () => {
    expect(tasksOf(log)).toEqual({ ofRow: Int32Array.of(0, -1, 0, -1, 1, 1), count: 2 });
  });

  test("are complete when all, or nearly all, of their jobs are", () => {
    const of = (ends: readonly number[]): unknown =>
      taskFigures(
        { ofRow: new Int32Array(ends.length), count: 1 },
        {
          submitSeconds: Float64Array.from(ends, (_, row) => 60 + row),
          startSeconds: new Float64Array(ends.length),
          endSeconds: Float64Array.from(ends),
          machines: null,
        },
        new Float64Array(ends.length),
      );
    const ends = Array.from({ length: 20 }, (_, row) => 120 + row);
    expect(of([6060, ...ends.slice(1)])).toEqual({
      taskCompletionMeanMinutes: 100,
      taskMostlyCompleteMeanMinutes: (139 - 60) / 60,
    });
    expect(of([NaN, 120])).toEqual({ taskCompletionMeanMinutes: null, taskMostlyCompleteMeanMinutes: null });
  });
});

describe("where a variant is run", () => {
  const farm = farmOf(
    ["a", "b", "c", "d"].map((name) => aPoolOf(name, [{}])),
    { sites: ["here"], transferSeconds: [[0]] },
  );

  test("a delay of restarts is between pools, and not from where jobs are submitted", () => {
    const { transferSeconds, pools, virtualPools } = farmOfVariant(farm, {
      strategy: "NoRes",
      restartDelaySeconds: 80,
    });
    const sites = pools.map(({ site }) => site);
    expect(sites.map((site) => transferSeconds[virtualPools[0].site][site])).toEqual([0, 0, 0, 0]);
    expect(transferSeconds[sites[1]]).toEqual([0, 80, 0, 80, 80]);
  });

  test("is as it was where the variant says nothing", () => {
    expect(farmOfVariant(farm, { strategy: "ResSusUtil" })).toEqual(farm);
  });

  test("two sites have every other pool, and every other job that may run in several", () => {
    const jobs = aWorkload([{ pools: "" }, { pools: "" }, { pools: "b" }, { pools: "a; b; c" }]);
    const split = (restarts: "own site" | "both sites"): unknown[] => {
      const variant = { strategy: "ResSusUtil", sites: { restarts, delaySeconds: 600 } };
      const { pools, restartPools } = workloadOfVariant(jobs, farm, variant);
      return [pools!, restartPools!].map(({ codes, names }) => Array.from(codes, (code) => names[code]));
    };
    expect(split("own site")).toEqual([
      ["a;c", "b;d", "b", "b"],
      ["a;c", "b;d", "", "b"],
    ]);
    expect(split("both sites")[1]).toEqual(["a;b;c;d", "a;b;c;d", "", "a;b;c"]);
    const { transferSeconds, pools } = farmOfVariant(farm, {
      strategy: "ResSusUtil",
      sites: { restarts: "both sites", delaySeconds: 600 },
    });
    expect(pools.map(({ site }) => transferSeconds[pools[0].site][site])).toEqual([0, 600, 0, 600]);
  });
});

describe("the chapters", () => {
  test("are told by name, in the order of the list", () => {
    const known = reschedulingChapters.map(({ name }) => name);
    expect(new Set(known).size).toBe(known.length);
    expect(chaptersNamed(["tasks", "duplication"]).map(({ name }) => name)).toEqual(["duplication", "tasks"]);
    expect(() => chaptersNamed(["duplicate"])).toThrow(/no chapter "duplicate"; did you mean duplication,/);
  });

  test("that were tried have variants that can be run", () => {
    for (const chapter of reschedulingChapters) {
      if ("notTried" in chapter) continue;
      const found = comparedOn(farmOf(two), [{}, {}], chapter.name, chapter.figures[0]);
      expect(Object.keys(found)).toHaveLength(1 + chapter.variants.length);
    }
  });

  test("on synthetic weeks compare week by week", async () => {
    const chapters = chaptersNamed(["duplication", "service-levels"]);
    const [result, again] = await Promise.all(
      [1, 2].map((threads) => studyChapters({ chapters, jobs: 1000, seeds: 2, threads })),
    );
    expect(again).toEqual(result);
    expect(result.chapters.map(({ name, rows, notTried }) => [name, rows.length, notTried !== null])).toEqual(
      [
        ["duplication", 4, false],
        ["service-levels", 0, true],
      ],
    );
    const generator = farmGenerator("netbatch-week");
    const valueOf = (strategy: string, seed: number): number =>
      simulate(generator.generate({ jobs: 1000, seed }), generator.farm(1000), { strategy, seed }).result
        .completionMeanMinutes!;
    const [first, second] = [1, 2].map((seed) => valueOf("DupSusUtil", seed) - valueOf("ResSusUtil", seed));
    const { difference } = result.chapters[0].rows[1].figures.completionMeanMinutes!;
    expect(difference).toBeCloseTo((first + second) / 2, 9);
  });

  test("on a log, one that needs synthetic weeks says so", async () => {
    const generator = farmGenerator("netbatch-week");
    const { chapters, weeks } = await studyChaptersOf(
      generator.generate({ jobs: 1000 }),
      generator.farm(1000),
      { chapters: chaptersNamed(["inter-site", "combined-restarts"]) },
    );
    expect(weeks).toBe(1);
    expect(chapters.map(({ name, rows }) => [name, rows.length])).toEqual([
      ["combined-restarts", 4],
      ["inter-site", 0],
    ]);
    expect(chapters[1].notTried).toMatch(/^for synthetic weeks only/);
  });

  test("need several pools", async () => {
    const farm = farmOf(two.slice(0, 1));
    await expect(studyChaptersOf(aWorkload([{}]), farm, { chapters: reschedulingChapters })).rejects.toThrow(
      "has one pool",
    );
  });
});
