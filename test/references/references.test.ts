import { describe, expect, it } from "vitest";

import { anyFarm, medium } from "./any-farm.fixture.ts";
import { backfill } from "./backfill.fixture.ts";
import { difference, heuristicsFor, inOrderOfJobs, referenceStarts } from "./compare.fixture.ts";
import { conservative, type PromiseRules } from "./conservative.fixture.ts";
import { easy, type EasyRules } from "./easy.fixture.ts";
import type { Farm, Size } from "./farm.fixture.ts";
import { fcfs } from "./fcfs.fixture.ts";
import { violations, violationsOfSets } from "./invariants.fixture.ts";
import { matching } from "./matching.fixture.ts";
import { heuristics } from "./place.fixture.ts";
import { familyNames, policyOf, referenceOf } from "./registry.fixture.ts";
import { replay, type MakeReference } from "./replay.fixture.ts";

const firstFit = heuristics["first-fit"];
const cores = (count: number): Size => ({ cores: count, memory: 0, gpus: 0 });

/** Machines of so many cores; jobs of submit time, run time, estimate, cores and tasks. */
function farmOf(
  machines: readonly number[],
  ...jobs: readonly (readonly [number, number, number, number, number?])[]
): Farm {
  return {
    machines: machines.map(cores),
    hasMemory: false,
    jobs: jobs.map(([submit, runtime, estimate, task, tasks = 1], row) => ({
      number: row + 1,
      submit,
      runtime,
      estimate,
      tasks,
      task: cores(task),
    })),
  };
}

const starts = (farm: Farm, make: MakeReference) =>
  inOrderOfJobs(replay(farm, make)).map(({ start, machines }) => [start, ...machines]);

describe("worked by hand", () => {
  it("conservative: a long job leaves the machine that a promised job needs", () => {
    const farm = farmOf([8, 3], [0, 20, 20, 6], [0, 5, 5, 8], [0, 900, 900, 2]);
    // Job 2 is promised m1 at 20. Job 3 fits on m1 now, but not beside that; on m2 it does.
    expect(starts(farm, conservative(firstFit))).toEqual([
      [0, 0],
      [20, 0],
      [0, 1],
    ]);
  });

  it("conservative: a job moves only to an earlier start, else it stays on its machines", () => {
    // Jobs 1 and 2 fill both machines until 10 and 30; job 3 is promised m1 at 10, and job 4 m2 at 30.
    const farm = farmOf([2, 2], [0, 10, 10, 2], [0, 8, 30, 2], [1, 5, 5, 2], [1, 5, 5, 2]);
    // Job 4 would wait for job 3 until 15; job 2 ends at 8, so that job 3 moves to m2, and job 4 to m1 at 10.
    expect(starts(farm, conservative(firstFit))).toEqual([
      [0, 0],
      [0, 1],
      [8, 1],
      [10, 0],
    ]);
  });

  it("conservative: a promise is kept at a time at which nothing comes or ends", () => {
    // Job 3 is promised 20, behind job 1; job 4, promised 20 to 25 as well, takes m2.
    const farm = farmOf([4], [0, 4, 10, 3], [0, 30, 30, 1], [1, 5, 5, 4], [2, 3, 8, 1]);
    const [, , third] = inOrderOfJobs(replay(farm, conservative(firstFit)));
    expect([third.start, third.promised]).toEqual([30, 30]);
  });

  it("conservative: all tasks are placed by what is free when they start", () => {
    // Now m1 has 1 core free and m2 has 2; at 5 m1 has 4: best fit takes m2 first, then m1.
    const farm = farmOf([4, 4], [0, 5, 5, 3], [0, 50, 50, 2], [1, 4, 4, 2, 2]);
    expect(starts(farm, conservative(heuristics["best-fit-cores"]))[2]).toEqual([5, 1, 0]);
  });

  it("easy: a candidate goes to a machine that the head can never use", () => {
    const farm = farmOf([6, 2], [0, 10, 10, 5], [0, 30, 30, 6], [0, 500, 500, 1]);
    expect(starts(farm, easy(firstFit))).toEqual([
      [0, 0],
      [10, 0],
      [0, 1],
    ]);
    expect(starts(farm, easy(firstFit, { candidateMachines: "first choice" }))[2]).toEqual([10, 1]);
  });

  it("easy: of two like machines one is left to the head, whichever that is", () => {
    const farm = farmOf([4, 4], [0, 10, 10, 3], [0, 90, 90, 3], [0, 20, 20, 4], [0, 500, 500, 1]);
    expect(starts(farm, easy(firstFit))[3]).toEqual([0, 1]);
  });

  it("easy: with machines fixed for the head no candidate takes them, though others would do", () => {
    // At 10 both machines are free; first-fit gives the head m1.
    const farm = farmOf([4, 4], [0, 10, 10, 3], [0, 10, 10, 4], [0, 20, 20, 4], [0, 500, 500, 1]);
    expect(starts(farm, easy(firstFit))).toEqual([
      [0, 0],
      [0, 1],
      [10, 1],
      [0, 0],
    ]);
    expect(starts(farm, easy(firstFit, { headMachines: "fixed" }))[3]).toEqual([10, 1]);
  });

  it("backfill:1: only the first waiting job is promised, and a later one may be passed", () => {
    // Job 2 is promised 10 and job 3 nothing; job 4 would delay job 3's earliest time, 20, but not job 2.
    const farm = farmOf([4], [0, 10, 10, 3], [0, 10, 10, 3], [0, 10, 10, 4], [0, 40, 40, 1]);
    expect(starts(farm, backfill(1, firstFit)).map(([start]) => start)).toEqual([0, 10, 40, 0]);
    expect(starts(farm, backfill(2, firstFit)).map(([start]) => start)).toEqual([0, 10, 20, 30]);
  });

  it("the pool's cycle lets later jobs pass, and first come, first served does not", () => {
    const farm = farmOf([4], [0, 10, 10, 3], [0, 10, 10, 4], [0, 40, 40, 1]);
    expect(starts(farm, matching(firstFit)).map(([start]) => start)).toEqual([0, 40, 0]);
    expect(starts(farm, fcfs(firstFit)).map(([start]) => start)).toEqual([0, 10, 20]);
  });
});

