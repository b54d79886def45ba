import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Workload } from "../../workload/index.ts";
import { simulate } from "../simulate.ts";
import { aFarm, aWorkload } from "../workload.fixture.ts";
import { closestRun, correlation, fidelityOf } from "./fidelity.ts";
import { findOutages, type RecordedOutage } from "./outages.ts";
import { recordedRun } from "./recorded-run.ts";
import { useOverTime } from "./use-over-time.ts";

const farm = aFarm([
  { cores: 4000, memory: 8192 },
  { cores: 4000, memory: 8192 },
]);
const window = { warmupSeconds: 0, cooldownSeconds: 0 };

const jobs = fc.array(
  fc.record({
    submit: fc.nat(5000),
    run: fc.nat(2000),
    cores: fc.integer({ min: 1, max: 4 }).map((cores) => cores * 1000),
    memory: fc.integer({ min: 1, max: 8 }).map((gib) => gib * 1024),
    project: fc.constantFrom("a", "b", "c"),
  }),
  { minLength: 1, maxLength: 60 },
);

/** The workload with its waits under a policy as its record. */
function asRecorded(workload: Workload, policy: string): Workload {
  const { schedule } = simulate(workload, farm, { policy, intervalSeconds: 0 });
  const recordedWaitSeconds = schedule.startSeconds.map((start, row) => start - workload.submitSeconds[row]);
  return { ...workload, recordedWaitSeconds };
}

describe("what was recorded", () => {
  it("of a simulated schedule has the figures of the simulation, and the check finds no difference", () => {
    fc.assert(
      fc.property(jobs, (specs) => {
        const log = aWorkload(specs.toSorted((a, b) => a.submit - b.submit));
        const workload = asRecorded(log, "first-fit");
        const { result } = simulate(workload, farm, { policy: "first-fit", intervalSeconds: 0 });
        const recorded = recordedRun(workload, farm, window)!;
        const names = [
          ...(["jobs", "waitMeanSeconds", "waitMedianSeconds", "waitP95Seconds", "waitMaxSeconds"] as const),
          ...(["slowdownMean", "boundedSlowdownMean", "makespanSeconds", "days", "waitsBy"] as const),
        ];
        for (const name of names) expect(recorded[name]).toEqual(result[name]);
        const near = ["queueLengthMean", "coreUtilizationMean", "memoryUtilizationMean"] as const;
        for (const name of near) expect(recorded[name]).toBeCloseTo(result[name]!, 9);
        const check = fidelityOf(workload, farm, recorded, result, "named");
        expect(check.isNear).toBe(true);
        expect(check.waitMeanRatio ?? 1).toBeCloseTo(1, 9);
        expect(check.waitDayCorrelation ?? 1).toBeCloseTo(1, 6);
      }),
    );
  });

  it("leaves out jobs whose wait is unknown, and counts them", () => {
    const workload = {
      ...aWorkload([{ submit: 0 }, { submit: 10 }, { submit: 20 }]),
      recordedWaitSeconds: Float64Array.of(5, NaN, 15),
    };
    expect(recordedRun(workload, farm, window)).toMatchObject({
      jobs: 2,
      jobsWithoutWait: 1,
      waitMeanSeconds: 10,
      makespanSeconds: 95,
    });
    // The first job is not counted; that it ran tells in the use all the same.
    const later = recordedRun(workload, farm, { warmupSeconds: 5, cooldownSeconds: 0 })!;
    expect(later).toMatchObject({ jobs: 1, waitMeanSeconds: 15 });
    expect(later.coreUtilizationMean).toBeCloseTo((2 * 60) / (8 * 95), 12);
  });

  it("begins with the first job whose wait is known", () => {
    const workload = {
      ...aWorkload([{ submit: 0 }, { submit: 1000 }, { submit: 1020 }]),
      recordedWaitSeconds: Float64Array.of(NaN, 5, 15),
    };
    const recorded = recordedRun(workload, farm, window)!;
    expect(recorded).toMatchObject({ jobs: 2, jobsWithoutWait: 1, makespanSeconds: 95 });
    expect(recorded.queueLengthMean).toBeCloseTo(20 / 95, 12);
    expect(recorded.coreUtilizationMean).toBeCloseTo((2 * 60) / (8 * 95), 12);
    // Times are those since the log's first submission.
    expect(recorded.series.timeSeconds[0]).toBe(1000);
    expect(recorded.series.queueLength[0]).toBe(1);
  });

  it("is none where no wait is known", () => {
    expect(recordedRun(aWorkload([{}]), farm, window)).toBeNull();
    const unknown = { ...aWorkload([{}]), recordedWaitSeconds: Float64Array.of(NaN) };
    expect(recordedRun(unknown, farm, window)).toBeNull();
    const empty = { ...aWorkload([]), recordedWaitSeconds: new Float64Array(0) };
    expect(recordedRun(empty, farm, window)).toBeNull();
  });

  it("has the most cores in use at any time, by looking at each start", () => {
    const waits = fc.array(fc.nat(3000), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(jobs, waits, (specs, recorded) => {
        const log = aWorkload(specs.toSorted((a, b) => a.submit - b.submit));
        const start = (row: number): number => log.submitSeconds[row] + recorded[row];
        const rows = Array.from({ length: log.count }, (_, row) => row);
        const inUse = rows.map((one) =>
          rows.reduce((sum, row) => {
            const isThere = start(row) <= start(one) && start(one) < start(row) + log.runtimeSeconds[row];
            return sum + (isThere ? log.coresMilli[row] : 0);
          }, 0),
        );
        const workload = { ...log, recordedWaitSeconds: Float64Array.from(recorded.slice(0, log.count)) };
        const { coreUtilizationMax, coresExceededShare, makespanSeconds } = recordedRun(
          workload,
          farm,
          window,
        )!;
        expect(coreUtilizationMax).toBeCloseTo(Math.max(...inUse) / 8000, 12);
        const ends = rows.map((row) => start(row) + log.runtimeSeconds[row]);
        const times = [...rows.map(start), ...ends].toSorted((a, b) => a - b);
        const above = times.slice(1).reduce((seconds, until, at) => {
          const from = times[at];
          const cores = rows.reduce(
            (sum, row) => sum + (start(row) <= from && from < ends[row] ? log.coresMilli[row] : 0),
            0,
          );
          return seconds + (cores > 8000 ? until - from : 0);
        }, 0);
        expect(coresExceededShare * makespanSeconds).toBeCloseTo(above, 6);
      }),
    );
  });

  it("has the use and the queue of each instant, by looking at every job", () => {
    fc.assert(
      fc.property(jobs, fc.array(fc.nat(9000), { minLength: 1, maxLength: 20 }), (specs, instants) => {
        const log = aWorkload(specs.toSorted((a, b) => a.submit - b.submit));
        const workload = asRecorded(log, "fcfs");
        const times = instants.toSorted((a, b) => a - b);
        const use = useOverTime(workload, farm, times);
        times.forEach((time, i) => {
          const now = log.submitSeconds[0] + time;
          let cores = 0;
          let queue = 0;
          for (let row = 0; row < log.count; row++) {
            const start = log.submitSeconds[row] + workload.recordedWaitSeconds![row];
            if (start <= now && now < start + log.runtimeSeconds[row]) cores += log.coresMilli[row];
            if (log.submitSeconds[row] <= now && now < start) queue++;
          }
          expect(use.coreUtilization[i]).toBeCloseTo(cores / 8000, 12);
          expect(use.queueLength[i]).toBe(queue);
        });
      }),
    );
  });
});

