import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { aJob, aPool, placementOf, someMachines, startedOf } from "../../pool/pool.fixture.ts";

interface Spec {
  readonly submit: number;
  readonly cores: number;
  readonly tasks: number;
  readonly family: number;
  readonly run: number;
  /** By how much the estimate exceeds the run time; Infinity if there is no estimate. */
  readonly slack: number;
}

interface Running {
  readonly row: number;
  readonly handle: number;
  readonly entries: readonly { machine: number; tasks: number }[];
  readonly end: number;
  readonly expectedEnd: number;
}

const someJobs: fc.Arbitrary<Spec[]> = fc.array(
  fc.record({
    submit: fc.nat(120),
    cores: fc.integer({ min: 1, max: 4 }),
    tasks: fc.integer({ min: 1, max: 3 }),
    family: fc.nat(2),
    run: fc.integer({ min: 1, max: 60 }),
    slack: fc.constantFrom(0, 0, 0, 5, 40, Infinity),
  }),
  { minLength: 2, maxLength: 60 },
);

/**
 * Runs jobs on a pool under exclusive packing, and says of every job that was the first of the queue how early it would
 * have started if no other job had been started from then on, and when it did start.
 */
function promisesAndStarts(
  policy: string,
  cores: readonly number[],
  ttlSeconds: number,
  specs: readonly Spec[],
): { row: number; promised: number; started: number }[] {
  const pool = aPool(policy, someMachines(...cores.map((each) => ({ cores: each * 1000 }))), {
    packing: { policy: "exclusive", families: 2, ttlSeconds },
  });
  const jobs = specs
    .filter(({ cores: each, tasks }) => cores.reduce((sum, has) => sum + Math.floor(has / each), 0) >= tasks)
    .sort((a, b) => a.submit - b.submit);
  const rowOf = new Map<number, number>();
  const waiting: number[] = [];
  let running: Running[] = [];
  // The books of the test: for which family a machine is reserved, and until when at the latest.
  const owner = cores.map(() => 0);
  const until = cores.map(() => Infinity);
  const hasFamily = (machine: number, family: number, at: number): boolean =>
    running.some(
      ({ row, entries, expectedEnd }) =>
        jobs[row].family === family && expectedEnd > at && entries.some((entry) => entry.machine === machine),
    );
  const roomAt = (at: number, { cores: each, family }: Spec): number =>
    cores.reduce((room, has, machine) => {
      const isReserved = owner[machine] !== 0 && until[machine] > at;
      if (isReserved && owner[machine] !== family && hasFamily(machine, owner[machine], at)) return room;
      let free = has;
      for (const { row, entries, expectedEnd } of running)
        for (const entry of entries)
          if (entry.machine === machine && expectedEnd > at) free -= jobs[row].cores * entry.tasks;
      return room + Math.floor(free / each);
    }, 0);
  const promised = new Map<number, number>();
  const started = new Map<number, number>();
  let submitted = 0;
  while (submitted < jobs.length || running.length > 0 || waiting.length > 0) {
    const now = Math.min(
      submitted < jobs.length ? jobs[submitted].submit : Infinity,
      ...running.map(({ end }) => end),
      pool.nextChange,
    );
    if (now === Infinity) throw new Error(`jobs ${waiting.join(", ")} wait for ever`);
    for (const { handle } of running.filter(({ end }) => end === now)) pool.finish(handle);
    running = running.filter(({ end }) => end !== now);
    owner.forEach((family, machine) => {
      if (until[machine] <= now || !hasFamily(machine, family, -Infinity)) owner[machine] = 0;
    });
    for (; submitted < jobs.length && jobs[submitted].submit === now; submitted++) {
      const { cores: each, tasks, family, run, slack } = jobs[submitted];
      const request = aJob({ cores: each * 1000, tasks, family, estimateSeconds: run + slack });
      rowOf.set(pool.submit(request), submitted);
      waiting.push(submitted);
    }
    pool.cycle(now);
    for (const handle of startedOf(pool)) {
      const row = rowOf.get(handle)!;
      const { run, slack, family } = jobs[row];
      const entries = placementOf(pool, handle);
      waiting.splice(waiting.indexOf(row), 1);
      running.push({ row, handle, entries, end: now + run, expectedEnd: now + run + slack });
      started.set(row, now);
      for (const { machine } of family === 0 ? [] : entries) {
        owner[machine] = family;
        until[machine] = now + ttlSeconds;
      }
    }
    if (waiting.length === 0) continue;
    const head = jobs[waiting[0]];
    const times = [now, ...until, ...running.map(({ expectedEnd }) => expectedEnd)];
    const fits = times.filter((at) => at >= now && at < Infinity && roomAt(at, head) >= head.tasks);
    promised.set(waiting[0], Math.min(promised.get(waiting[0]) ?? Infinity, ...fits));
  }
  return Array.from(promised, ([row, at]) => ({ row, promised: at, started: started.get(row)! }));
}

describe("every job gets its turn, with machines reserved for families", () => {
  it.each([["conservative"], ["backfill:2"], ["conservative/best-fit-cores"]])("%s", (policy) => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(Infinity, 5, 30, 100),
        someJobs,
        (cores, ttlSeconds, jobs) => {
          const pool = aPool(policy, someMachines(...cores.map((each) => ({ cores: each * 1000 }))), {
            packing: { policy: "exclusive", families: 2, ttlSeconds },
          });
          const coming = jobs
            .filter(
              ({ cores: each, tasks }) =>
                cores.reduce((sum, has) => sum + Math.floor(has / each), 0) >= tasks,
            )
            .sort((a, b) => a.submit - b.submit);
          const runOf = new Map<number, number>();
          const endOf = new Map<number, number>();
          for (let next = 0, now = 0; next < coming.length || runOf.size > 0;) {
            now = Math.min(coming[next]?.submit ?? Infinity, ...endOf.values(), pool.nextChange);
            if (now === Infinity) throw new Error("jobs wait for ever");
            for (const [handle, end] of endOf) {
              if (end !== now) continue;
              pool.finish(handle);
              endOf.delete(handle);
              runOf.delete(handle);
            }
            for (; coming[next]?.submit === now; next++) {
              const { cores: each, tasks, family, run, slack } = coming[next];
              const request = aJob({ cores: each * 1000, tasks, family, estimateSeconds: run + slack });
              runOf.set(pool.submit(request), run);
            }
            pool.cycle(now);
            for (const handle of startedOf(pool)) endOf.set(handle, now + runOf.get(handle)!);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("the first waiting job starts when it was promised, with machines reserved for families", () => {
  it.each([["easy"], ["easy-sjbf"], ["easy/best-fit-cores"]])("%s", (policy) => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(Infinity, Infinity, 5, 30, 100),
        someJobs,
        (cores, ttlSeconds, jobs) => {
          for (const { promised, started } of promisesAndStarts(policy, cores, ttlSeconds, jobs))
            expect(started).toBeLessThanOrEqual(promised);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("EASY does not let a family keep a node from the first job for ever", () => {
    const small = { submit: 1, cores: 2, tasks: 1, family: 0, run: 95, slack: 0 };
    const jobs = [
      { ...small, run: 100 },
      { ...small, submit: 2, cores: 3, run: 100 },
      ...Array.from({ length: 30 }, (_, i) => ({ ...small, submit: i * 50, cores: 1, family: 1, run: 100 })),
      ...Array.from({ length: 75 }, (_, i) => ({ ...small, submit: 10 + i * 20 })),
    ];
    const [first] = promisesAndStarts("easy", [4, 4], Infinity, jobs);
    expect(first).toEqual({ row: 2, promised: 100, started: 100 });
  });
});