/** Farms of the seeds from 1 on, each with one of the heuristics that it can have. */
function* farms(count: number): Generator<{ farm: Farm; heuristic: string }> {
  for (let seed = 1; seed <= count; seed++) {
    const farm = anyFarm(seed);
    const names = heuristicsFor(farm);
    yield { farm, heuristic: names[seed % names.length] };
  }
}

describe("on random farms", () => {
  it("no machine is overfull, no job is lost, and no job starts later than it was first promised", () => {
    for (const { farm, heuristic } of farms(300))
      for (const family of familyNames) {
        const runs = replay(farm, referenceOf(policyOf(family, heuristic)));
        expect(violations(farm, runs)).toEqual([]);
        expect(runs.filter(({ start, promised }) => promised !== null && start > promised)).toEqual([]);
      }
  });

  it("the same holds on a larger farm", () => {
    const farm = anyFarm(2, medium);
    for (const family of familyNames) {
      const runs = replay(farm, referenceOf(policyOf(family, "best-fit-cores")));
      expect(violations(farm, runs)).toEqual([]);
      expect(runs.filter(({ start, promised }) => promised !== null && start > promised)).toEqual([]);
    }
  });

  it("backfill:N with a promise for every job is conservative, promises included", () => {
    for (const { farm, heuristic } of farms(500))
      expect(replay(farm, backfill(1000, heuristics[heuristic]))).toEqual(
        replay(farm, conservative(heuristics[heuristic])),
      );
  });

  it("with exact estimates on one machine, backfill:1 is EASY, and conservative keeps the first promise to the second", () => {
    for (const { farm: any } of farms(500)) {
      const farm: Farm = {
        ...any,
        machines: any.machines.slice(0, 1),
        jobs: any.jobs
          .map((job) => ({ ...job, estimate: job.runtime, tasks: 1 }))
          .filter(({ task }) =>
            (["cores", "memory", "gpus"] as const).every((of) => task[of] <= any.machines[0][of]),
          )
          .map((job, row) => ({ ...job, number: row + 1 })),
      };
      expect(referenceStarts(farm, backfill(1, firstFit))).toEqual(referenceStarts(farm, easy(firstFit)));
      for (const { start, promised } of replay(farm, conservative(firstFit))) expect(start).toBe(promised);
    }
  });
});

describe("a comparison finds", () => {
  const isFound = (one: (heuristic: string) => MakeReference, other: (heuristic: string) => MakeReference) =>
    [...farms(300)].some(
      ({ farm, heuristic }) =>
        difference(referenceStarts(farm, one(heuristic)), referenceStarts(farm, other(heuristic))) !== null,
    );

  const promiseFaults: readonly Partial<PromiseRules>[] = [
    { freed: "latest start first" },
    { placedAgainAfter: "early ends" },
    { placedAgain: "last first" },
    { come: "after what is freed" },
    { stays: "on the machines of the new place" },
  ];
  it.each(promiseFaults)("a fault of conservative, %o", (fault) => {
    expect(
      isFound(
        (name) => conservative(heuristics[name]),
        (name) => conservative(heuristics[name], fault),
      ),
    ).toBe(true);
  });
  it.each(promiseFaults)("a fault of backfill:2, %o", (fault) => {
    expect(
      isFound(
        (name) => backfill(2, heuristics[name]),
        (name) => backfill(2, heuristics[name], fault),
      ),
    ).toBe(true);
  });

  const easyFaults: readonly Partial<EasyRules>[] = [
    { candidates: "shortest estimate first" },
    { headMachines: "fixed" },
    { candidateMachines: "first choice" },
  ];
  it.each(easyFaults)("a fault of easy, %o", (fault) => {
    expect(
      isFound(
        (name) => easy(heuristics[name]),
        (name) => easy(heuristics[name], fault),
      ),
    ).toBe(true);
  });

  it.each([1, 2, 3])("a promise too many of backfill:%d", (depth) => {
    expect(
      isFound(
        (name) => backfill(depth, heuristics[name]),
        (name) => backfill(depth + 1, heuristics[name]),
      ),
    ).toBe(true);
  });

  it.each(familyNames)("another order of the machines, %s", (family) => {
    const inReverse = (farm: Farm): Farm => ({ ...farm, machines: farm.machines.toReversed() });
    const policy = referenceOf(policyOf(family, "first-fit"));
    const finds = [...farms(100)].some(
      ({ farm }) =>
        difference(referenceStarts(farm, policy), referenceStarts(inReverse(farm), policy)) !== null,
    );
    expect(finds).toBe(true);
  });

  it("a machine beyond its capacity", () => {
    const farm = anyFarm(1, medium);
    const right = referenceStarts(farm, fcfs(firstFit));
    const atOnce = right.map(({ machines }, row) => ({ start: farm.jobs[row].submit, machines }));
    expect(violationsOfSets(farm, right)).toEqual([]);
    expect(violationsOfSets(farm, atOnce).length).toBeGreaterThan(0);
  });
});
