import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  CANCEL,
  DUPLICATE,
  FarmCore,
  findPolicy,
  findRouting,
  findStrategy,
  findVictimRule,
  IN_TRANSFER,
  MOVE,
  NONE,
  RESUME,
  RUNNING,
  START,
  strategies,
  SUSPEND,
  SUSPENDED,
  WAITING,
  ORDINARY,
  type FarmJobRequest,
  type PackingSettings,
} from "../index.ts";

const { kind: policy, heuristic } = findPolicy("first-fit")!;

/** Two pools of two machines each with 2 cores and 1 GiB, of which the first has an owner. */
function aFarm(
  strategy: string,
  keepsMemory: boolean,
  transferSeconds = 0,
  packing: PackingSettings | null = null,
): FarmCore {
  const pool = (site: number): ConstructorParameters<typeof FarmCore>[0]["pools"][number] => ({
    capacities: {
      coresMilli: Int32Array.of(2000, 2000),
      memoryMiB: Int32Array.of(1024, 1024),
      gpuMilli: null,
      groupOf: Int32Array.of(0, 1),
    },
    policy,
    heuristic,
    site,
    // 1 and 2 are for machines of the group 0 and 1.
    groups: { count: 2, meets: (requirement, group) => requirement === group + 1 },
    ...(packing === null ? {} : { packing }),
    ownerOf: Int32Array.of(1, 0),
    speedOf: Float64Array.of(1, 1),
  });
  let draws = 0;
  return new FarmCore({
    pools: [pool(0), pool(1)],
    virtualPools: [{ site: 0, pools: [0, 1], routing: findRouting("round-robin")!, viewAgeSeconds: 0 }],
    transferSeconds: [
      [0, transferSeconds],
      [transferSeconds, 0],
    ],
    candidateLists: [null],
    priorities: 3,
    preemption: { rule: findVictimRule("lowest-priority")!, keepsMemory },
    strategy: findStrategy(strategy)!,
    waitThresholdSeconds: 20,
    maxRestarts: 5,
    random: (below) => draws++ % below,
  });
}

function aJob(job: Partial<FarmJobRequest> = {}): FarmJobRequest {
  return {
    cores: 1000,
    memory: 256,
    gpu: 0,
    tasks: 1,
    project: 0,
    heuristic: NONE,
    estimateSeconds: 60,
    virtualPool: 0,
    candidates: 0,
    priority: 0,
    ...job,
  };
}

/** Something that happens to a farm; the number picks the job. */
type Happening =
  | { readonly kind: "submit"; readonly request: FarmJobRequest }
  | { readonly kind: "finish" | "refuse" | "arrive"; readonly pick: number }
  | { readonly kind: "look" };

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("submit" as const),
      request: fc
        .record({
          cores: fc.constantFrom(1000, 2000),
          memory: fc.constantFrom(0, 256, 768),
          tasks: fc.constantFrom(1, 1, 1, 2),
          priority: fc.nat(2),
          owner: fc.nat(1),
          family: fc.nat(2),
          requirement: fc.constantFrom(0, 0, 0, 1, 2),
        })
        .map(aJob),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("finish", "refuse", "arrive"), pick: fc.nat(1000) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "look" as const }) },
);

/** What a driver knows of the jobs: only what it was told. */
class Follower {
  readonly farm: FarmCore;
  readonly alive = new Map<number, "waits" | "runs" | "suspended" | "travels">();
  constructor(farm: FarmCore) {
    this.farm = farm;
  }

  follow(): void {
    const { decisions } = this.farm;
    for (let i = 0; i < decisions.length; i++) {
      const job = decisions.job[i];
      const is = this.alive.get(job);
      switch (decisions.kind[i]) {
        case START:
          expect(is).toBe("waits");
          this.alive.set(job, "runs");
          break;
        case SUSPEND:
          expect(is).toBe("runs");
          this.alive.set(job, "suspended");
          break;
        case RESUME:
          expect(is).toBe("suspended");
          this.alive.set(job, "runs");
          break;
        case MOVE:
          if (decisions.other[i] !== NONE) expect(is === "suspended" || is === "waits").toBe(true);
          this.alive.set(job, decisions.seconds[i] > 0 ? "travels" : "waits");
          break;
        case DUPLICATE:
          expect(this.alive.has(decisions.other[i])).toBe(false);
          this.alive.set(decisions.other[i], decisions.seconds[i] > 0 ? "travels" : "waits");
          break;
        case CANCEL:
          expect(this.alive.delete(job)).toBe(true);
          break;
      }
    }
    decisions.clear();
  }

