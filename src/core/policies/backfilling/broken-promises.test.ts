import { describe, expect, it } from "vitest";

import { DRAINED } from "../../machines/machine-state.ts";
import { aJob, aPool, equalMachines, placementOf, startedOf } from "../../pool/pool.fixture.ts";
import type { DrivenPool } from "../../pool/pool.fixture.ts";

const policies = ["easy", "conservative", "backfill:2"];

/** A machine for each running job, of one core, and jobs that wait behind. Estimates are in seconds. */
function aFarm(policy: string, running: readonly number[], waiting: readonly number[]) {
  const pool = aPool(policy, equalMachines(running.length, { cores: 1000 }));
  const submit = (estimateSeconds: number): number => pool.submit(aJob({ estimateSeconds }));
  const runs = running.map(submit);
  pool.cycle(0);
  expect(startedOf(pool)).toEqual(runs);
  const waits = waiting.map(submit);
  pool.cycle(0);
  return { pool, runs, waits };
}

const first = (pool: DrivenPool, job: number): number => pool.policy.promised!.firstSeconds(job);
const broken = (pool: DrivenPool): object => Object.fromEntries(pool.policy.promised!.broken());

describe.each(policies)("the first promise under %s", (policy) => {
  it("stands when a start is undone, which counts as none", () => {
    const { pool, runs, waits } = aFarm(policy, [10], [10]);
    pool.cycle(10);
    pool.finish(runs[0], 12);
    pool.cycle(12);
    expect([startedOf(pool), broken(pool)]).toEqual([waits, { overrun: 1 }]);
    pool.refuse(waits[0]);
    expect([first(pool, waits[0]), broken(pool)]).toEqual([10, {}]);
    pool.cycle(12);
    expect([startedOf(pool), broken(pool)]).toEqual([waits, { overrun: 1 }]);
  });

  it("is the first time that is known", () => {
    const { pool, runs, waits } = aFarm(policy, [Infinity], [10, 10]);
    expect(waits.map((job) => first(pool, job))).toEqual([Number.NaN, Number.NaN]);
    pool.finish(runs[0], 50);
    pool.cycle(50);
    expect([startedOf(pool), first(pool, waits[1])]).toEqual([[waits[0]], 60]);
  });
});

describe("a promise that cannot be kept", () => {
  /** The first of two waiting jobs was to start at 10 on the first machine, the second at 20 on the other. */
  const aBusyFarm = () => aFarm("conservative", [10, 20], [100, 100]);

  it("is not passed by a later job that keeps its own, after an overrun", () => {
    const { pool, runs, waits } = aBusyFarm();
    // The end of the first job is expected at 11, 12, 14, 18 and 26: the other machine is free before that.
    for (const now of [10, 11, 12, 14, 18]) pool.cycle(now);
    pool.finish(runs[1], 20);
    pool.cycle(20);
    expect([startedOf(pool), placementOf(pool, waits[0])]).toEqual([[waits[0]], [{ machine: 1, tasks: 1 }]]);
    pool.finish(runs[0], 26);
    pool.cycle(26);
    expect([startedOf(pool), broken(pool)]).toEqual([[waits[1]], { overrun: 2 }]);
  });

  it("is not passed by a later job that keeps its own, after a machine is lost", () => {
    const { pool, runs, waits } = aBusyFarm();
    pool.machines.close(0, DRAINED);
    pool.cycle(5);
    pool.finish(runs[1], 20);
    pool.cycle(20);
    expect([startedOf(pool), broken(pool)]).toEqual([[waits[0]], { "machine lost": 1 }]);
    pool.finish(waits[0], 120);
    pool.cycle(120);
    expect([startedOf(pool), broken(pool)]).toEqual([[waits[1]], { "machine lost": 2 }]);
  });

  it("is kept elsewhere, and no other is moved, if another machine has room at that time", () => {
    const { pool, runs, waits } = aFarm("conservative", [10, 10, 10], [100, 100]);
    pool.machines.close(0, DRAINED);
    pool.cycle(5);
    for (const job of runs) pool.finish(job, 10);
    pool.cycle(10);
    expect([startedOf(pool), broken(pool)]).toEqual([waits, {}]);
    expect(waits.map((job) => placementOf(pool, job)[0].machine)).toEqual([2, 1]);
  });

  it("is counted where it is licences that are held for longer", () => {
    const licences = { counts: Int32Array.of(1), asks: () => [{ licence: 0, count: 1 }] };
    const pool = aPool("conservative", equalMachines(3, { cores: 1000 }), { licences });
    const licensed = (estimateSeconds: number): number => pool.submit(aJob({ estimateSeconds, licences: 1 }));
    const holder = licensed(10);
    const next = licensed(10);
    pool.cycle(0);
    expect(first(pool, next)).toBe(10);
    pool.cycle(10);
    pool.finish(holder, 13);
    pool.cycle(13);
    expect([startedOf(pool), broken(pool)]).toEqual([[next], { overrun: 1 }]);
  });
});

