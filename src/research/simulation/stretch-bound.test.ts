import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DeadlineFeasibility } from "./deadline-feasibility.ts";
import { run, type Job } from "./fractional.fixture.ts";
import { stretchBound } from "./stretch-bound.ts";

async function bound(nodes: number, jobs: readonly Job[]): Promise<number> {
  return (await run(nodes, "Greedy *", jobs)).result.stretchBound!;
}

describe("the bound on the maximum stretch", () => {
  it.each<[string, number, readonly Job[], number]>([
    ["a job alone", 1, [[5, 1, 1, 0.1, 100]], 1],
    [
      "two that want the same node",
      1,
      [
        [0, 1, 1, 0.1, 100],
        [0, 1, 1, 0.1, 100],
      ],
      2,
    ],
    // 400 s of work by 300 S, and the short one first.
    [
      "a short and a long one",
      1,
      [
        [0, 1, 1, 0.1, 100],
        [0, 1, 1, 0.1, 300],
      ],
      4 / 3,
    ],
    // The short one can be done at once; the long one then ends at 310.
    [
      "a short one that comes later",
      1,
      [
        [0, 1, 1, 0.1, 300],
        [100, 1, 1, 0.1, 10],
      ],
      310 / 300,
    ],
    [
      "parts of a node beside each other",
      1,
      [
        [0, 1, 0.25, 0.1, 100],
        [0, 3, 0.25, 0.1, 100],
      ],
      1,
    ],
    [
      "memory that does not fit does not matter",
      1,
      [
        [0, 1, 0.5, 1, 100],
        [0, 1, 0.5, 1, 100],
      ],
      1,
    ],
    // 10 S = 20 s of work for run times that count as 10 s.
    [
      "run times under 10 s count as 10 s",
      1,
      [
        [0, 1, 1, 0.1, 4],
        [0, 1, 1, 0.1, 4],
      ],
      1,
    ],
    // One task can use one node only, however many there are: 2 × 100 s + 200 s on 2 nodes, all by 100 S.
    [
      "tasks limit what a job can use",
      2,
      [
        [0, 2, 1, 0.1, 100],
        [0, 1, 1, 0.1, 100],
        [0, 1, 1, 0.1, 100],
      ],
      2,
    ],
    ["more tasks than nodes", 2, [[0, 4, 1, 0.1, 100]], 2],
  ])("%s", async (_name, nodes, jobs, expected) => {
    expect(await bound(nodes, jobs)).toBeCloseTo(expected, 3);
    expect(await bound(nodes, jobs)).toBeLessThanOrEqual(expected + 1e-9);
  });

  it.each([
    [2, 3],
    [3, 2],
  ])("is that of the worst part of many jobs: %i at once, then %i", (first, second) => {
    // 30,000 jobs of 100 s on a node, far enough apart for a few that come together.
    const submitSeconds = Float64Array.from({ length: 30_000 }, (_, row) => 1000 * row);
    submitSeconds.fill(submitSeconds[1000], 1000, 1000 + first);
    submitSeconds.fill(submitSeconds[25_000], 25_000, 25_000 + second);
    const all = (value: number): Int32Array => new Int32Array(30_000).fill(value);
    const needs = { source: "log", tasks: all(1), cpu: all(100), memory: all(1) } as const;
    const schedule = { submitSeconds, startSeconds: submitSeconds, machines: null };
    const found = stretchBound(schedule, new Float64Array(30_000).fill(100), needs, 1);
    expect(found).toBeGreaterThan(2.999);
    expect(found).toBeLessThanOrEqual(3);
  });

  it("is below what every algorithm reaches", async () => {
    const anyJob = fc.tuple(
      fc.integer({ min: 0, max: 3000 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(0.25, 0.5, 1),
      fc.constantFrom(0.1, 0.3, 0.6),
      fc.integer({ min: 1, max: 2000 }),
    );
    const policies = [
      "whole-node/fcfs",
      "whole-node/easy",
      "Greedy *",
      "GreedyP *",
      "GreedyPM */per/MVT",
      "MCB */per",
      "/stretch-per",
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyJob, { minLength: 1, maxLength: 15 }),
        fc.constantFrom(...policies),
        async (jobs, policy) => {
          const inOrder = jobs.toSorted(([a], [b]) => a - b);
          const { result } = await run(6, policy, inOrder);
          expect(result.rejected).toBe(0);
          expect(result.stretchBound!).toBeGreaterThanOrEqual(1);
          expect(result.stretchBound!).toBeLessThanOrEqual(result.stretchMax!);
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** Whether a flow of all work is possible: augmenting paths over a matrix, nothing clever. */
function isFeasibleByTheBook(
  release: readonly number[],
  rate: readonly number[],
  work: readonly number[],
  deadline: readonly number[],
  nodes: number,
): boolean {
  const times = [...new Set([...release, ...deadline])].sort((a, b) => a - b);
  const [n, m] = [release.length, times.length - 1];
  const size = n + m + 2;
  const [source, sink] = [n + m, n + m + 1];
  const left = Array.from({ length: size }, () => Array<number>(size).fill(0));
  for (let j = 0; j < n; j++) {
    left[source][j] = work[j];
    for (let k = 0; k < m; k++)
      if (times[k] >= release[j] && times[k + 1] <= deadline[j])
        left[j][n + k] = rate[j] * (times[k + 1] - times[k]);
  }
  for (let k = 0; k < m; k++) left[n + k][sink] = nodes * (times[k + 1] - times[k]);
  let flow = 0;
  for (;;) {
    const from = Array<number>(size).fill(-1);
    from[source] = source;
    const queue = [source];
    for (const at of queue) {
      for (let to = 0; to < size; to++) {
        if (from[to] === -1 && left[at][to] > 1e-9) {
          from[to] = at;
          queue.push(to);
        }
      }
    }
    if (from[sink] === -1) break;
    let amount = Infinity;
    for (let at = sink; at !== source; at = from[at]) amount = Math.min(amount, left[from[at]][at]);
    for (let at = sink; at !== source; at = from[at]) {
      left[from[at]][at] -= amount;
      left[at][from[at]] += amount;
    }
    flow += amount;
  }
  return flow >= work.reduce((sum, each) => sum + each, 0) - 1e-6;
}

it("deadlines can be met where a flow by the book says so", () => {
  const anyJob = fc.record({
    release: fc.integer({ min: 0, max: 20 }),
    rate: fc.integer({ min: 1, max: 4 }),
    seconds: fc.integer({ min: 1, max: 12 }),
    slack: fc.integer({ min: 0, max: 8 }),
  });
  let feasible = 0;
  fc.assert(
    fc.property(fc.array(anyJob, { minLength: 1, maxLength: 9 }), (drawn) => {
      const jobs = drawn.toSorted((a, b) => a.release - b.release);
      const release = jobs.map((job) => job.release);
      const rate = jobs.map((job) => job.rate);
      const work = jobs.map((job) => job.rate * job.seconds);
      const deadline = jobs.map((job) => job.release + job.seconds + job.slack);
      const deadlines = new DeadlineFeasibility(
        {
          release: Float64Array.from(release),
          rate: Float64Array.from(rate),
          work: Float64Array.from(work),
        },
        4,
      );
      const expected = isFeasibleByTheBook(release, rate, work, deadline, 4);
      if (expected) feasible++;
      expect(deadlines.isFeasible(Float64Array.from(deadline))).toBe(expected);
      // Asked again, the answer is the same: nothing is left over from before.
      expect(deadlines.isFeasible(Float64Array.from(deadline))).toBe(expected);
    }),
    { numRuns: 1500 },
  );
  // Both answers were tested.
  expect(feasible).toBeGreaterThan(200);
  expect(feasible).toBeLessThan(1300);
});