  /** The jobs that start do so on machines that meet their requirements and were not another family's. */
  checkStarts(from: number, reservedBefore: Uint8Array): void {
    const { decisions, farmJobs, pools } = this.farm;
    for (let i = from; i < decisions.length; i++) {
      if (decisions.kind[i] !== START) continue;
      const { machines, placements, jobs } = pools[decisions.pool[i]].pool;
      const job = decisions.job[i];
      for (let entry = farmJobs.jobs.placement[job]; entry !== NONE; entry = placements.next[entry]) {
        const machine = placements.machine[entry];
        const requirement = jobs.requirement[job];
        if (requirement !== 0) expect(machines.groupOf[machine]).toBe(requirement - 1);
        const reservedTo = reservedBefore[machine] ?? ORDINARY;
        if (reservedTo !== ORDINARY) expect(reservedTo).toBe(jobs.family[job]);
      }
    }
  }

  /** Where families are is where their jobs run or are suspended. */
  private checkPacking(number: number): void {
    const { farmJobs, pools } = this.farm;
    const { packing, machines, placements, jobs } = pools[number].pool;
    if (packing === null) return;
    const tasks = new Int32Array(3 * machines.count);
    for (const [job, is] of this.alive) {
      if (farmJobs.pool[job] !== number || (is !== "runs" && is !== "suspended")) continue;
      for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.next[entry]) {
        const machine = placements.machine[entry];
        tasks[machine] += placements.tasks[entry];
        if (jobs.family[job] !== ORDINARY)
          tasks[jobs.family[job] * machines.count + machine] += placements.tasks[entry];
      }
    }
    expect(packing.tasks).toEqual(tasks);
    packing.reservedTo.forEach((family, machine) => {
      if (family !== ORDINARY) expect(tasks[family * machines.count + machine]).toBeGreaterThan(0);
    });
  }

  /** What every pool holds is what its jobs hold, and the states are those that were told. */
  check(): void {
    const { pools, farmJobs } = this.farm;
    const states = { waits: WAITING, runs: RUNNING, suspended: SUSPENDED, travels: IN_TRANSFER };
    for (const [job, is] of this.alive) expect(farmJobs.state[job]).toBe(states[is]);
    pools.forEach((pool, number) => {
      const { machines, placements } = pool.pool;
      const cores = Array.from(machines.capacityCores);
      const memory = Array.from(machines.capacityMemory);
      let waiting = 0;
      for (const [job, is] of this.alive) {
        if (farmJobs.pool[job] !== number) continue;
        if (is === "waits") waiting++;
        if (is !== "runs" && is !== "suspended") continue;
        for (let entry = farmJobs.jobs.placement[job]; entry !== NONE; entry = placements.next[entry]) {
          const machine = placements.machine[entry];
          if (is === "runs") cores[machine] -= farmJobs.jobs.cores[job] * placements.tasks[entry];
          if (is === "runs" || pool.keepsMemory)
            memory[machine] -= farmJobs.jobs.memory[job] * placements.tasks[entry];
        }
      }
      expect(Array.from(machines.freeCores)).toEqual(cores);
      expect(Array.from(machines.freeMemory)).toEqual(memory);
      expect(Math.min(...cores, ...memory)).toBeGreaterThanOrEqual(0);
      expect(pool.pool.waiting).toBe(waiting);
      this.checkPacking(number);
    });
  }
}

const anyPacking = fc.record({
  policy: fc.constantFrom("relaxed" as const, "exclusive" as const, "none" as const),
  families: fc.constant(2),
  ttlSeconds: fc.constant(Infinity),
});

