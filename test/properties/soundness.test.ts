import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { policies, useMeasures } from "../../src/core/index.ts";
import { defaultSettings, simulate, type RunResult, type Schedule } from "../../src/simulation/index.ts";
import { aFarm, aWorkload, type JobSpec } from "../../src/simulation/workload.fixture.ts";
import type { Machines, Workload } from "../../src/workload/index.ts";
import { anyCase, anyProject, anyShares, kinds, type Kind } from "./workloads.fixture.ts";

const withProjects = ({ machine, job }: Kind): Kind => ({
  machine,
  job: fc
    .tuple(job, anyProject, fc.integer({ min: 1, max: 150 }))
    .map(([job, project, estimate]) => ({ ...job, project, estimate })),
});

const anySettings = fc.record({
  policy: fc.constantFrom(
    ...policies.map(({ name }) => name),
    ...["lookahead", "either-order", "fcfs", "easy", "easy-sjbf", "conservative"].flatMap((name) => [
      `${name}/mix-fit`,
      `${name}/best-fit-memory`,
    ]),
  ),
  beta: fc.constantFrom(1, 0.5, 0.25, 2),
  intervalSeconds: fc.constantFrom(null, 0, 10, 30),
  eventOrder: fc.constantFrom("instant", "instant", "single"),
  estimates: fc.constantFrom("log", "exact", "predicted", 2),
  sharing: fc.oneof(
    fc.record({ fairShare: fc.option(anyShares) }),
    fc.record({
      fairShare: anyShares,
      usage: fc.record({
        halfLifeSeconds: fc.constantFrom(1, 60, 1e6),
        of: fc.constantFrom(...useMeasures),
      }),
    }),
  ),
  warmupSeconds: fc.constantFrom(0, 0, 60),
  cooldownSeconds: fc.constantFrom(0, 0, 60),
});

describe.each(["whole", "odd"] as const)("any run (%s)", (kind) => {
  it("loses no job, starts none early, fills no machine over capacity, and has the figures of its schedule", () => {
    fc.assert(
      fc.property(
        anyCase(withProjects(kinds[kind])),
        anySettings,
        ({ machines, jobs }, { sharing, ...chosen }) => {
          fc.pre(jobs.length > 0);
          const workload = aWorkload(jobs);
          const times = [...workload.submitSeconds].map((time) => time * chosen.beta);
          const [from, until] = [times[0] + chosen.warmupSeconds, times.at(-1)! - chosen.cooldownSeconds];
          // A window without jobs is refused.
          const window = times.some((time) => time >= from && time <= until)
            ? {}
            : { warmupSeconds: 0, cooldownSeconds: 0 };
          const settings = { ...defaultSettings, ...chosen, ...sharing, ...window } as typeof defaultSettings;
          const farm = aFarm(machines);
          const { schedule, result } = simulate(workload, farm, settings, { keepMachines: true });
          expectAllThere(workload, farm, schedule, result);
          expectWithinCapacity(workload, farm, schedule);
          expectFigures(workload, farm, schedule, result, settings);
          expectBoundedSeries(result);

          const again = simulate(workload, farm, settings, { keepMachines: true });
          expect(Buffer.from(again.schedule.startSeconds.buffer)).toEqual(
            Buffer.from(schedule.startSeconds.buffer),
          );
          expect(again.schedule.machines!.toLists()).toEqual(schedule.machines!.toLists());
          expect(timeless(again.result)).toEqual(timeless(result));
        },
      ),
      { numRuns: 60 },
    );
  });
});

function timeless(result: RunResult): Partial<RunResult> {
  return { ...result, simulationSeconds: 0, simulatedJobsPerSecond: 0 };
}

/** A job starts if and only if the empty farm could hold it, and not before it was submitted. */
function expectAllThere(workload: Workload, farm: Machines, schedule: Schedule, result: RunResult): void {
  schedule.startSeconds.forEach((start, row) => {
    let room = 0;
    for (let machine = 0; machine < farm.count; machine++) {
      const byCores = Math.floor(farm.coresMilli[machine] / workload.coresMilli[row]);
      const memory = workload.memoryMiB![row];
      room += memory === 0 ? byCores : Math.min(byCores, Math.floor(farm.memoryMiB![machine] / memory));
    }
    const isEligible = room >= workload.tasks![row];
    expect(Number.isNaN(start)).toBe(!isEligible);
    expect(schedule.machines!.of(row).length > 0).toBe(isEligible);
    expect(schedule.machines!.of(row).length).toBeLessThanOrEqual(workload.tasks![row]);
    if (isEligible) expect(start).toBeGreaterThanOrEqual(schedule.submitSeconds[row]);
  });
  const rejected = schedule.startSeconds.filter((start) => Number.isNaN(start)).length;
  expect(result.rejections.reduce((sum, reason) => sum + reason.jobs, 0)).toBe(rejected);
}

