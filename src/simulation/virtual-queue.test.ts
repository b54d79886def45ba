import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { explainJob } from "./explain/explain-job.ts";
import { aPoolOf, farmOf, runFarm } from "./farm.fixture.ts";
import { aWorkload } from "./workload.fixture.ts";

const queue = { virtualPool: { hasQueue: true } };

/** Two pools of one machine with one core. */
const two = [aPoolOf("a", [{}]), aPoolOf("b", [{}])];

describe("the queue of a virtual pool", () => {
  it("sends a job to the pool that first has room", () => {
    const workload = aWorkload([{ run: 100 }, { run: 40 }, { submit: 5, run: 10 }]);
    // In turn the third goes to pool a, which is full for longer.
    expect([...runFarm(workload, farmOf(two)).startSeconds]).toEqual([0, 0, 100]);
    expect([...runFarm(workload, farmOf(two, queue)).startSeconds]).toEqual([0, 0, 40]);
  });

  it("starts jobs when one pool of all the machines would", () => {
    const job = fc.record({
      submit: fc.integer({ min: 0, max: 60 }),
      run: fc.integer({ min: 1, max: 30 }),
      priority: fc.integer({ min: 0, max: 2 }),
    });
    const routing = fc.constantFrom("round-robin", "utilization", "combined");
    const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(job, { minLength: 1, maxLength: 40 }), sizes, routing, (jobs, counts, name) => {
        const workload = aWorkload(jobs.toSorted((a, b) => a.submit - b.submit || b.priority - a.priority));
        const preemption = { victim: null };
        const pools = counts.map((count, pool) => aPoolOf(`p${pool}`, [{ count }]));
        const farm = farmOf(pools, { preemption, virtualPool: { hasQueue: true, routing: name } });
        const whole = farmOf([aPoolOf("p", [{ count: counts.reduce((sum, count) => sum + count) }])], {
          preemption,
        });
        expect([...runFarm(workload, farm).startSeconds]).toEqual([...runFarm(workload, whole).startSeconds]);
      }),
    );
  });

  it("sends an urgent job to a pool where it can suspend others", () => {
    const workload = aWorkload([
      { run: 100 },
      { run: 100 },
      { submit: 10, run: 10 },
      { submit: 20, run: 30, priority: 5 },
    ]);
    const { startSeconds, accounts } = runFarm(workload, farmOf(two, queue));
    expect([...startSeconds]).toEqual([0, 0, 100, 20]);
    expect(accounts.filter(({ suspensions }) => suspensions > 0).map(({ row }) => row)).toEqual([0]);
  });

  it("takes the room that a suspension leaves over", () => {
    const wide = [aPoolOf("a", [{ coresMilli: 4000 }])];
    const workload = aWorkload([
      { run: 100, cores: 4000 },
      { submit: 1, run: 10 },
      { submit: 2, run: 10, priority: 5 },
    ]);
    expect([...runFarm(workload, farmOf(wide, queue)).startSeconds]).toEqual([0, 2, 2]);
  });

  it("asks no pool in vain for a job that one has room for, while wider jobs wait", () => {
    const pools = [
      aPoolOf("wide", [{ coresMilli: 2000 }]),
      ...["b", "c", "d"].map((name) => aPoolOf(name, [{}])),
    ];
    const workload = aWorkload([
      { run: 100, cores: 2000 },
      { submit: 1, run: 10, cores: 2000 },
      ...[2, 4, 6].map((submit) => ({ submit, run: 1 })),
    ]);
    const { startSeconds, result } = runFarm(workload, farmOf(pools, queue));
    expect([...startSeconds]).toEqual([0, 100, 2, 4, 6]);
    // One for each of the five starts, and one for each of the three ends while the second waits and cannot start.
    expect(result.cycles).toBe(8);
  });

  it("still refuses a job that no pool could ever hold", () => {
    const workload = aWorkload([{ run: 100 }, { submit: 5, run: 10, cores: 2000 }]);
    expect(runFarm(workload, farmOf(two, queue)).result.rejected).toBe(1);
  });

  it("is refused by the order-driven clock", () => {
    const workload = aWorkload([{ run: 100 }]);
    expect(() => runFarm(workload, farmOf(two.slice(0, 1), queue), { clock: "order" })).toThrow(
      /queue: true/,
    );
  });

  it("is told by explanations", () => {
    const workload = aWorkload([{ run: 100 }, { run: 40 }, { submit: 5, run: 10 }]);
    const { steps } = explainJob(3, workload, farmOf(two, queue));
    expect(steps).toMatchObject([
      {
        doing: "waiting",
        pool: "users",
        fromSeconds: 5,
        toSeconds: 40,
        because: { kind: "submitted" },
        reasons: [
          { kind: "no pool has room", pools: ["a", "b"] },
          { kind: "too full" },
          { kind: "too full" },
        ],
      },
      { doing: "waiting", pool: "b", fromSeconds: 40, because: { kind: "assigned", routing: "round-robin" } },
      { doing: "running", pool: "b", fromSeconds: 40, toSeconds: 50 },
    ]);
  });
});
