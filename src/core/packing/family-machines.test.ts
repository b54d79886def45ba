import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ORDINARY } from "../index.ts";
import { aJob, aPool, equalMachines, placementOf, startedOf, type DrivenPool } from "../pool/pool.fixture.ts";
import type { PackingSettings } from "./settings.ts";

const exclusive = (ttlSeconds = Infinity): PackingSettings => ({
  policy: "exclusive",
  families: 2,
  ttlSeconds,
});
const nodes = (count: number, cores = 2000): ReturnType<typeof equalMachines> =>
  equalMachines(count, { cores });

/** Submits a job and runs a cycle: the machine it starts on, or undefined. */
function machineOf(pool: DrivenPool, now: number, family: number, cores = 1000): number | undefined {
  const job = pool.submit(aJob({ family, cores }));
  pool.cycle(now);
  return startedOf(pool).includes(job) ? placementOf(pool, job)[0].machine : undefined;
}

describe("a pool that packs", () => {
  it("relaxed: a family's jobs go where its jobs run, the others where the heuristic says", () => {
    const packing = { policy: "relaxed", families: 2, ttlSeconds: 0 } as const;
    const pool = aPool("worse-fit-cores", nodes(3), { packing });
    expect(machineOf(pool, 0, 1)).toBe(0);
    expect(machineOf(pool, 0, 2)).toBe(1);
    expect(machineOf(pool, 0, 1)).toBe(0);
    expect(machineOf(pool, 0, ORDINARY)).toBe(2);
    expect(machineOf(pool, 0, 1)).toBe(1);
  });

  it("spreading: a family's jobs go where none of its jobs is, as long as there is such a machine", () => {
    const packing = { policy: "none", families: 2, ttlSeconds: 0 } as const;
    const pool = aPool("first-fit", nodes(2), { packing });
    expect(machineOf(pool, 0, 1)).toBe(0);
    expect(machineOf(pool, 0, 1)).toBe(1);
    expect(machineOf(pool, 0, 2)).toBe(0);
    expect(machineOf(pool, 0, ORDINARY)).toBe(1);
  });

  it("exclusive: a machine with a family's jobs is for that family", () => {
    const pool = aPool("first-fit", nodes(3), { packing: exclusive() });
    expect(machineOf(pool, 0, 1)).toBe(0);
    expect(machineOf(pool, 0, ORDINARY)).toBe(1);
    expect(machineOf(pool, 0, 2)).toBe(1);
    expect(machineOf(pool, 0, ORDINARY)).toBe(2);
    expect(machineOf(pool, 0, ORDINARY)).toBe(2);
    expect(machineOf(pool, 0, ORDINARY)).toBeUndefined();
    expect(machineOf(pool, 0, 2)).toBeUndefined();
    expect(machineOf(pool, 0, 1)).toBe(0);
  });

  it("a reserved machine that no packed job has reached for its time to live is free, at a time that is known", () => {
    const pool = aPool("first-fit", nodes(1, 4000), { packing: exclusive(100) });
    expect(pool.nextChange).toBe(Infinity);
    expect(machineOf(pool, 0, 1)).toBe(0);
    expect(pool.nextChange).toBe(100);
    expect(machineOf(pool, 50, 1)).toBe(0);
    expect(pool.nextChange).toBe(150);
    expect(machineOf(pool, 149, ORDINARY)).toBeUndefined();
    pool.cycle(150);
    expect(pool.startedCount).toBe(1);
    expect(pool.nextChange).toBe(Infinity);
    // It is reserved again for the family that reaches it next.
    expect(machineOf(pool, 160, 2)).toBe(0);
    expect(pool.packing!.reservedTo[0]).toBe(2);
  });

  it("is no longer reserved once the family's last job has left", () => {
    const pool = aPool("first-fit", nodes(1), { packing: exclusive(100) });
    const packed = pool.submit(aJob({ family: 1 }));
    pool.cycle(0);
    expect(machineOf(pool, 1, ORDINARY)).toBeUndefined();
    pool.finish(packed);
    expect(pool.nextChange).toBe(Infinity);
    pool.cycle(2);
    expect(pool.startedCount).toBe(1);
  });

  it("keeps a parallel job together, and spreads it where that is asked for", () => {
    for (const [policy, expected] of [
      [
        "exclusive",
        [
          [0, 2],
          [1, 1],
        ],
      ],
      [
        "none",
        [
          [0, 1],
          [1, 1],
          [0, 1],
        ],
      ],
    ] as const) {
      const pool = aPool("first-fit", nodes(2), { packing: { policy, families: 1, ttlSeconds: Infinity } });
      const job = pool.submit(aJob({ family: 1, tasks: 3 }));
      pool.cycle(0);
      expect(placementOf(pool, job).map(({ machine, tasks }) => [machine, tasks])).toEqual(expected);
    }
  });
});

