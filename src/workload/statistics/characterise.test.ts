import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyWorkload, spelledOut } from "../any-workload.fixture.ts";
import type { Workload } from "../workload.ts";
import { workloadOf } from "../workload-of.ts";
import { characterise, offeredLoad } from "./characterise.ts";
import { summarise, summariseCounts } from "./quantiles.ts";

const day = 86_400;

/** Four jobs, worked out by hand below. Second 0 is a Thursday's midnight. */
const four: Workload = workloadOf({
  name: "four",
  submitSeconds: Float64Array.of(0, 30, 2 * 3600 + 1, day + 5),
  runtimeSeconds: Float64Array.of(100, 0, 50, 10),
  coresMilli: Int32Array.of(1000, 500, 2000, 1000),
  memoryMiB: Int32Array.of(512, 1024, 3072, 0),
  tasks: Int32Array.of(1, 1, 1, 3),
  estimateSeconds: Float64Array.of(200, 0, 40, Number.NaN),
  recordedWaitSeconds: Float64Array.of(5, Number.NaN, 15, 1),
  user: { codes: Int32Array.of(2, 0, 2, 2), names: ["ann", "nobody", "bob"] },
  farm: { unixStartSeconds: 0 },
});

describe("a log worked out by hand", () => {
  const statistics = characterise(four);

  test("demands are those of all tasks together", () => {
    expect(statistics.serialShare).toBe(0.5);
    expect(statistics.cores.bars).toEqual([
      { upTo: 0.5, jobs: 1, share: 0.25 },
      { upTo: 1, jobs: 1, share: 0.25 },
      { upTo: 2, jobs: 1, share: 0.25 },
      { upTo: 4, jobs: 1, share: 0.25 },
    ]);
    expect(statistics.cores.summary).toMatchObject({ mean: 6.5 / 4, min: 0.5, p50: 1, max: 3 });
    expect(statistics.memoryGiB?.bars).toEqual([
      { upTo: 0, jobs: 1, share: 0.25 },
      { upTo: 0.5, jobs: 1, share: 0.25 },
      { upTo: 1, jobs: 1, share: 0.25 },
      { upTo: 2, jobs: 0, share: 0 },
      { upTo: 4, jobs: 1, share: 0.25 },
    ]);
  });

  test("work is cores × run time", () => {
    // 100, 0, 100 and 30 core-seconds; the top 1 % and 10 % of four jobs are one job.
    expect(statistics.runtime).toMatchObject({
      coreSeconds: 230,
      zeroShare: 0.25,
      workOfTop1Percent: 100 / 230,
      workOfTop10Percent: 100 / 230,
    });
    expect(statistics.runtime.seconds).toMatchObject({ mean: 40, p25: 0, p50: 10, p75: 50, max: 100 });
    expect(offeredLoad(statistics, 2)).toBe(230 / (2 * (day + 5)));
  });

  test("arrivals count empty periods too", () => {
    // Hours 0 (two jobs), 2 and 24, of 25: the mean of the squares is 6/25.
    expect(statistics.arrivalsPerHour).toEqual({
      periodSeconds: 3600,
      periods: 25,
      mean: 4 / 25,
      max: 2,
      peakToMean: 2 / (4 / 25),
      dispersion: (6 / 25 - (4 / 25) ** 2) / (4 / 25),
    });
    expect(statistics.arrivalsPerMinute).toMatchObject({ periods: 1441, max: 2 });
    expect(statistics.cycle.utc).toBe(true);
    expect(Array.from(statistics.cycle.hourOfDay.subarray(0, 3))).toEqual([0.75, 0, 0.25]);
    expect(Array.from(statistics.cycle.dayOfWeek)).toEqual([0, 0, 0, 0.75, 0.25, 0, 0]);
  });

  test("users count if they have jobs", () => {
    expect(statistics.users?.largest).toEqual([
      { name: "bob", jobs: 3, share: 0.75 },
      { name: "ann", jobs: 1, share: 0.25 },
    ]);
    expect(statistics.users?.jobsPerName).toMatchObject({ count: 2, mean: 2, max: 3 });
    expect(statistics.projects).toBeNull();
  });

  test("estimates are judged if there are any", () => {
    // 100 of 200 and 50 of 40; an estimate of 0 has no ratio, and 0 s did not overrun it.
    expect(statistics.estimates).toMatchObject({ share: 0.75, overrunShare: 1 / 3 });
    expect(statistics.estimates?.accuracy).toMatchObject({ count: 2, min: 0.5, max: 1.25 });
    expect(statistics.recordedWaitSeconds).toMatchObject({ count: 3, mean: 7, p50: 5 });
  });
});

