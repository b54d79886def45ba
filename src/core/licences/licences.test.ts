import { describe, expect, it } from "vitest";

import { NONE, policies, type JobRequest, type LicenceCount, type LicenceSettings } from "../index.ts";
import {
  aJob,
  aPool,
  equalMachines,
  someMachines,
  startedOf,
  type DrivenPool,
} from "../pool/pool.fixture.ts";

const [MATLAB, VCS] = [0, 1];
/** What jobs ask for, by the number in their request. */
const requests: readonly (readonly LicenceCount[])[] = [
  [],
  [{ licence: MATLAB, count: 1 }],
  [{ licence: MATLAB, count: 2 }],
  [{ licence: VCS, count: 1 }],
  [
    { licence: MATLAB, count: 1 },
    { licence: VCS, count: 1 },
  ],
];
const [PLAIN, ONE, TWO, OF_VCS, BOTH] = requests.keys();

function licences(matlab: number, vcs: number): LicenceSettings {
  return { counts: Int32Array.of(matlab, vcs), asks: (request) => requests[request] };
}

function asking(request: number | undefined, more: Partial<JobRequest> = {}): JobRequest {
  return aJob({ licences: request ?? 0, ...more });
}

function freeOf(pool: DrivenPool): number[] {
  return [...pool.licences!.free];
}

/** All but those that promise times and know nothing of licences. */
const heeding = policies.filter(({ heedsLicences }) => heedsLicences !== false).map(({ name }) => name);

