import { describe, expect, it } from "vitest";

import { findHeuristic, MachineState } from "../../src/core/index.ts";
import { aJob, aPool, equalMachines, placementOf, startedOf } from "../../src/core/pool/pool.fixture.ts";
import { simulate } from "../../src/simulation/index.ts";
import { aFarm, aWorkload, type JobSpec } from "../../src/simulation/workload.fixture.ts";

const GIB = 1024;
/** Each machine of the figures. */
const machine = { cores: 4000, memory: 32 * GIB };
const fits = ["best-fit-cores", "best-fit-memory", "worse-fit-cores", "worse-fit-memory", "mix-fit"];

interface Ask {
  readonly cores: number;
  readonly memory: number;
}
const times = (n: number, cores: number, gib: number): Ask[] =>
  Array.from({ length: n }, () => ({ cores: cores * 1000, memory: gib * GIB }));

/** Each job's machine, or null: one cycle of a pool of A and B. */
function matchedByPool(policy: string, jobs: readonly Ask[], plainScan: boolean): (string | null)[] {
  const pool = aPool(policy, equalMachines(2, machine), { plainScan });
  const handles = jobs.map((job) => pool.submit(aJob(job)));
  pool.cycle(0);
  const started = new Set(startedOf(pool));
  expect(pool.waiting).toBe(jobs.length - started.size);
  return handles.map((job) => (started.has(job) ? "AB"[placementOf(pool, job)[0].machine] : null));
}

/** Each job's machine, or null where it does not start at once: a replay on A and B. */
function matchedByReplay(policy: string, jobs: readonly JobSpec[]): (string | null)[] {
  const { schedule } = simulate(
    aWorkload(jobs),
    aFarm([machine, machine]),
    { policy },
    { keepMachines: true },
  );
  return Array.from(schedule.startSeconds, (start, row) =>
    start === 0 ? "AB"[schedule.machines!.of(row)[0]] : null,
  );
}

describe.each([
  ["a pool's cycle", (policy: string, jobs: readonly Ask[]) => matchedByPool(policy, jobs, false)],
  ["a plain scan", (policy: string, jobs: readonly Ask[]) => matchedByPool(policy, jobs, true)],
  ["a replay", matchedByReplay],
] as const)("Shai 2014, by %s", (_, matched) => {
  const figure31 = [...times(2, 1, 16), ...times(6, 1, 4)];
  it.each(["best-fit-cores", "best-fit-memory"])("Fig. 3.1: %s matches 6, two on A, four on B", (policy) => {
    expect(matched(policy, figure31)).toEqual(["A", "A", "B", "B", "B", "B", null, null]);
  });
  it.each(["worse-fit-cores", "worse-fit-memory", "mix-fit"])("Fig. 3.1: %s matches all 8", (policy) => {
    const machines = matched(policy, figure31);
    expect(machines.slice(0, 2)).toEqual(["A", "B"]);
    expect(machines.filter((each) => each === "A")).toHaveLength(4);
    expect(machines.filter((each) => each === "B")).toHaveLength(4);
  });

  const figure32 = [...times(3, 1, 8), ...times(1, 1, 32)];
  it.each(["worse-fit-cores", "worse-fit-memory"])("Fig. 3.2: %s matches 3", (policy) => {
    expect(matched(policy, figure32)).toEqual(["A", "B", "A", null]);
  });
  it.each(["best-fit-cores", "best-fit-memory", "mix-fit"])("Fig. 3.2: %s matches all 4", (policy) => {
    expect(matched(policy, figure32)).toEqual(["A", "A", "A", "B"]);
  });

  it("Max-Jobs matches all of both", () => {
    expect(matched("max-jobs", figure31)).not.toContain(null);
    expect(matched("max-jobs", figure32)).not.toContain(null);
  });
});

describe("Shai 2014, Fig. 4.1", () => {
  const next = { cores: 1000, memory: 8 * GIB };

  it("the angles of A, B and C are 45°, 0° and 45°", () => {
    const machines = new MachineState(equalMachines(3, machine));
    machines.take(0, 1000, 24 * GIB, 0, 1);
    machines.take(1, 1000, 8 * GIB, 0, 2);
    machines.take(2, 2000, 4 * GIB, 0, 1);
    machines.take(2, 1000, 4 * GIB, 0, 1);
    const score = (each: number): number =>
      findHeuristic("mix-fit")!.score(machines, each, next.cores, next.memory, 0);
    const degrees = [0, 1, 2].map((each) => (Math.atan(score(each)) * 180) / Math.PI);
    expect(degrees).toEqual([45, 0, 45]);
  });

  it.each([false, true])("Mix-Fit selects B (plain scan: %s)", (plainScan) => {
    const pool = aPool("mix-fit", equalMachines(3, machine), { plainScan });
    pool.machines.take(0, 1000, 24 * GIB, 0, 1);
    pool.machines.take(1, 1000, 8 * GIB, 0, 2);
    pool.machines.take(2, 2000, 4 * GIB, 0, 1);
    pool.machines.take(2, 1000, 4 * GIB, 0, 1);
    const job = pool.submit(aJob(next));
    pool.cycle(0);
    expect(placementOf(pool, job)).toEqual([{ machine: 1, tasks: 1 }]);
  });

  it("Mix-Fit selects B in a replay whose first jobs make that state", () => {
    const gib = (cores: number, memory: number, policy: string, submit = 0): JobSpec => ({
      submit,
      run: 1000,
      cores: cores * 1000,
      memory: memory * GIB,
      policy,
    });
    const jobs = [
      gib(1, 24, "first-fit"), // A
      gib(1, 8, "worse-fit-cores"), // B
      gib(1, 8, "mix-fit"), // B: as balanced as on C, and before it
      gib(2, 4, "worse-fit-cores"), // C
      gib(1, 4, "worse-fit-memory"), // C
      gib(1, 8, "", 60),
    ];
    const ran = (policy: string): number[] => {
      const farm = aFarm([machine, machine, machine]);
      const { schedule } = simulate(aWorkload(jobs), farm, { policy }, { keepMachines: true });
      return jobs.flatMap((_, row) => schedule.machines!.of(row));
    };
    expect(ran("mix-fit")).toEqual([0, 1, 1, 2, 2, 1]);
    expect(ran("first-fit")).toEqual([0, 1, 1, 2, 2, 0]);
    expect(ran("worse-fit-memory")).toEqual([0, 1, 1, 2, 2, 2]);
  });
});

describe("ties", () => {
  it.each(fits)("%s: the first machine in pool order", (policy) => {
    const pool = aPool(policy, equalMachines(3, machine));
    const job = pool.submit(aJob({ memory: 1 }));
    pool.cycle(0);
    expect(placementOf(pool, job)).toEqual([{ machine: 0, tasks: 1 }]);
  });
});
