import { describe, expect, it } from "vitest";

import { InputError, type Farm, type PhysicalPool } from "../workload/index.ts";
import { explainJob } from "./explain/explain-job.ts";
import { aPoolOf, farmOf, runFarm } from "./farm.fixture.ts";
import { simulate } from "./simulate.ts";
import { aFarm, aWorkload, type JobSpec } from "./workload.fixture.ts";

function aPoolWith(
  licences: Readonly<Record<string, number>>,
  pool: Partial<PhysicalPool> = {},
): PhysicalPool {
  const list = Object.entries(licences).map(([name, count]) => ({ name, count }));
  return aPoolOf("p", [{ count: 8 }], { licences: list, ...pool });
}

function startsOf(jobs: readonly JobSpec[], farm: Farm): number[] {
  return Array.from(runFarm(aWorkload(jobs), farm).startSeconds);
}

/** Two of three licences are in use until 100 s, one until 50 s; machines are free all the time. */
const jobs: JobSpec[] = [
  { run: 100, licences: "matlab=2" },
  { run: 50, licences: "matlab" },
  { submit: 1, run: 10, licences: "matlab:2, vcs:1" },
  { submit: 2, run: 10, licences: "matlab" },
  { submit: 3, run: 10 },
];

describe("licences in a run", () => {
  it("jobs hold them from their start to their end, and jobs without pass those that wait", () => {
    expect(startsOf(jobs, farmOf([aPoolWith({ matlab: 3, vcs: 1 })]))).toEqual([0, 0, 100, 50, 3]);
    // As many as are asked for together: as if there were none.
    expect(startsOf(jobs, farmOf([aPoolWith({ matlab: 9, vcs: 9 })]))).toEqual([0, 0, 1, 2, 3]);
  });

  it("where no pool has any, and on a list of machines, they do not count", () => {
    expect(startsOf(jobs, farmOf([aPoolWith({})]))).toEqual([0, 0, 1, 2, 3]);
    const { schedule } = simulate(aWorkload(jobs), aFarm([{ cores: 8000 }]), { intervalSeconds: 0 });
    expect(Array.from(schedule.startSeconds)).toEqual([0, 0, 1, 2, 3]);
  });

  it("jobs go to a pool that has what they ask for, and are rejected if none has", () => {
    const farm = farmOf([
      aPoolWith({ matlab: 1 }, { name: "a" }),
      aPoolWith({ matlab: 2 }, { name: "b" }),
      aPoolOf("c", [{}]),
    ]);
    const asked: JobSpec[] = [{ licences: "matlab=2" }, { licences: "matlab=3" }, { licences: "matlap" }];
    const { result, startSeconds } = runFarm(aWorkload(asked), farm);
    expect(Array.from(startSeconds)).toEqual([0, NaN, NaN]);
    expect(result.rejections).toEqual([
      { reason: "asks for 1 of the licence matlap; the pool has none", jobs: 1 },
      {
        reason:
          "in a: asks for 3 of the licence matlab; the pool has 1, and " +
          "in b: asks for 3 of the licence matlab; the pool has 2, and in c: asks for 3 of the licence matlab; the pool has none",
        jobs: 1,
      },
    ]);
  });

  it("a suspended job keeps them; one that lacks them suspends nobody", () => {
    const one = farmOf([aPoolOf("p", [{}], { licences: [{ name: "x", count: 1 }] })]);
    const urgent = { submit: 10, run: 20, priority: 1 };
    // The first holds the only licence, so the urgent one waits for its end: to suspend it would not help.
    expect(
      startsOf(
        [
          { run: 100, licences: "x" },
          { ...urgent, licences: "x" },
        ],
        one,
      ),
    ).toEqual([0, 100]);
    // An urgent one without licences suspends it from 10 to 30 s; the third waits for the licence that it keeps,
    // though the other machine is free.
    const machines = [{ attributes: { a: true } }, { attributes: { a: false } }];
    const two = farmOf([aPoolOf("p", machines, { licences: [{ name: "x", count: 1 }] })]);
    const late = { submit: 20, run: 5, licences: "x" };
    const kept = [{ run: 100, licences: "x" }, { ...urgent, requires: "a" }, late];
    expect(startsOf(kept, two)).toEqual([0, 10, 120]);
  });

  it("a virtual pool with a queue keeps jobs whose licences are in use", () => {
    const farm = farmOf([aPoolWith({ x: 1 }, { name: "a" }), aPoolWith({ x: 1 }, { name: "b" })], {
      virtualPool: { hasQueue: true },
    });
    const asked = [100, 50, 10, 10].map((run): JobSpec => ({ run, licences: "x" }));
    // The third and the fourth come to pool b one after the other: neither waits in pool a.
    expect(startsOf(asked, farm)).toEqual([0, 0, 50, 60]);
  });

  it.each(["easy-sjbf", "easy-sjbf/mix-fit"])(
    "%s is refused in a pool with licences that jobs ask for",
    (policy) => {
      const memory = { count: 4, memoryMiB: 1024 };
      const pool = aPoolOf("p", [memory], { policy, licences: [{ name: "x", count: 1 }] });
      const without = aPoolOf("q", [memory], { policy });
      const plain = { memory: 0, estimate: 60 };
      const farm = farmOf([pool]);
      expect(() => runFarm(aWorkload([{ ...plain, licences: "x" }]), farm)).toThrow(InputError);
      expect(() => runFarm(aWorkload([{ ...plain, licences: "x" }]), farm)).toThrow(
        `policy ${policy} promises jobs when they will start`,
      );
      expect(Array.from(runFarm(aWorkload([plain]), farm).startSeconds)).toEqual([0]);
      // Beside a pool that has licences it runs in one that has none.
      const mixed = farmOf([{ ...pool, policy: "first-fit" }, without]);
      expect(startsOf([{ ...plain, licences: "x" }, plain], mixed)).toEqual([0, 0]);
    },
  );

  it("an explanation says which licences are in use", () => {
    const { steps, startSeconds } = explainJob(
      3,
      aWorkload(jobs),
      farmOf([aPoolWith({ matlab: 3, vcs: 1 })]),
    );
    expect(startSeconds).toBe(100);
    expect(steps[0]).toMatchObject({ doing: "waiting", fromSeconds: 1, toSeconds: 100 });
    // It says nothing of the machines, five of which are free.
    expect(steps[0].reasons).toEqual([{ kind: "licence", licence: "matlab", asked: 2, inUse: 3, count: 3 }]);
  });

  it("an explanation under fcfs says behind which job another waits, and what that lacks", () => {
    const farm = farmOf([aPoolWith({ matlab: 3, vcs: 1 }, { policy: "fcfs" })]);
    const reasonsOf = (job: number): unknown[] => [
      ...explainJob(job, aWorkload(jobs), farm).steps[0].reasons!,
    ];
    expect(reasonsOf(3)).toEqual([{ kind: "licence", licence: "matlab", asked: 2, inUse: 3, count: 3 }]);
    expect(reasonsOf(5).at(-1)).toEqual({ kind: "behind", job: 3 });
  });

  it("what cannot be read is refused", () => {
    const wrong = aWorkload([{ licences: "x=y" }]);
    expect(() => runFarm(wrong, farmOf([aPoolWith({ x: 1 })]))).toThrow(
      'workload examples: licences "x=y": of x it asks for "y": give a whole number from 1',
    );
  });
});