describe("licences of a pool", () => {
  it.each(heeding.filter((name) => name !== "fcfs"))(
    "%s passes over a job whose licences are in use, and starts it when they are given back",
    (policy) => {
      const pool = aPool(policy, equalMachines(2, { cores: 8000, memory: 8192 }), {
        licences: licences(2, 1),
      });
      const first = pool.submit(asking(TWO));
      const waits = pool.submit(asking(ONE));
      const plain = pool.submit(asking(PLAIN));
      const vcs = pool.submit(asking(OF_VCS));
      const waitsToo = pool.submit(asking(BOTH));
      pool.cycle(0);
      expect(startedOf(pool).sort((a, b) => a - b)).toEqual([first, plain, vcs]);
      expect(freeOf(pool)).toEqual([0, 0]);
      pool.finish(first);
      pool.cycle(1);
      expect(startedOf(pool)).toEqual([waits]);
      expect(freeOf(pool)).toEqual([1, 0]);
      pool.finish(vcs);
      pool.cycle(2);
      expect(startedOf(pool)).toEqual([waitsToo]);
      for (const job of [waits, waitsToo, plain]) pool.finish(job);
      expect(freeOf(pool)).toEqual([2, 1]);
    },
  );

  it("under fcfs no job passes one whose licences are in use", () => {
    const pool = aPool("fcfs", equalMachines(1, { cores: 8000 }), { licences: licences(1, 1) });
    const [first, second, third] = [ONE, ONE, PLAIN].map((request) => pool.submit(asking(request)));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual([first]);
    pool.finish(first);
    pool.cycle(1);
    expect(startedOf(pool)).toEqual([second, third]);
  });

  it("counts what a cycle has given out, and a job with several tasks once", () => {
    const pool = aPool("first-fit", equalMachines(4, { cores: 1000 }), { licences: licences(3, 0) });
    const wide = pool.submit(asking(TWO, { tasks: 2 }));
    const [one, late] = [ONE, ONE].map((request) => pool.submit(asking(request)));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual([wide, one]);
    pool.finish(wide);
    expect(freeOf(pool)).toEqual([2, 0]);
    pool.cycle(1);
    expect(startedOf(pool)).toEqual([late]);
  });

  it("a job that finds no machine holds none, and one that cannot start gives them back", () => {
    const pool = aPool("first-fit", equalMachines(2, { cores: 1000 }), { licences: licences(2, 0) });
    const wide = pool.submit(asking(TWO, { tasks: 2, cores: 1000 }));
    pool.cycle(0);
    const tooWide = pool.submit(asking(ONE, { tasks: 2 }));
    pool.cycle(1);
    expect(startedOf(pool)).toEqual([]);
    pool.refuse(wide);
    expect(freeOf(pool)).toEqual([2, 0]);
    pool.cancel(wide);
    pool.cycle(2);
    expect(startedOf(pool)).toEqual([tooWide]);
    expect(freeOf(pool)).toEqual([1, 0]);
  });

  it("a job without licences says nothing of others of its size, and reserves no machine", () => {
    // Each machine has room for one. If the second reserved the other machine the third would not start.
    const pool = aPool("first-fit", equalMachines(2, { cores: 1000 }), { licences: licences(1, 0) });
    const [first, second, third] = [ONE, ONE, PLAIN].map((request) => pool.submit(asking(request)));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual([first, third]);
    expect(pool.jobs.placement[second]).toBe(NONE);
  });

  it("the number of jobs that may reserve is of those with licences", () => {
    // The wide job is the first that could start but for room, and keeps the second machine, which has more memory.
    const machines = someMachines({ cores: 2000, memory: 4096 }, { cores: 2000, memory: 8192 });
    const pool = aPool("first-fit", machines, { licences: licences(1, 0), reserving: 1 });
    const long = pool.submit(asking(ONE));
    pool.cycle(0);
    const without = pool.submit(asking(ONE));
    const wide = pool.submit(asking(PLAIN, { tasks: 2, cores: 2000 }));
    const small = pool.submit(asking(PLAIN, { cores: 2000 }));
    pool.cycle(1);
    expect(startedOf(pool)).toEqual([]);
    pool.cancel(wide);
    pool.cycle(2);
    expect(startedOf(pool)).toEqual([small]);
    pool.finish(long);
    pool.cycle(3);
    expect(startedOf(pool)).toEqual([without]);
  });

  it("starts no job outside of a cycle either, without its licences", () => {
    const pool = aPool("first-fit", equalMachines(2, { cores: 1000 }), { licences: licences(1, 0) });
    const [first, second] = [ONE, ONE].map((request) => pool.submit(asking(request)));
    expect(pool.startOn(first, 1, 0)).toBe(true);
    expect(pool.startOn(second, 0, 0)).toBe(false);
    expect(freeOf(pool)).toEqual([0, 0]);
    const wide = pool.submit(asking(OF_VCS, { tasks: 3 }));
    expect(pool.startOn(wide, NONE, 0)).toBe(false);
    expect(freeOf(pool)).toEqual([0, 0]);
  });

  it("a suspended job keeps them, until it gives up its place", () => {
    const pool = aPool("first-fit", equalMachines(1, { cores: 1000 }), { licences: licences(1, 0) });
    const job = pool.submit(asking(ONE));
    pool.cycle(0);
    pool.suspend(job, true, 2);
    const other = pool.submit(asking(ONE));
    pool.cycle(1);
    expect(startedOf(pool)).toEqual([]);
    pool.resume(job, true, 2);
    expect(freeOf(pool)).toEqual([0, 0]);
    pool.suspend(job, true, 2);
    pool.abandon(job, true);
    expect(freeOf(pool)).toEqual([1, 0]);
    pool.cycle(3);
    expect(startedOf(pool)).toEqual([other]);
  });

  it("a pool that has fewer than a job asks for could never hold it", () => {
    const pool = aPool("first-fit", equalMachines(1, { cores: 1000 }), { licences: licences(1, 0) });
    expect(pool.ineligible(asking(ONE))).toBeNull();
    expect(pool.ineligible(asking(TWO))).toEqual({ kind: "licence", licence: MATLAB, asked: 2, held: 1 });
    expect(pool.ineligible(asking(BOTH))).toEqual({ kind: "licence", licence: VCS, asked: 1, held: 0 });
    // What machines lack is said first.
    expect(pool.ineligible(asking(TWO, { cores: 2000 }))).toMatchObject({ kind: "cores" });
  });
});
