import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { NONE } from "../../../core/none.ts";
import { parseOnlinePolicy, type OnlinePolicy } from "./notation.ts";
import { priorities } from "./priority.ts";
import { OnlineScheduler } from "./scheduler.ts";

function schedulerOf(name: string, nodes: number, penaltySeconds = 0): OnlineScheduler {
  const policy = parseOnlinePolicy(name) as OnlinePolicy;
  return new OnlineScheduler({
    policy,
    nodes,
    penaltySeconds,
    minimumVirtualSeconds: 600,
    minimumFlowSeconds: 600,
  });
}

describe("decisions", () => {
  it("tell what is to be done with each job, and its tasks", () => {
    const scheduler = schedulerOf("GreedyPM *", 2);
    const { jobs } = scheduler.state;
    const first = scheduler.submit({ tasks: 1, cpuNeed: 100, memory: 50 }, 0);
    const second = scheduler.submit({ tasks: 1, cpuNeed: 100, memory: 50 }, 0);
    scheduler.decide(0, false, Infinity);
    expect(scheduler.decisions).toEqual([
      { kind: "start", job: first, tasks: 1 },
      { kind: "start", job: second, tasks: 1 },
    ]);
    const large = scheduler.submit({ tasks: 1, cpuNeed: 100, memory: 100 }, 10);
    scheduler.decide(10, false, Infinity);
    expect(scheduler.decisions).toEqual([
      { kind: "share", job: first, tasks: 0 },
      { kind: "move", job: second, tasks: 1 },
      { kind: "start", job: large, tasks: 1 },
    ]);
    expect([jobs.share[first], jobs.share[second], jobs.share[large]]).toEqual([50, 50, 100]);
    expect(jobs.virtualMilliseconds(first, 20)).toBe(15_000);
    expect(jobs.reachesAt(first, 20_000)).toBe(30);
    const larger = scheduler.submit({ tasks: 2, cpuNeed: 100, memory: 60 }, 20);
    scheduler.decide(20, false, Infinity);
    expect(scheduler.decisions.map(({ kind, job }) => [kind, job])).toEqual([
      ["pause", first],
      ["pause", second],
      ["pause", large],
      ["start", larger],
    ]);
    scheduler.finish(larger);
    scheduler.decide(30, false, Infinity);
    expect(scheduler.decisions.map(({ kind, job }) => [kind, job])).toEqual([
      ["resume", first],
      ["resume", second],
      ["resume", large],
    ]);
  });
});

describe("priorities", () => {
  const [square, plain, virtual] = priorities;

  it("pause the job first that has run the most for its time in the system", () => {
    // 10 s of 100 s against 20 s of 1,000 s.
    expect(square.inverse(10_000, 100_000)).toBe(1000);
    expect(square.inverse(20_000, 1_000_000)).toBe(400);
    expect(plain.inverse(10_000, 100_000)).toBe(0.1);
    expect(plain.inverse(20_000, 1_000_000)).toBe(0.02);
    expect(virtual.inverse(10_000, 100_000)).toBeLessThan(virtual.inverse(20_000, 1_000_000));
  });

  it("are infinite without virtual time", () => {
    for (const priority of priorities) {
      expect(priority.inverse(0, 0)).toBe(0);
      expect(priority.inverse(0, 1000)).toBe(0);
    }
  });
});

const anyRequest = fc.record({
  tasks: fc.integer({ min: 1, max: 6 }),
  cpuNeed: fc.oneof(fc.constantFrom(25, 100), fc.integer({ min: 1, max: 100 })),
  memory: fc.oneof(fc.constantFrom(10, 30), fc.integer({ min: 1, max: 60 })),
  gap: fc.integer({ min: 0, max: 400 }),
});

describe("whatever comes", () => {
  const names = [
    "Greedy *",
    "GreedyP */per",
    "GreedyPM */per/MVT",
    "GreedyPM */stretch-per",
    "MCB */per/MVT",
    "/per/OPT=AVG",
    "/stretch-per/MVT",
  ];

  it.each(names)(
    "%s never hands out more of a node than there is, and gives every task something",
    (name) => {
      fc.assert(
        fc.property(
          fc.array(anyRequest, { minLength: 1, maxLength: 25 }),
          fc.boolean(),
          (requests, hasPenalty) => {
            const nodes = 6;
            const scheduler = schedulerOf(name, nodes, hasPenalty ? 300 : 0);
            const { jobs, placements } = scheduler.state;
            let now = 0;
            for (const [i, { gap, ...request }] of requests.entries()) {
              now += gap;
              if (i % 3 === 2 && jobs.activeCount > 0) {
                const job = jobs.active[i % jobs.activeCount];
                if (jobs.share[job] > 0) scheduler.finish(job);
              }
              scheduler.submit(request, now);
              scheduler.decide(now, now % 600 === 0 || i % 4 === 0, 600 - (now % 600));
              const cpu = Array<number>(nodes).fill(0);
              const memory = Array<number>(nodes).fill(0);
              for (let a = 0; a < jobs.activeCount; a++) {
                const job = jobs.active[a];
                let tasks = 0;
                for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry)) {
                  tasks += placements.tasksOf(entry);
                  cpu[placements.machineOf(entry)] += placements.tasksOf(entry) * jobs.share[job];
                  memory[placements.machineOf(entry)] += placements.tasksOf(entry) * jobs.memory[job];
                }
                const isRunning = jobs.share[job] > 0;
                expect(tasks).toBe(isRunning ? jobs.tasks[job] : 0);
                expect(jobs.share[job]).toBeLessThanOrEqual(jobs.cpuNeed[job]);
              }
              expect(Math.max(...memory)).toBeLessThanOrEqual(100);
              expect(Math.max(...cpu)).toBeLessThanOrEqual(100);
              expect([...scheduler.state.nodes.memory]).toEqual(memory);
            }
          },
        ),
        { numRuns: 60 },
      );
    },
  );
});
