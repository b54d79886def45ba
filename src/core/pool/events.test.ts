import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Jobs } from "../jobs/jobs.ts";
import { RequestKinds } from "../jobs/request-kinds.ts";
import { DRAINED } from "../machines/machine-state.ts";
import { policies, shareTree, type JobRequest, type PoolSettings } from "../index.ts";
import {
  aJob,
  aPool,
  equalMachines,
  placementOf,
  someMachines,
  startedOf,
  type DrivenPool,
} from "./pool.fixture.ts";

const policyNames = [
  ...policies.map(({ name }) => name),
  "easy/mix-fit",
  "conservative/worse-fit-memory",
  "lookahead/best-fit-cores",
];

type Event =
  | { readonly kind: "submit"; readonly request: JobRequest }
  /** `refuse`: which of the jobs started cannot be, and whose fault it is; `finish`, `cancel`: which job, modulo how many there are. */
  | { readonly kind: "cycle"; readonly refuse: readonly Refusal[] }
  | { readonly kind: "finish" | "cancel"; readonly which: number };

/** `machine`: the first machine where the job was to start. */
type Refusal = "none" | "job" | "machine";
const EXCLUDED_SECONDS = 25;

const anyRequest = fc
  .record({
    cores: fc.integer({ min: 1, max: 4 }).map((cores) => cores * 500),
    memory: fc.nat(3).map((gib) => gib * 1024),
    tasks: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5 })),
    project: fc.nat(2),
    estimateSeconds: fc.nat(90),
  })
  .map(aJob);

const anyEvents: fc.Arbitrary<Event[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("submit" as const), request: anyRequest }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("cycle" as const),
        refuse: fc.array(fc.constantFrom<Refusal>("none", "none", "job", "machine"), { maxLength: 6 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom("finish" as const, "cancel" as const), which: fc.nat() }),
    },
  ),
  { maxLength: 80, size: "max" },
);

const machines = someMachines(
  { cores: 2000, memory: 4096 },
  { cores: 4000, memory: 2048 },
  { cores: 3000, memory: 8192 },
  { cores: 1500, memory: 1024 },
);
const shares = shareTree(["/a/x", "/a/y", "/b"], [{ path: "/a", share: 2 }]);

/** The driver's own record of the pool. */
class Ledger {
  readonly pool: DrivenPool;
  readonly waiting: number[] = [];
  readonly running = new Map<number, { request: JobRequest; placement: ReturnType<typeof placementOf> }>();
  readonly requests = new Map<number, JobRequest>();
  /** Jobs with the machines that they must avoid, and until when. */
  private readonly refusals: { job: number; machine: number; until: number }[] = [];

  constructor(pool: DrivenPool) {
    this.pool = pool;
  }

  submit(request: JobRequest): void {
    if (this.pool.ineligible(request) !== null) return;
    const job = this.pool.submit(request);
    expect(this.requests.has(job), "a handle in use is not given again").toBe(false);
    this.requests.set(job, request);
    this.waiting.push(job);
  }