describe("outages", () => {
  const outagesOf = (
    specs: readonly (readonly [submit: number, wait: number, run: number])[],
  ): RecordedOutage[] => {
    const ordered = specs.toSorted((a, b) => a[0] - b[0]);
    const workload = {
      ...aWorkload(ordered.map(([submit, , run]) => ({ submit, run }))),
      recordedWaitSeconds: Float64Array.from(ordered, ([, wait]) => wait),
    };
    return [...findOutages(workload).longest];
  };

  it("are times in which nothing ran although jobs waited", () => {
    // It ends at 100; the next two come at 1,000 and 2,000 and start at 10,000.
    expect(
      outagesOf([
        [0, 0, 100],
        [1000, 9000, 10],
        [2000, 8000, 10],
      ]),
    ).toEqual([{ fromSeconds: 1000, untilSeconds: 10_000, jobsWaiting: 2 }]);
    // Idle, and nobody waited.
    expect(
      outagesOf([
        [0, 0, 100],
        [50_000, 0, 10],
      ]),
    ).toEqual([]);
  });

  it("are those found by looking at every step of time", () => {
    const step = 600;
    const spec = fc.tuple(fc.nat(60), fc.oneof(fc.constant(0), fc.nat(40)), fc.nat(6));
    fc.assert(
      fc.property(fc.array(spec, { minLength: 1, maxLength: 12 }), (specs) => {
        const expected: { fromSeconds: number; untilSeconds: number }[] = [];
        let since: number | null = null;
        const end = (at: number): void => {
          if (since !== null && (at - since) * step >= 7200)
            expected.push({ fromSeconds: since * step, untilSeconds: at * step });
          since = null;
        };
        for (let at = 0; at <= 120; at++) {
          const isStarting = specs.some(([submit, wait]) => submit + wait === at);
          const isRunning = specs.some(
            ([submit, wait, run]) => submit + wait <= at && at < submit + wait + run,
          );
          const isWaiting = specs.some(([submit, wait]) => submit <= at && at < submit + wait);
          if (isStarting || isRunning) end(at);
          const hasRun = specs.some(([submit, wait]) => submit + wait <= at);
          if (since === null && hasRun && !isRunning && isWaiting) since = at;
        }
        const found = outagesOf(specs.map(([submit, wait, run]) => [submit * step, wait * step, run * step]));
        expect(found.map(({ fromSeconds, untilSeconds }) => ({ fromSeconds, untilSeconds }))).toEqual(
          expected,
        );
      }),
    );
  });
});

describe("the check", () => {
  const workload = {
    ...aWorkload(Array.from({ length: 40 }, (_, i) => ({ submit: i * 30, run: 600, cores: 3000 }))),
    recordedWaitSeconds: new Float64Array(40).fill(9000),
  };
  const recorded = recordedRun(workload, farm, window)!;
  const runs = ["fcfs", "easy"].map((policy) => simulate(workload, farm, { policy }).result);

  it("finds a simulation far from the record far", () => {
    const check = fidelityOf(workload, farm, recorded, runs[0], "usual");
    expect(check).toMatchObject({ policy: "fcfs", because: "usual", isNear: false });
    expect(check.waitMeanRatio).toBeLessThan(0.8);
  });

  it("takes the run whose mean wait is closest", () => {
    const [first, second] = [100, 20_000].map((waitMeanSeconds) => ({ ...runs[0], waitMeanSeconds }));
    expect(closestRun([first, second], recorded)).toBe(second);
    expect(closestRun([], recorded)).toBeUndefined();
  });

  it("knows no correlation of what does not vary", () => {
    expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12);
    expect(correlation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 12);
    expect(correlation([1, 2, 3], [5, 5, 5])).toBeNull();
    expect(correlation([1, 2], [1, 2])).toBeNull();
  });
});