describe("a farm to which anything happens", () => {
  it("keeps its books when starts are refused and jobs end suspended, waiting or on their way", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...strategies.map(({ name }) => name)),
        fc.boolean(),
        fc.constantFrom(0, 5),
        fc.option(anyPacking),
        fc.array(anyHappening, { maxLength: 60 }),
        (strategy, keepsMemory, transferSeconds, packing, happenings) => {
          const farm = aFarm(strategy, keepsMemory, transferSeconds, packing);
          const follower = new Follower(farm);
          let now = 0;
          const cycles = (): void => {
            for (let round = 0; farm.pools.some(({ isDirty }) => isDirty); round++) {
              expect(round).toBeLessThan(100);
              farm.pools.forEach((pool, number) => {
                if (!pool.isDirty) return;
                const reservedBefore = Uint8Array.from(pool.pool.packing?.reservedTo ?? []);
                const decided = farm.decisions.length;
                farm.cycle(number, now);
                follower.checkStarts(decided, reservedBefore);
              });
              follower.follow();
            }
            follower.check();
          };
          for (const happening of happenings) {
            now += 7;
            const pick = (is?: string): number | undefined => {
              const jobs = [...follower.alive].filter(([, each]) => is === undefined || each === is);
              return happening.kind === "finish" || happening.kind === "refuse" || happening.kind === "arrive"
                ? jobs[happening.pick % jobs.length]?.[0]
                : undefined;
            };
            if (happening.kind === "submit") {
              const job = farm.submit(happening.request, now);
              if (job !== NONE) follower.alive.set(job, "waits");
            } else if (happening.kind === "look") farm.look(now);
            else if (happening.kind === "refuse") {
              const job = pick("runs");
              if (job !== undefined) {
                farm.refuse(job, now);
                follower.alive.set(job, "waits");
              }
            } else if (happening.kind === "arrive") {
              const job = pick("travels");
              if (job !== undefined) {
                farm.arrived(job, now);
                follower.alive.set(job, "waits");
              }
            } else {
              const job = pick();
              if (job !== undefined) {
                follower.alive.delete(job);
                farm.finish(job, now);
              }
            }
            follower.follow();
            cycles();
          }
          // Whatever happened, all that is left can be run to its end.
          for (let round = 0; follower.alive.size > 0; round++) {
            expect(round).toBeLessThan(1000);
            now += 7;
            for (const [job, is] of follower.alive) {
              if (!follower.alive.has(job)) continue;
              if (is === "travels") {
                farm.arrived(job, now);
                follower.alive.set(job, "waits");
              } else if (is === "runs") {
                follower.alive.delete(job);
                farm.finish(job, now);
              } else continue;
              follower.follow();
              break;
            }
            cycles();
          }
          for (const { pool } of farm.pools) expect(pool.machines.totalFreeCores).toBe(4000);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("suspension, by hand", () => {
  it("takes the lowest priority first, then who has run for the shortest time, and no more than it must", () => {
    const farm = aFarm("NoRes", true);
    const run = (now: number, ...jobs: FarmJobRequest[]): number[] => {
      const handles = jobs.map((job) => {
        // Everything in the first pool: the turn goes round.
        const handle = farm.submit({ ...job, memory: 0 }, now);
        if (farm.farmJobs.pool[handle] === 0) return handle;
        farm.finish(handle, now);
        return farm.submit({ ...job, memory: 0 }, now);
      });
      farm.cycle(0, now);
      return handles;
    };
    const [oldLow, middle] = run(0, aJob(), aJob({ priority: 1 }));
    const [newLow, other] = run(10, aJob(), aJob({ priority: 1 }));
    farm.decisions.clear();
    const [urgent] = run(20, aJob({ priority: 2 }));
    expect(farm.pools[0].suspended).toEqual([newLow]);
    expect(farm.pools[0].started).toEqual([urgent]);
    const [second] = run(30, aJob({ priority: 1 }));
    expect(farm.pools[0].suspended).toEqual([oldLow]);
    expect(farm.pools[0].started).toEqual([second]);
    run(40, aJob({ priority: 1 }));
    expect(farm.pools[0].suspended).toEqual([]);
    expect([middle, other].every((job) => farm.farmJobs.state[job] === RUNNING)).toBe(true);
    // A waiting job of higher priority goes before the suspended ones.
    farm.finish(urgent, 50);
    farm.cycle(0, 50);
    expect(farm.pools[0].resumed).toEqual([]);
    expect(farm.pools[0].started.length).toBe(1);
  });
});