  cycle(now: number, refuse: readonly Refusal[]): string[] {
    const { pool, waiting, running, requests } = this;
    pool.cycle(now);
    const started = startedOf(pool);
    expect(new Set(started).size, "no job is started twice").toBe(started.length);
    const decisions = started.map((job) => `${job}: ${JSON.stringify(placementOf(pool, job))}`);
    for (const job of started) {
      expect(waiting, "only waiting jobs start").toContain(job);
      const request = requests.get(job)!;
      const placement = placementOf(pool, job);
      expect(placement.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(request.tasks);
      for (const { job: refused, machine, until } of this.refusals)
        if (refused === job && until > now)
          expect(placement.map((each) => each.machine)).not.toContain(machine);
      running.set(job, { request, placement });
    }
    this.expectConsistent(started);
    started.forEach((job, i) => {
      if (refuse[i] === "job" || refuse[i] === "machine") {
        const { machine } = running.get(job)!.placement[0];
        const until = now + EXCLUDED_SECONDS;
        if (refuse[i] === "job") pool.refuse(job);
        else {
          pool.refuse(job, machine, until);
          this.refusals.push({ job, machine, until });
        }
        running.delete(job);
      } else waiting.splice(waiting.indexOf(job), 1);
    });
    return decisions;
  }

  finish(which: number): void {
    const job = [...this.running.keys()][which % Math.max(1, this.running.size)];
    if (job === undefined) return;
    this.pool.finish(job);
    this.running.delete(job);
    this.forget(job);
  }

  cancel(which: number): void {
    const [job] = this.waiting.splice(which % Math.max(1, this.waiting.length), 1);
    if (job === undefined) return;
    this.pool.cancel(job);
    this.forget(job);
  }

  private forget(job: number): void {
    this.requests.delete(job);
    for (const refusal of this.refusals) if (refusal.job === job) refusal.until = 0;
  }

  /** @param started jobs that run though they are still in `waiting` */
  expectConsistent(started: readonly number[] = []): void {
    const { pool, waiting, running } = this;
    const { count, capacityCores, capacityMemory, freeCores, freeMemory, closed } = pool.machines;
    const cores = Array<number>(count).fill(0);
    const memory = Array<number>(count).fill(0);
    for (const { request, placement } of running.values()) {
      for (const { machine, tasks } of placement) {
        cores[machine] += request.cores * tasks;
        memory[machine] += request.memory * tasks;
      }
    }
    for (let machine = 0; machine < count; machine++) {
      expect(freeCores[machine]).toBe(capacityCores[machine] - cores[machine]);
      expect(freeMemory[machine]).toBe(capacityMemory[machine] - memory[machine]);
      expect(freeCores[machine]).toBeGreaterThanOrEqual(0);
      expect(freeMemory[machine]).toBeGreaterThanOrEqual(0);
      expect(closed[machine], "no reservation outlives its cycle").toBe(0);
    }
    expect(pool.machines.totalFreeCores).toBe(freeCores.reduce((sum, free) => sum + free, 0));
    expect(pool.waiting).toBe(waiting.length - started.length);
  }
}

/** Runs the events, then lets all jobs through. Returns all decisions. */
function drive(policy: string, events: readonly Event[], settings: Partial<PoolSettings>): string[] {
  const ledger = new Ledger(aPool(policy, machines, settings));
  const decisions: string[] = [];
  let now = 0;
  for (const event of events) {
    now += 10;
    if (event.kind === "submit") ledger.submit(event.request);
    else if (event.kind === "cycle") decisions.push(...ledger.cycle(now, event.refuse));
    else ledger[event.kind](event.which);
    ledger.expectConsistent();
  }
  for (let left = ledger.requests.size + Math.ceil(EXCLUDED_SECONDS / 10); left > 0; left--) {
    if (ledger.running.size > 0) ledger.finish(0);
    decisions.push(...ledger.cycle((now += 10), []));
  }
  while (ledger.running.size > 0) ledger.finish(0);
  expect(ledger.waiting, "all jobs get their turn").toEqual([]);
  ledger.expectConsistent();
  expect(Array.from(ledger.pool.machines.freeCores)).toEqual(Array.from(machines.coresMilli));
  return decisions;
}

describe("a pool that is told of refused starts, cancellations and completions", () => {
  it.each(policyNames)("%s: is consistent after each, and lets every job through", (policy) => {
    fc.assert(
      fc.property(anyEvents, fc.boolean(), (events, isFair) => {
        const settings = isFair ? { shares } : {};
        const decisions = drive(policy, events, settings);
        // The same events lead to the same decisions, with indexes or without.
        expect(drive(policy, events, { ...settings, plainScan: true })).toEqual(decisions);
        // It makes no difference either which kinds without a job are remembered.
        const jobs = new Jobs(new RequestKinds(1));
        expect(drive(policy, events, { ...settings, jobs })).toEqual(decisions);
      }),
      { numRuns: 25 },
    );
  });

  it.each(policyNames)("%s: a refused job keeps its place in the queue", (policy) => {
    const pool = aPool(policy, equalMachines(1, { cores: 2000, memory: 1024 }));
    const [first, second, third, fourth] = [1, 2, 3, 4].map(() => pool.submit(aJob()));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual([first, second]);
    pool.refuse(first);
    pool.cycle(1);
    expect(startedOf(pool)).toEqual([first]);
    pool.refuse(first);
    pool.refuse(second);
    pool.cycle(2);
    expect(startedOf(pool)).toEqual([first, second]);
    pool.finish(first);
    pool.cycle(3);
    expect(startedOf(pool)).toEqual([third]);
    pool.cancel(fourth);
    pool.finish(second);
    pool.cycle(4);
    expect(startedOf(pool)).toEqual([]);
    expect(pool.waiting).toBe(0);
  });

  it.each(policyNames)("%s: a drained machine takes no job until it is opened", (policy) => {
    const pool = aPool(policy, equalMachines(3, { cores: 2000, memory: 2048 }));
    pool.machines.close(1, DRAINED);
    const jobs = Array.from({ length: 8 }, () => pool.submit(aJob({ memory: 512 })));
    pool.cycle(0);
    pool.cycle(1);
    expect(pool.waiting).toBe(4);
    expect(pool.machines.isInService(1)).toBe(false);
    expect([...pool.machines.freeCores]).toEqual([0, 2000, 0]);
    pool.machines.open(1, DRAINED);
    pool.cycle(2);
    expect([...pool.machines.freeCores]).toEqual([0, 0, 0]);
    expect(startedOf(pool)).toEqual(jobs.slice(4, 6));
  });

  it("forgets jobs that have left: a million, 60 at a time", () => {
    const pool = aPool("max-jobs", equalMachines(8, { cores: 8000, memory: 8192 }), {});
    const jobs = [1, 2].map((tasks) => aJob({ tasks, memory: 1024 }));
    let running: number[] = [];
    let through = 0;
    while (through < 1_000_000) {
      for (let i = 0; i < 20; i++) pool.submit(jobs[i % 2]);
      pool.cycle(through);
      running.push(...startedOf(pool));
      if (pool.waiting === 0 && running.length < 40) continue;
      for (const job of running) pool.finish(job);
      through += running.length;
      running = [];
    }
    expect(pool.jobs.capacity).toBe(1024);
    expect(pool.placements.capacity).toBe(1024);
    expect(pool.started.length).toBe(1024);
  });
});

describe("a cycle of Max-Jobs", () => {
  it("matches as many jobs as the best of its list", () => {
    fc.assert(
      fc.property(
        fc.array(anyRequest, { maxLength: 25 }),
        fc.array(fc.record({ cores: fc.nat(3), memory: fc.nat(2) }), { minLength: 4, maxLength: 4 }),
        (requests, inUse) => {
          const matched = (policy: string): { jobs: number; won: Record<string, number> } => {
            const pool = aPool(policy, machines);
            inUse.forEach(({ cores, memory }, machine) =>
              pool.machines.take(
                machine,
                Math.min(cores * 500, machines.coresMilli[machine]),
                Math.min(memory * 512, machines.memoryMiB![machine]),
                0,
                1,
              ),
            );
            for (const request of requests) if (pool.ineligible(request) === null) pool.submit(request);
            pool.cycle(0);
            const { names = [], won = [] } = pool.policy.winners ?? {};
            return {
              jobs: pool.startedCount,
              won: Object.fromEntries(names.map((name, i) => [name, won[i]])),
            };
          };
          const { jobs, won } = matched("max-jobs");
          const each = Object.keys(won).map((name) => [name, matched(name).jobs] as const);
          expect(jobs).toBe(Math.max(...each.map(([, count]) => count)));
          expect(won).toEqual(
            Object.fromEntries(each.map(([name, count]) => [name, count === jobs ? 1 : 0])),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it("gives ties to the first of its list: best-fit-memory unless told otherwise", () => {
    // All five match the job. Best-fit-memory alone takes the second machine: best-fit-cores the third, the others the first.
    const pool = aPool(
      "max-jobs",
      someMachines(
        { cores: 8000, memory: 8192 },
        { cores: 4000, memory: 2048 },
        { cores: 2000, memory: 4096 },
      ),
    );
    const job = pool.submit(aJob({ cores: 1000, memory: 1024 }));
    pool.cycle(0);
    expect(pool.policy.winners!.names[0]).toBe("best-fit-memory");
    expect([...pool.policy.winners!.won]).toEqual([1, 1, 1, 1, 1]);
    expect(placementOf(pool, job)).toEqual([{ machine: 1, tasks: 1 }]);
  });
});

describe("reservations", () => {
  const twoMachines = someMachines({ cores: 4000, memory: 8192 }, { cores: 4000, memory: 16_384 });

  it("close the machine with the highest available memory that could hold the job, for the cycle", () => {
    const pool = aPool("first-fit", twoMachines);
    pool.machines.take(0, 3000, 0, 0, 1);
    pool.machines.take(1, 2000, 10_000, 0, 1);
    const large = pool.submit(aJob({ cores: 3000 })); // fits neither now; machine 0 has 8,192 MiB free
    const small = pool.submit(aJob({ cores: 1000 }));
    const next = pool.submit(aJob({ cores: 3000, memory: 10_000 })); // only machine 1 could hold it
    const last = pool.submit(aJob({ cores: 1000 }));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual([small]);
    expect(placementOf(pool, small)).toEqual([{ machine: 1, tasks: 1 }]);
    pool.cancel(large);
    pool.cancel(next);
    pool.cycle(1);
    expect(startedOf(pool)).toEqual([last]);
    expect(placementOf(pool, last)).toEqual([{ machine: 0, tasks: 1 }]);
  });

  it("are made for each task that found no machine", () => {
    const pool = aPool("first-fit", equalMachines(4, { cores: 2000 }));
    for (const machine of [0, 1, 2]) pool.machines.take(machine, 1000, 0, 0, 1);
    // Of the four tasks one has room, on machine 3: the first three machines are reserved.
    pool.submit(aJob({ cores: 2000, tasks: 4 }));
    const small = [1, 2, 3].map(() => pool.submit(aJob({ cores: 1000 })));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual(small.slice(0, 2));
    for (const job of startedOf(pool)) expect(placementOf(pool, job)).toEqual([{ machine: 3, tasks: 1 }]);
  });
});

describe("lookahead", () => {
  it("prefers, after the first job, those that together fill what is free", () => {
    const pool = aPool("lookahead", equalMachines(1, { cores: 10_000 }), { reserving: 0 });
    const [first, , exact, alsoExact] = [3, 5, 4, 3].map((cores) =>
      pool.submit(aJob({ cores: cores * 1000 })),
    );
    pool.cycle(0);
    expect(startedOf(pool)).toEqual([first, exact, alsoExact]);
  });
});

describe("either-order", () => {
  const sizes = [5, 4, 6, 2, 2, 1];

  it("takes the first job and then the smallest, if that starts more", () => {
    const pool = aPool("either-order", equalMachines(1, { cores: 10_000 }));
    const [first, , , two, alsoTwo, one] = sizes.map((cores) => pool.submit(aJob({ cores: cores * 1000 })));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual([first, one, two, alsoTwo]);
  });

  it("keeps the queue's order if the other starts as many", () => {
    const pool = aPool("either-order", equalMachines(1, { cores: 10_000 }));
    const [first, second] = [5, 5, 4].map((cores) => pool.submit(aJob({ cores: cores * 1000 })));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual([first, second]);
  });

  it("measures by what is free, and keeps the queue's order among equals", () => {
    // Of ten cores and 16 GiB: 0.1 + 0.9 against 0.4 + 0, so the wide ones are the smaller.
    const pool = aPool("either-order", equalMachines(1, { cores: 10_000, memory: 16_384 }));
    const [first, heavy, , wide, alsoWide] = [
      { cores: 1000, memory: 1638 },
      { cores: 1000, memory: 14_746 },
      { cores: 5000, memory: 0 },
      { cores: 4000, memory: 0 },
      { cores: 4000, memory: 0 },
    ].map((request) => pool.submit(aJob(request)));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual([first, wide, alsoWide, heavy]);
  });

  it("lets only the first job keep a machine free", () => {
    const pool = aPool("either-order", equalMachines(2, { cores: 4000 }));
    const blockers = [3, 3].map((cores) => pool.submit(aJob({ cores: cores * 1000 })));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual(blockers);
    const [first, , small] = [4, 4, 1, 1].map((cores) => pool.submit(aJob({ cores: cores * 1000 })));
    pool.cycle(30);
    // One machine is reserved for the first job, and none for the second.
    expect(startedOf(pool)).toEqual([small]);
    pool.finish(blockers[0]);
    pool.cycle(60);
    expect(startedOf(pool)).toEqual([first]);
  });
});