test("buckets are averages of 1,000 consecutive jobs, the incomplete last one left out", () => {
  const count = 2500;
  const column = (of: (row: number) => number): Int32Array =>
    Int32Array.from({ length: count }, (_, i) => of(i));
  const { buckets } = characterise({
    ...four,
    count,
    submitSeconds: Float64Array.from({ length: count }, (_, i) => i * 2),
    runtimeSeconds: new Float64Array(count),
    coresMilli: column((i) => (i % 2 === 0 ? 1000 : 2000)),
    memoryMiB: column((i) => (i < 1000 ? 2048 : 4096)),
    tasks: column((i) => (i < 1000 ? 1 : 2)),
    estimateSeconds: null,
    recordedWaitSeconds: null,
    user: null,
  });
  expect(buckets).toEqual({
    jobsPerBucket: 1000,
    submitSeconds: Float64Array.of(0, 2000),
    cores: Float64Array.of(1.5, 3),
    memoryGiB: Float64Array.of(2, 8),
  });
});

test("quantiles are the plain nearest rank, by sorting and by counting", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 300 }), (numbers) => {
      const sorted = numbers.toSorted((a, b) => a - b);
      const nearestRank = (percent: number): number =>
        sorted.find(
          (value) => 100 * sorted.filter((other) => other <= value).length >= percent * sorted.length,
        )!;
      const summary = summarise(Float64Array.of(...numbers, Number.NaN));
      expect(summary).toMatchObject({
        count: numbers.length,
        min: sorted[0],
        p1: nearestRank(1),
        p10: nearestRank(10),
        p25: nearestRank(25),
        p50: nearestRank(50),
        p95: nearestRank(95),
        max: sorted.at(-1),
      });
      const counts = new Map<number, number>();
      for (const n of numbers) counts.set(n, (counts.get(n) ?? 0) + 1);
      const { mean, variation, ...exact } = summariseCounts(counts);
      expect(summary).toMatchObject(exact);
      expect(mean).toBeCloseTo(summary.mean, 9);
      if (summary.mean > 0) expect(variation).toBeCloseTo(summary.variation, 9);
    }),
  );
});

test("any workload can be characterised and is not changed, and its shares add up", () => {
  fc.assert(
    fc.property(anyWorkload, (workload) => {
      const before = spelledOut(workload);
      const statistics = characterise(workload);
      expect(spelledOut(workload)).toEqual(before);
      expect(statistics.jobs).toBe(workload.count);
      for (const demand of [statistics.cores, statistics.memoryGiB]) {
        if (demand !== null) {
          expect(demand.bars.reduce((sum, { jobs }) => sum + jobs, 0)).toBe(workload.count);
        }
      }
      if (workload.count > 0) {
        expect(sum(statistics.cycle.hourOfDay)).toBeCloseTo(1, 9);
        expect(sum(statistics.cycle.dayOfWeek)).toBeCloseTo(1, 9);
        const { mean, periods } = statistics.arrivalsPerHour;
        expect(mean * periods).toBeCloseTo(workload.count, 6);
      }
    }),
  );
});

function sum(shares: Float64Array): number {
  return shares.reduce((total, share) => total + share, 0);
}
