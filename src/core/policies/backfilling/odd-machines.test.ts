import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { LicenceSettings } from "../../licences/licences.ts";
import { DRAINED } from "../../machines/machine-state.ts";
import { aJob, aPool, equalMachines, startedOf, type DrivenPool } from "../../pool/pool.fixture.ts";

/** One licence; a request's number is how many of it a job asks for. */
const licencesOf = (count: number): LicenceSettings => ({
  counts: Int32Array.of(count),
  asks: (request) => (request === 0 ? [] : [{ licence: 0, count: request }]),
});
const first = (pool: DrivenPool, job: number): number => pool.policy.promised!.firstSeconds(job);

describe.each(["easy", "conservative", "backfill:2"])("%s, with licences", (policy) => {
  it.each(["drained", "made smaller"])("starts a job beside a busy machine that was %s", (how) => {
    const pool = aPool(policy, equalMachines(2, { cores: 8000 }), { licences: licencesOf(2) });
    pool.submit(aJob({ cores: 8000, estimateSeconds: 1000 }));
    pool.cycle(0);
    pool.machines.close(1, DRAINED);
    if (how === "drained") pool.machines.close(0, DRAINED);
    else pool.machines.setCapacity(0, { coresMilli: 1000, memoryMiB: 0, gpuMilli: 0 });
    pool.cycle(1);
    const next = pool.submit(aJob({ cores: 4000, estimateSeconds: 10 }));
    pool.cycle(2);
    expect(startedOf(pool)).toEqual([]);
    pool.machines.open(1, DRAINED);
    pool.cycle(3);
    expect(startedOf(pool)).toEqual([next]);
  });

  it("promises no licence, and no memory, that a suspended job keeps", () => {
    const pool = aPool(policy, equalMachines(2, { cores: 1000, memory: 8 }), { licences: licencesOf(1) });
    const holder = pool.submit(aJob({ licences: 1, memory: 6, estimateSeconds: 10 }));
    const other = pool.submit(aJob({ memory: 6, estimateSeconds: 20 }));
    pool.cycle(0);
    pool.suspend(holder, true, 5);
    const licensed = pool.submit(aJob({ licences: 1, estimateSeconds: 10 }));
    pool.cycle(5);
    expect([startedOf(pool), first(pool, licensed)]).toEqual([[], NaN]);
    pool.cancel(licensed);
    const large = pool.submit(aJob({ memory: 6, estimateSeconds: 10 }));
    pool.cycle(6);
    expect([startedOf(pool), first(pool, large)]).toEqual([[], 20]);
    pool.resume(holder, true, 7);
    const next = pool.submit(aJob({ licences: 1, memory: 2, estimateSeconds: 10 }));
    pool.cycle(7);
    pool.finish(holder, 12);
    pool.cycle(12);
    expect(startedOf(pool)).toContain(policy === "easy" ? large : next);
    pool.finish(other, 20);
    pool.cycle(20);
    expect(pool.waiting).toBe(0);
  });
});

type Event =
  | {
      kind: "submit";
      cores: number;
      memory: number;
      gpu: number;
      tasks: number;
      licences: number;
      estimateSeconds: number;
    }
  | {
      kind: "finish" | "suspend" | "resume" | "abandon" | "drain" | "open" | "shrink" | "grow";
      which: number;
    };

const anyEvents = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("submit" as const),
        cores: fc.integer({ min: 1, max: 4 }),
        memory: fc.nat(4),
        gpu: fc.constantFrom(0, 0, 1),
        tasks: fc.constantFrom(1, 1, 2, 3),
        licences: fc.constantFrom(0, 0, 1, 2),
        estimateSeconds: fc.constantFrom(5, 20, 100, Infinity),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("finish" as const), which: fc.nat(99) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          ...(["suspend", "resume", "abandon", "drain", "open", "shrink", "grow"] as const),
        ),
        which: fc.nat(99),
      }),
    },
  ),
  { maxLength: 60, size: "max" },
);

const capacity = { coresMilli: 4, memoryMiB: 6, gpuMilli: 2 };

/** A pool, and what its driver knows of it. */
class Farm {
  readonly pool: DrivenPool;
  readonly waiting: number[] = [];
  readonly running: number[] = [];
  readonly suspended: number[] = [];
  private readonly keepsMemory: boolean;
  private now = 0;

  constructor(policy: string, hasLicences: boolean, keepsMemory: boolean) {
    this.keepsMemory = keepsMemory;
    const machines = equalMachines(4, {
      cores: capacity.coresMilli,
      memory: capacity.memoryMiB,
      gpu: capacity.gpuMilli,
    });
    this.pool = aPool(policy, machines, hasLicences ? { licences: licencesOf(3) } : {});
  }