/** What the jobs on exactly one machine use there, and what all jobs use together. */
function expectWithinCapacity(workload: Workload, farm: Machines, schedule: Schedule): void {
  const inUseAt = (time: number, machine: number | null, column: Int32Array): number => {
    let sum = 0;
    schedule.startSeconds.forEach((start, row) => {
      if (!(start <= time && time < start + workload.runtimeSeconds[row])) return;
      const ranOn = schedule.machines!.of(row);
      if (machine === null) sum += column[row] * workload.tasks![row];
      else if (ranOn.length === 1 && ranOn[0] === machine) sum += column[row] * workload.tasks![row];
      // Of several machines, each has at least one task.
      else if (ranOn.includes(machine)) sum += column[row];
    });
    return sum;
  };
  const total = (column: Int32Array): number => column.reduce((sum, amount) => sum + amount, 0);
  for (const time of new Set(schedule.startSeconds)) {
    for (const [asked, have] of [
      [workload.coresMilli, farm.coresMilli],
      [workload.memoryMiB!, farm.memoryMiB!],
    ]) {
      expect(inUseAt(time, null, asked)).toBeLessThanOrEqual(total(have));
      for (let machine = 0; machine < farm.count; machine++)
        expect(inUseAt(time, machine, asked)).toBeLessThanOrEqual(have[machine]);
    }
  }
}

/** The figures by their definitions, one job, one moment at a time. */
function expectFigures(
  workload: Workload,
  farm: Machines,
  { submitSeconds, startSeconds }: Schedule,
  result: RunResult,
  settings: typeof defaultSettings,
): void {
  const jobs = Array.from(startSeconds, (start, row) => ({
    submit: submitSeconds[row],
    start,
    end: start + workload.runtimeSeconds[row],
    runtime: workload.runtimeSeconds[row],
    wait: start - submitSeconds[row],
    cores: workload.coresMilli[row] * workload.tasks![row],
    memory: workload.memoryMiB![row] * workload.tasks![row],
  }));
  const first = submitSeconds[0];
  const lastSubmit = submitSeconds[submitSeconds.length - 1];
  const ran = jobs.filter((job) => !Number.isNaN(job.start));
  // A rejected job begins nothing, and completes nothing.
  const opened = ran.length === 0 ? first : Math.min(...ran.map((job) => job.submit));
  const last = Math.max(opened, ...ran.map((job) => job.end));
  const isCounted = ({ submit }: { submit: number }): boolean =>
    submit >= first + settings.warmupSeconds && submit <= lastSubmit - settings.cooldownSeconds;
  const counted = ran.filter(isCounted);
  expect([result.jobs, result.started, result.rejected]).toEqual([
    jobs.filter(isCounted).length,
    counted.length,
    jobs.filter(isCounted).length - counted.length,
  ]);

  const mean = (values: readonly number[]): number =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  const rank = (values: readonly number[], part: number): number =>
    [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(part * values.length) - 1)] ?? 0;
  const waits = counted.map((job) => job.wait);
  const slowdowns = counted.map((job) => (job.wait + job.runtime) / Math.max(job.runtime, 1));
  const bounded = counted.map((job) => Math.max(1, (job.wait + job.runtime) / Math.max(job.runtime, 10)));
  expect(result.waitMeanSeconds).toBeCloseTo(mean(waits), 8);
  expect(result.slowdownMean).toBeCloseTo(mean(slowdowns), 8);
  expect(result.boundedSlowdownMean).toBeCloseTo(mean(bounded), 8);
  expect([
    result.waitMedianSeconds,
    result.waitP90Seconds,
    result.waitP99Seconds,
    result.waitMaxSeconds,
  ]).toEqual([rank(waits, 0.5), rank(waits, 0.9), rank(waits, 0.99), rank(waits, 1)]);
  expect([result.slowdownMedian, result.slowdownP95, result.boundedSlowdownP95]).toEqual([
    rank(slowdowns, 0.5),
    rank(slowdowns, 0.95),
    rank(bounded, 0.95),
  ]);
  expect(result.days.reduce((sum, day) => sum + day.jobs, 0)).toBe(counted.length);
  expect(result.makespanSeconds).toBe(last - opened);
  const lastStart = Math.max(opened, ...ran.map((job) => job.start));
  const times = result.series.timeSeconds;
  expect(times.at(-1) ?? 0).toBeLessThanOrEqual(lastStart - first + 1e-6);
  if (times.length > 1) expect(times[0]).toBeGreaterThanOrEqual(opened - first - 1e-6);

  // From moment to moment, what waits and what runs does not change.
  const moments = [
    ...new Set([opened, last, ...ran.flatMap(({ submit, start, end }) => [submit, start, end])]),
  ]
    .filter((time) => !Number.isNaN(time))
    .sort((a, b) => a - b);
  let queue = 0;
  let coreSeconds = 0;
  let memorySeconds = 0;
  moments.slice(1).forEach((until, i) => {
    const from = moments[i];
    const running = ran.filter((job) => job.start <= from && job.end >= until);
    queue += ran.filter((job) => job.submit <= from && job.start >= until).length * (until - from);
    coreSeconds += running.reduce((sum, job) => sum + job.cores, 0) * (until - from);
    memorySeconds += running.reduce((sum, job) => sum + job.memory, 0) * (until - from);
  });
  const total = (column: Int32Array): number => column.reduce((sum, amount) => sum + amount, 0);
  const perSpan = (amount: number, of = 1): number =>
    last === opened || of === 0 ? 0 : amount / of / (last - opened);
  expect(result.queueLengthMean).toBeCloseTo(perSpan(queue), 8);
  expect(result.coreUtilizationMean).toBeCloseTo(perSpan(coreSeconds, total(farm.coresMilli)), 8);
  expect(result.memoryUtilizationMean ?? 0).toBeCloseTo(perSpan(memorySeconds, total(farm.memoryMiB!)), 8);
  const longest = Math.max(
    ...moments.map((time) => ran.filter((job) => job.submit <= time && job.start >= time).length),
  );
  expect(result.queueLengthMax).toBeLessThanOrEqual(longest);
}

