import * as fc from "fast-check";
import { expect, it } from "vitest";

import { shareTree, type PoolSettings } from "../../index.ts";
import { aJob, aPool, equalMachines, startedOf } from "../../pool/pool.fixture.ts";

/** Few kinds of jobs: narrow and wide, short and long. Some end early, some late. */
const anyJob = fc.record({
  cores: fc.constantFrom(1000, 1000, 1000, 2000, 4000, 9000, 12_000),
  memory: fc.constantFrom(0, 0, 10, 20),
  estimateSeconds: fc.constantFrom(0, 5, 10, 10, 40, 100, 400),
  runtimeSeconds: fc.constantFrom(0.2, 0.5, 1, 1, 1.5),
  gapSeconds: fc.constantFrom(0, 0, 0, 0, 1, 7),
});
type AnyJob = typeof anyJob extends fc.Arbitrary<infer T> ? T : never;

/** When each job starts on a machine of 12 cores. */
function startTimes(jobs: readonly AnyJob[], settings: Partial<PoolSettings>): number[] {
  const pool = aPool("conservative", equalMachines(1, { cores: 12_000, memory: 100 }), settings);
  const rowOf = new Map<number, number>();
  const running = new Map<number, number>();
  const starts: number[] = jobs.map(() => NaN);
  const submitAt: number[] = [];
  for (const { gapSeconds } of jobs) submitAt.push((submitAt.at(-1) ?? 0) + gapSeconds);
  for (let next = 0; next < jobs.length || running.size > 0;) {
    const now = Math.min(submitAt[next] ?? Infinity, ...running.values());
    for (const [job, end] of running) {
      if (end > now) continue;
      pool.finish(job);
      running.delete(job);
    }
    for (; submitAt[next] === now; next++) rowOf.set(pool.submit(aJob(jobs[next])), next);
    pool.cycle(now);
    for (const job of startedOf(pool)) {
      const row = rowOf.get(job)!;
      starts[row] = now;
      running.set(job, now + Math.max(1, jobs[row].estimateSeconds * jobs[row].runtimeSeconds));
    }
  }
  return starts;
}

// A pool with shares promises every job its time; where all are of one project, in order of arrival.
it("foretells what promising every job its time comes to", () => {
  const shares = shareTree(["only"], []);
  fc.assert(
    fc.property(fc.array(anyJob, { minLength: 30, maxLength: 120, size: "max" }), (jobs) => {
      expect(startTimes(jobs, {})).toEqual(startTimes(jobs, { shares }));
    }),
    { numRuns: 300 },
  );
});