const policies = [
  "first-fit",
  "max-jobs",
  "lookahead/best-fit-cores",
  "easy",
  "easy-sjbf",
  "conservative",
  "fcfs",
];

const anyEvents = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("submit" as const),
        family: fc.nat(2),
        cores: fc.constantFrom(500, 1000, 2000),
        tasks: fc.constantFrom(1, 1, 1, 2, 4),
        estimateSeconds: fc.nat(60),
        // 1 and 2: on machines of the group 0 or 1.
        requirement: fc.constantFrom(0, 0, 0, 1, 2),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("cycle" as const),
        refuse: fc.array(fc.boolean(), { maxLength: 4 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom("finish" as const, "cancel" as const), which: fc.nat() }),
    },
  ),
  { maxLength: 70, size: "max" },
);

describe.each(policies)("packing under %s, whatever happens", (policy) => {
  it("counts what runs, and starts no job on another family's machine or one that it may not use", () => {
    const anyPacking = fc.record({
      policy: fc.constantFrom("relaxed" as const, "exclusive" as const, "none" as const),
      families: fc.constant(2),
      ttlSeconds: fc.constantFrom(0, 15, Infinity),
    });
    fc.assert(
      fc.property(anyEvents, anyPacking, (events, packing) => {
        const machines = {
          ...equalMachines(3, { cores: 3000, memory: 4096 }),
          groupOf: Int32Array.of(0, 1, 0),
        };
        const groups = { count: 2, meets: (requirement: number, group: number) => requirement === group + 1 };
        const pool = aPool(policy, machines, { packing, groups });
        // The same pool with plain scans decides the same.
        const plain = aPool(policy, machines, { packing, groups, plainScan: true });
        const { count, groupOf } = pool.machines;
        const waiting: number[] = [];
        const running: number[] = [];
        let now = 0;
        for (const event of events) {
          if (event.kind === "submit") {
            const { kind: _, ...request } = event;
            const asked = aJob({ ...request, memory: 100 });
            if (pool.ineligible(asked) !== null) continue;
            waiting.push(pool.submit(asked));
            plain.submit(asked);
          } else if (event.kind === "cycle") {
            const { refuse } = event;
            now += 10;
            const due = pool.nextChange;
            const reservedBefore = Uint8Array.from(pool.packing!.reservedTo);
            pool.cycle(now);
            plain.cycle(now);
            expect(startedOf(plain)).toEqual(startedOf(pool));
            expect(pool.nextChange).toBeGreaterThan(now);
            startedOf(pool).forEach((job, i) => {
              const family = pool.jobs.familyOf(job);
              expect(placementOf(plain, job)).toEqual(placementOf(pool, job));
              const requirement = pool.jobs.requirementOf(job);
              for (const { machine } of placementOf(pool, job)) {
                if (requirement !== 0) expect(groupOf[machine]).toBe(requirement - 1);
                const wasReserved = reservedBefore[machine] !== ORDINARY && due > now;
                if (wasReserved) expect(reservedBefore[machine]).toBe(family);
              }
              if (refuse[i]) {
                pool.refuse(job);
                plain.refuse(job);
              } else {
                waiting.splice(waiting.indexOf(job), 1);
                running.push(job);
              }
            });
          } else if (event.kind === "finish") {
            const [job] = running.splice(event.which % Math.max(1, running.length), 1);
            if (job === undefined) continue;
            pool.finish(job);
            plain.finish(job);
          } else {
            const [job] = waiting.splice(event.which % Math.max(1, waiting.length), 1);
            if (job === undefined) continue;
            pool.cancel(job);
            plain.cancel(job);
          }
          const tasks = new Int32Array(3 * count);
          const cores = [0, 0, 0];
          for (const job of running) {
            const family = pool.jobs.familyOf(job);
            for (const entry of placementOf(pool, job)) {
              tasks[entry.machine] += entry.tasks;
              if (family === ORDINARY) continue;
              tasks[family * count + entry.machine] += entry.tasks;
              cores[family] += pool.jobs.coresOf(job) * entry.tasks;
            }
          }
          expect(pool.packing!.tasks).toEqual(tasks);
          expect(Array.from(pool.packing!.coresHeld)).toEqual(cores);
          for (const family of [1, 2]) {
            const used = tasks.subarray(family * count, (family + 1) * count).filter((n) => n > 0).length;
            expect(pool.packing!.machinesUsed[family]).toBe(used);
          }
          pool.packing!.reservedTo.forEach((family, machine) => {
            if (packing.policy !== "exclusive") expect(family).toBe(ORDINARY);
            if (family !== ORDINARY) expect(tasks[family * count + machine]).toBeGreaterThan(0);
          });
        }
      }),
      { numRuns: 40 },
    );
  });
});
