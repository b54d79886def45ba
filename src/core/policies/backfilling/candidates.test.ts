import * as fc from "fast-check";
import { expect, it } from "vitest";

import { shareTree, type PoolSettings } from "../../index.ts";
import {
  aJob,
  aPool,
  placementOf,
  someMachines,
  startedOf,
  type DrivenPool,
} from "../../pool/pool.fixture.ts";

const machines = someMachines(
  { cores: 2000, memory: 4096 },
  { cores: 4000, memory: 2048 },
  { cores: 3000, memory: 8192 },
);

const anyEvent = fc.oneof(
  fc.record({
    submit: fc
      .record({
        cores: fc.constantFrom(1000, 2000),
        memory: fc.constantFrom(0, 1024),
        tasks: fc.integer({ min: 1, max: 4 }),
        estimateSeconds: fc.nat(12).map((tens) => tens * 10),
      })
      .map(aJob),
  }),
  fc.record({ refuse: fc.boolean() }),
  fc.record({ finish: fc.nat() }),
  fc.record({ cancel: fc.nat() }),
);
type Event = typeof anyEvent extends fc.Arbitrary<infer T> ? T : never;

/** The decisions of a pool, as text. The same events mean the same jobs as long as the decisions are the same. */
function decisions(policy: string, events: readonly Event[], settings: Partial<PoolSettings>): string[] {
  const pool: DrivenPool = aPool(policy, machines, settings);
  const waiting = new Set<number>();
  const running = new Set<number>();
  const nth = (jobs: Set<number>, which: number): number | undefined => [...jobs][which % jobs.size];
  return events.flatMap((event, step) => {
    if ("submit" in event) {
      if (pool.ineligible(event.submit) === null) waiting.add(pool.submit(event.submit));
    } else if ("refuse" in event) {
      pool.cycle(step * 5);
      return startedOf(pool).map((job, i) => {
        const decision = `${step}: ${job} on ${JSON.stringify(placementOf(pool, job))}`;
        if (event.refuse && i === 0) pool.refuse(job);
        else {
          waiting.delete(job);
          running.add(job);
        }
        return decision;
      });
    } else if ("finish" in event) {
      const job = nth(running, event.finish);
      if (job !== undefined) pool.finish(job);
      running.delete(job!);
    } else {
      const job = nth(waiting, event.cancel);
      if (job !== undefined) pool.cancel(job);
      waiting.delete(job!);
    }
    return [];
  });
}

const policies = [
  "easy",
  "easy-sjbf",
  "easy/worse-fit-cores",
  "easy-sjbf/mix-fit",
  "conservative",
  "backfill:1",
  "backfill:3",
  "backfill:2/best-fit-cores",
];

// A pool with shares goes through its queue job by job: in order of arrival if all jobs belong to one project.
it.each(policies)("%s decides the same kind by kind as job by job", (policy) => {
  const shares = shareTree(["only"], []);
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 120, size: "max" }), (events) => {
      expect(decisions(policy, events, {})).toEqual(decisions(policy, events, { shares }));
    }),
    { numRuns: 150 },
  );
});