  happens(event: Event): void {
    const { pool, waiting, running, suspended } = this;
    const now = (this.now += 3);
    if (event.kind === "submit") {
      const { kind: _, ...request } = event;
      const licences = pool.licences === null ? {} : { licences: request.licences };
      waiting.push(pool.submit(aJob({ ...request, ...licences })));
      return;
    }
    const { which } = event;
    const machine = which % pool.machines.count;
    const oneOf = (jobs: number[]): number | undefined =>
      jobs.length === 0 ? undefined : jobs.splice(which % jobs.length, 1)[0];
    const apply = (job: number | undefined, act: (job: number) => void): void =>
      job === undefined ? undefined : act(job);
    if (event.kind === "finish") apply(oneOf(running), (job) => pool.finish(job, now));
    else if (event.kind === "suspend")
      apply(oneOf(running), (job) => {
        pool.suspend(job, this.keepsMemory, now);
        suspended.push(job);
      });
    else if (event.kind === "resume") {
      const job = suspended[which % Math.max(1, suspended.length)];
      if (job !== undefined && this.mayResume(job)) {
        suspended.splice(suspended.indexOf(job), 1);
        pool.resume(job, this.keepsMemory, now);
        running.push(job);
      }
    } else if (event.kind === "abandon")
      apply(oneOf(suspended), (job) => {
        pool.abandon(job, this.keepsMemory);
        pool.jobs.remove(job);
      });
    else if (event.kind === "drain") pool.machines.close(machine, DRAINED);
    else if (event.kind === "open") pool.machines.open(machine, DRAINED);
    else
      pool.machines.setCapacity(machine, event.kind === "grow" ? capacity : { ...capacity, coresMilli: 1 });
  }

  cycle(): void {
    const { pool, waiting, running } = this;
    pool.cycle(this.now);
    for (const job of startedOf(pool)) {
      waiting.splice(waiting.indexOf(job), 1);
      running.push(job);
    }
  }

  /** Whether all tasks of a job find machines now, and its licences are free. */
  fits(job: number): boolean {
    const { machines, jobs, licences } = this.pool;
    if (licences !== null && !licences.areFree(jobs.kind[job])) return false;
    let room = 0;
    for (let machine = 0; machine < machines.count; machine++)
      if (machines.closed[machine] === 0)
        room += machines.roomFor(machine, jobs.coresOf(job), jobs.memoryOf(job), jobs.gpuOf(job));
    return room >= jobs.tasksOf(job);
  }

  private mayResume(job: number): boolean {
    const { machines, jobs, placements } = this.pool;
    const memory = this.keepsMemory ? 0 : jobs.memoryOf(job);
    const gpu = this.keepsMemory ? 0 : jobs.gpuOf(job);
    for (let entry = jobs.placement[job]; entry !== -1; entry = placements.after(entry)) {
      const machine = placements.machineOf(entry);
      if (machines.closed[machine] !== 0) return false;
      if (machines.roomFor(machine, jobs.coresOf(job), memory, gpu) < placements.tasksOf(entry)) return false;
    }
    return true;
  }
}

const policies = ["fcfs", "easy", "easy-sjbf", "backfill:1", "backfill:2", "conservative"];
const cases = policies.flatMap((policy) =>
  [false, true]
    .map((hasLicences) => ({ policy, hasLicences }))
    .filter((each) => each.policy !== "easy-sjbf" || !each.hasLicences),
);

describe("with drained and smaller machines, and suspended jobs", () => {
  it.each(cases)(
    "no first job waits that fits, under $policy (licences: $hasLicences)",
    ({ policy, hasLicences }) => {
      fc.assert(
        fc.property(anyEvents, fc.boolean(), fc.boolean(), (events, keepsMemory, isEachPassed) => {
          const farm = new Farm(policy, hasLicences, keepsMemory);
          events.forEach((event, i) => {
            farm.happens(event);
            if (!isEachPassed && i % 3 !== 0) return;
            const { waiting } = farm;
            // Beside others that hold promises the first job may have to wait for one of these.
            const mayTell = waiting.length === 1 || !/:2|conservative/.test(policy);
            farm.cycle();
            if (mayTell && waiting.length > 0) expect(farm.fits(waiting[0])).toBe(false);
          });
          for (let machine = 0; machine < 4; machine++) {
            farm.happens({ kind: "open", which: machine });
            farm.happens({ kind: "grow", which: machine });
          }
          while (farm.waiting.length + farm.running.length + farm.suspended.length > 0) {
            farm.happens({ kind: farm.running.length > 0 ? "finish" : "abandon", which: 0 });
            const before = farm.waiting.length;
            farm.cycle();
            if (before > 0 && farm.running.length + farm.suspended.length === 0)
              throw new Error("a job waits on an empty farm");
          }
        }),
        { numRuns: 150 },
      );
    },
  );
});
