import { describe, expect, test } from "vitest";

import { judgeClaims, workloadClaims, type ThesisPool } from "../../src/research/study/index.ts";
import { characterise, type WorkloadStatistics } from "../../src/workload/statistics/characterise.ts";
import { jobsOf } from "./jobs.fixture.ts";

/** Ten buckets of 1,000 like jobs each. */
function buckets(of: (bucket: number) => { cores?: number; memoryGiB?: number }): WorkloadStatistics {
  const jobs = Array.from({ length: 10_000 }, (_, row) => {
    const { cores = 1, memoryGiB = 2 } = of(Math.floor(row / 1000));
    return { cores, memoryMiB: memoryGiB * 1024, submitSeconds: row };
  });
  return characterise(jobsOf(jobs));
}

const even = buckets(() => ({}));
const burstsOfMemory = buckets((bucket) => ({ memoryGiB: bucket >= 8 ? 32 : 2 }));
const burstOfCores = buckets((bucket) => ({ cores: bucket === 0 ? 4 : 1 }));

const cases: readonly [
  claim: string,
  pool: ThesisPool,
  holding: WorkloadStatistics,
  failing: WorkloadStatistics,
][] = [
  [
    "the vast majority of the jobs ask for one core",
    "a",
    buckets((bucket) => ({ cores: bucket < 2 ? 2 : 1 })),
    buckets((bucket) => ({ cores: bucket < 3 ? 2 : 1 })),
  ],
  [
    "demands for memory are mostly 8 GB and below",
    "b",
    buckets((bucket) => ({ memoryGiB: bucket < 4 ? 9 : 8 })),
    buckets((bucket) => ({ memoryGiB: bucket < 5 ? 9 : 8 })),
  ],
  ["there are jobs of 16 GB, of 32 GB, or even more", "c", burstsOfMemory, even],
  ["some bucket's average demand is above 2 cores", "a", burstOfCores, even],
  ["several buckets' average demand is above 20 GB", "a", burstsOfMemory, even],
  ["no bucket's average demand is above 2 cores", "b", even, burstOfCores],
  ["bursts of cores are sparse", "b", sparse(), burstOfCores],
  ["demand for cores is continuous and moderate", "c", even, burstOfCores],
  ["there are intense bursts of memory", "d", burstsOfMemory, even],
  ["there are virtually no bursts of jobs of more than one core", "d", even, burstOfCores],
  ["there are periods of particularly low demand for memory", "d", burstsOfMemory, even],
];

/** One bucket in thirty asks for more cores. */
function sparse(): WorkloadStatistics {
  const jobs = Array.from({ length: 30_000 }, (_, row) => ({
    cores: row < 1000 ? 2 : 1,
    memoryMiB: 1024,
    submitSeconds: row,
  }));
  return characterise(jobsOf(jobs));
}

describe("claims about what jobs ask for", () => {
  test.each(cases)("%s (pool %s)", (claim, pool, holding, failing) => {
    const judged = (statistics: WorkloadStatistics): boolean | null =>
      judgeClaims(workloadClaims, statistics, pool).find((each) => each.claim.endsWith(claim))!.holds;
    expect(judged(holding)).toBe(true);
    expect(judged(failing)).toBe(false);
  });

  test("every claim is tested in both directions", () => {
    const tested = new Set(cases.map(([claim]) => claim));
    expect(workloadClaims.map(({ claim }) => claim).filter((claim) => !tested.has(claim))).toEqual([]);
  });

  test("without memory, and without a bucket, there is nothing to judge by", () => {
    const few = characterise({ ...jobsOf([{ cores: 1, memoryMiB: 0 }]), memoryMiB: null });
    const judged = judgeClaims(workloadClaims, few, "d").filter(({ holds }) => holds !== null);
    expect(judged.map(({ claim }) => claim)).toEqual(["the vast majority of the jobs ask for one core"]);
  });
});