describe.each([...policies, "backfill:1"])("a job that loses its machine under %s", (policy) => {
  it("has started late all the same, and is promised a time anew", () => {
    const { pool, runs, waits } = aFarm(policy, [10], [10]);
    pool.cycle(10);
    pool.finish(runs[0], 12);
    pool.cycle(12);
    expect([startedOf(pool), broken(pool)]).toEqual([waits, { overrun: 1 }]);
    pool.machines.close(0, DRAINED);
    pool.refuse(waits[0]);
    expect([first(pool, waits[0]), broken(pool)]).toEqual([Number.NaN, { overrun: 1 }]);
  });

  it("goes first again, and the promise behind it was broken by the machine", () => {
    const { pool, runs, waits } = aFarm(policy, [100, 10], [50]);
    expect(first(pool, waits[0])).toBe(10);
    pool.machines.close(0, DRAINED);
    pool.refuse(runs[0]);
    pool.cycle(5);
    pool.finish(runs[1], 10);
    pool.cycle(10);
    expect(startedOf(pool)).toEqual([runs[0]]);
    pool.finish(runs[0], 110);
    pool.cycle(110);
    expect([startedOf(pool), broken(pool)]).toEqual([waits, { "machine lost": 1 }]);
  });

  it("goes first again before a job of several tasks", () => {
    const pool = aPool(policy, equalMachines(2, { cores: 1000 }));
    const runs = [10, 10].map((estimateSeconds) => pool.submit(aJob({ estimateSeconds })));
    pool.cycle(0);
    const wide = pool.submit(aJob({ estimateSeconds: 5, tasks: 2 }));
    pool.cycle(1);
    pool.machines.close(0, DRAINED);
    pool.refuse(runs[0]);
    pool.cycle(5);
    pool.finish(runs[1], 10);
    pool.cycle(10);
    expect(startedOf(pool)).toEqual([runs[0]]);
    pool.machines.open(0, DRAINED);
    pool.cycle(12);
    pool.finish(runs[0], 20);
    pool.cycle(20);
    expect([startedOf(pool), broken(pool)]).toEqual([[wide], { "machine lost": 1 }]);
  });
});

it.each(policies)("%s tells a job that starts in another's place as one that goes first", (policy) => {
  const pool = aPool(policy, equalMachines(2, { cores: 1000 }));
  const runs = [10, 5].map((estimateSeconds) => pool.submit(aJob({ estimateSeconds })));
  pool.cycle(0);
  const wide = pool.submit(aJob({ estimateSeconds: 5, tasks: 2 }));
  pool.cycle(1);
  pool.finish(runs[1], 5);
  const other = pool.submit(aJob({ estimateSeconds: 20 }));
  expect(pool.startOn(other, 1, 5)).toBe(true);
  pool.cycle(5);
  pool.finish(runs[0], 10);
  pool.cycle(10);
  pool.finish(other, 25);
  pool.cycle(25);
  expect([startedOf(pool), broken(pool)]).toEqual([[wide], { "higher rank": 1 }]);
});

it.each(policies)(
  "%s tells a job that is expected to end later as an overrun, and no resumption",
  (policy) => {
    const { pool, runs, waits } = aFarm(policy, [10], [10]);
    pool.expectEnd(runs[0], 30, 9);
    pool.cycle(9);
    pool.finish(runs[0], 30);
    pool.cycle(30);
    expect([startedOf(pool), broken(pool)]).toEqual([waits, { overrun: 1 }]);
  },
);

/**
 * A machine of 8 cores, with jobs that run from 0 on and two that wait: cores, and the estimate in seconds. The first is
 * promised a start at 5, and the second at 10.
 */
function aSharedMachine(
  policy: string,
  running: readonly (readonly [number, number])[],
  waiting: readonly (readonly [number, number])[],
) {
  const pool = aPool(policy, equalMachines(1, { cores: 8000 }));
  const submit = ([cores, estimateSeconds]: readonly [number, number]): number =>
    pool.submit(aJob({ cores: 1000 * cores, estimateSeconds }));
  const stood = submit([3, 5]);
  pool.cycle(0);
  pool.suspend(stood, false, 0);
  const runs = running.map(submit);
  pool.cycle(0);
  const waits = waiting.map(submit);
  pool.cycle(0);
  expect(waits.map((job) => first(pool, job))).toEqual([5, 10]);
  return { pool, runs, waits, stood };
}

describe.each(["conservative", "backfill:2"])("no promise is put off under %s", (policy) => {
  it("by a job that begins a little later than it was decided, if there is room beside it", () => {
    const { pool, runs, waits } = aSharedMachine(
      policy,
      [
        [3, 10],
        [5, 5],
      ],
      [
        [4, 5],
        [2, 1],
      ],
    );
    pool.beganLate(runs[0], 0.5);
    pool.cycle(0.5);
    pool.finish(runs[1], 5);
    pool.cycle(5);
    expect([startedOf(pool), broken(pool)]).toEqual([[waits[0]], {}]);
  });

  it("by one that resumes in the place of one that has ended", () => {
    const { pool, runs, waits, stood } = aSharedMachine(
      policy,
      [
        [3, 10],
        [5, 5],
      ],
      [
        [4, 5],
        [2, 1],
      ],
    );
    pool.finish(runs[0], 1);
    pool.resume(stood, false, 1);
    pool.cycle(1);
    pool.finish(runs[1], 5);
    pool.cycle(5);
    expect([startedOf(pool), broken(pool)]).toEqual([[waits[0]], {}]);
  });

  it("by one that outlives its estimate, where another has ended early", () => {
    const { pool, runs, waits } = aSharedMachine(
      policy,
      [
        [3, 10],
        [4, 5],
        [1, 5],
      ],
      [
        [5, 5],
        [3, 1],
      ],
    );
    pool.finish(runs[0], 5);
    pool.finish(runs[1], 5);
    pool.cycle(5);
    expect([startedOf(pool), broken(pool)]).toEqual([[waits[0]], {}]);
  });
});
