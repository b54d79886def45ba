import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { simulate } from "../../src/simulation/index.ts";
import { countWins } from "../../src/research/study/buckets/count-wins.ts";
import { studyBuckets } from "../../src/research/study/index.ts";
import { readMachines } from "../../src/workload/index.ts";
import { jobsOf, type SmallJob } from "./jobs.fixture.ts";

const twoMachines = await readMachines("2x4c32g");
const gib = 1024;
/** Figures 3.1 and 3.2 of Shai 2014: eight jobs and four, on two machines of 4 cores and 32 GB. */
const figure31: SmallJob[] = [
  ...Array.from({ length: 2 }, () => ({ cores: 1, memoryMiB: 16 * gib })),
  ...Array.from({ length: 6 }, () => ({ cores: 1, memoryMiB: 4 * gib })),
];
const figure32: SmallJob[] = [
  ...Array.from({ length: 3 }, () => ({ cores: 1, memoryMiB: 8 * gib })),
  { cores: 1, memoryMiB: 32 * gib },
];

function winners(jobs: readonly SmallJob[], jobsPerBucket: number, heuristics?: string[]) {
  const result = studyBuckets(jobsOf(jobs), twoMachines, {
    jobsPerBucket,
    ...(heuristics === undefined ? {} : { heuristics }),
  });
  return {
    result,
    matched: Object.fromEntries(result.heuristics.map((row) => [row.heuristic, row.matchedJobsMean])),
    wins: Object.fromEntries(result.heuristics.map((row) => [row.heuristic, row.wins])),
    sole: Object.fromEntries(result.heuristics.map((row) => [row.heuristic, row.soleWins])),
  };
}

describe("the examples of the thesis as buckets", () => {
  test("Figure 3.1: best-fit matches 6 jobs, worse-fit and mix-fit all 8", () => {
    const { matched, wins, result } = winners(figure31, 8);
    expect(matched).toEqual({
      "best-fit-cores": 6,
      "best-fit-memory": 6,
      "worse-fit-cores": 8,
      "worse-fit-memory": 8,
      "mix-fit": 8,
    });
    expect(wins).toEqual({
      "best-fit-cores": 0,
      "best-fit-memory": 0,
      "worse-fit-cores": 1,
      "worse-fit-memory": 1,
      "mix-fit": 1,
    });
    expect(result).toMatchObject({ buckets: 1, leftOverJobs: 0, tiedBuckets: 0 });
  });

  test("Figure 3.2: worse-fit matches 3 jobs, best-fit and mix-fit all 4", () => {
    const { matched } = winners(figure32, 4);
    expect(matched).toEqual({
      "best-fit-cores": 4,
      "best-fit-memory": 4,
      "worse-fit-cores": 3,
      "worse-fit-memory": 3,
      "mix-fit": 4,
    });
  });

  test("one after the other: every bucket starts with an empty pool, and mix-fit alone wins both", () => {
    // Figure 3.2 made as long as Figure 3.1 by jobs that no machine can hold.
    const tooLarge = Array.from({ length: 4 }, () => ({ cores: 5, memoryMiB: gib }));
    const { wins, result } = winners([...figure31, ...figure32, ...tooLarge], 8);
    expect(result).toMatchObject({ buckets: 2, ineligibleJobs: 4 });
    expect(wins).toEqual({
      "best-fit-cores": 1,
      "best-fit-memory": 1,
      "worse-fit-cores": 1,
      "worse-fit-memory": 1,
      "mix-fit": 2,
    });
    expect(result.singleResource.map(({ heuristic, wins, winShare }) => [heuristic, wins, winShare])).toEqual(
      [
        ["best-fit-cores", 1, 0.5],
        ["best-fit-memory", 1, 0.5],
        ["worse-fit-cores", 1, 0.5],
        ["worse-fit-memory", 1, 0.5],
      ],
    );
  });
});

test("a last, incomplete bucket does not count", () => {
  const { result, matched } = winners([...figure31, ...figure31.slice(0, 7)], 8);
  expect(result).toMatchObject({ jobsPerBucket: 8, buckets: 1, leftOverJobs: 7 });
  expect(matched["mix-fit"]).toBe(8);
  expect(winners(figure31.slice(0, 7), 8).result).toMatchObject({
    buckets: 0,
    leftOverJobs: 7,
    tiedBuckets: 0,
  });
});

test("an unmatched job reserves nothing: jobs after it are still placed", () => {
  // The third job fits no more, the fourth does.
  const jobs = [4, 3, 2, 1].map((cores) => ({ cores, memoryMiB: gib }));
  expect(winners(jobs, 4, ["first-fit"]).matched).toEqual({ "first-fit": 3 });
});

test("of a parallel job all tasks are matched, or it is not", () => {
  const jobs = [
    { cores: 1, memoryMiB: gib, tasks: 6 },
    { cores: 1, memoryMiB: gib, tasks: 3 },
    { cores: 1, memoryMiB: gib, tasks: 2 },
  ];
  expect(winners(jobs, 3, ["first-fit"]).matched).toEqual({ "first-fit": 2 });
});

test("ties count for each, and a win alone is told", () => {
  const counts = countWins([Int32Array.of(5, 7, 3, 0), Int32Array.of(5, 6, 4, 0), Int32Array.of(4, 7, 9, 0)]);
  expect(counts).toEqual([
    { wins: 3, winShare: 0.75, soleWins: 0 },
    { wins: 2, winShare: 0.5, soleWins: 0 },
    { wins: 3, winShare: 0.75, soleWins: 1 },
  ]);
  expect(countWins([new Int32Array(0)])).toEqual([{ wins: 0, winShare: 0, soleWins: 0 }]);
});

test("what cannot be used is refused with a reason", () => {
  const jobs = jobsOf(figure31);
  expect(() => studyBuckets(jobs, twoMachines, { heuristics: ["mixfit"] })).toThrow(/mix-fit/);
  expect(() => studyBuckets(jobs, twoMachines, { jobsPerBucket: 0 })).toThrow(/above 0/);
  expect(() => studyBuckets({ ...jobs, memoryMiB: null }, twoMachines)).toThrow(/mix-fit decide by memory/);
});

test("each heuristic matches what a simulation of the bucket without reservations starts at once", () => {
  const anyJob = fc.record({
    cores: fc.integer({ min: 1, max: 5 }),
    memoryMiB: fc.integer({ min: 0, max: 40 }).map((amount) => amount * gib),
    tasks: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(anyJob, { minLength: 1, maxLength: 30 }), (jobs) => {
      const workload = jobsOf(jobs);
      const { heuristics } = studyBuckets(workload, twoMachines, { jobsPerBucket: jobs.length });
      for (const { heuristic, matchedJobsMean } of heuristics) {
        const { schedule } = simulate(workload, twoMachines, { policy: heuristic, reserving: 0 });
        const first = Math.min(...schedule.startSeconds.filter((start) => !Number.isNaN(start)));
        const started = schedule.startSeconds.filter((start) => start === first).length;
        expect(matchedJobsMean).toBe(started);
      }
    }),
    { numRuns: 15 },
  );
});