function expectBoundedSeries({ series, wins, soleWins, fairness }: RunResult): void {
  const { queueLength, timeSeconds, ...parts } = series;
  expect(timeSeconds.length).toBeLessThanOrEqual(512);
  for (const values of Object.values(parts)) {
    expect(values).toHaveLength(timeSeconds.length);
    expect(values.filter((part) => !(part >= 0 && part <= 1))).toEqual([]);
  }
  expect(queueLength.filter((length) => !(length >= 0))).toEqual([]);
  expect(Object.values(wins ?? {}).filter((part) => !(part >= 0 && part <= 1))).toEqual([]);
  expect(Object.keys(soleWins ?? {})).toEqual(Object.keys(wins ?? {}));
  // Won alone is a part of won, and only one can have won a cycle alone.
  for (const [name, part] of Object.entries(soleWins ?? {}))
    expect(part).toBeLessThanOrEqual(wins![name] ?? 0);
  expect(Object.values(soleWins ?? {}).reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(1 + 1e-9);
  if (fairness === undefined) return;
  expect(fairness.jainIndex).toBeGreaterThan(0);
  expect(fairness.jainIndex).toBeLessThanOrEqual(1 + 1e-9);
  expect(fairness.shareErrorMean).toBeGreaterThanOrEqual(0);
  expect(fairness.shareErrorMean).toBeLessThanOrEqual(1);
}

describe("conservative backfilling with exact estimates on one machine", () => {
  const anyJobs: fc.Arbitrary<JobSpec[]> = fc
    .array(
      fc.record({
        submit: fc.nat(200),
        run: fc.integer({ min: 1, max: 100 }),
        cores: fc.integer({ min: 1, max: 8 }).map((cores) => cores * 1000),
      }),
      { minLength: 1, maxLength: 40 },
    )
    .map((jobs) => jobs.sort((a, b) => a.submit - b.submit));

  it("starts no job later than first come, first served, nor later for what comes after it", () => {
    fc.assert(
      fc.property(anyJobs, fc.integer({ min: 0, max: 39 }), (jobs, last) => {
        const starts = (policy: string, some: readonly JobSpec[]): number[] =>
          Array.from(
            simulate(aWorkload(some), aFarm([{ cores: 8000 }]), { policy, estimates: "exact" }).schedule
              .startSeconds,
          );
        const conservative = starts("conservative", jobs);
        const served = starts("fcfs", jobs);
        expect(conservative.filter((start, row) => start > served[row])).toEqual([]);
        // A job's promise, made from those before it alone, holds whatever is submitted later.
        const upTo = jobs.slice(0, last + 1);
        const alone = starts("conservative", upTo);
        expect(upTo.map((_, row) => row).filter((row) => conservative[row] > alone[row])).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
