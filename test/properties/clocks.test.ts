import * as fc from "fast-check";
import { expect, it } from "vitest";

import { policies } from "../../src/core/index.ts";
import { simulate } from "../../src/simulation/index.ts";
import { aFarm, aWorkload } from "../../src/simulation/workload.fixture.ts";

/** A full farm, where several jobs end and come between two cycles, most of them earlier than estimated. */
const busy = fc.array(
  fc.record({
    submit: fc.nat(300),
    run: fc.integer({ min: 1, max: 90 }),
    cores: fc.constantFrom(1000, 2000, 4000),
    times: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 30, maxLength: 60 },
);

/** Long after the last job has ended: it changes nothing, but by the clock that the run goes by. */
const farAway = { kind: "listed", outages: [{ machine: 0, downSeconds: 1e7, upSeconds: 2e7 }] } as const;

const machines = aFarm([
  { cores: 4000, memory: 64 },
  { cores: 8000, memory: 64 },
]);
const names = [...policies.map(({ name }) => name), "backfill:1", "backfill:3", "easy/best-fit-cores"];

it.each(names)("%s starts the same jobs cycle by cycle as instant by instant", (policy) => {
  fc.assert(
    fc.property(busy, fc.constantFrom(10, 30), (all, intervalSeconds) => {
      const jobs = all
        .toSorted((a, b) => a.submit - b.submit)
        .map(({ times, ...job }) => ({ ...job, memory: 1, estimate: job.run * times }));
      const run = (failures: typeof farAway | null): number[] => [
        ...simulate(aWorkload(jobs), machines, { policy, intervalSeconds, failures }).schedule.startSeconds,
      ];
      expect(run(farAway)).toEqual(run(null));
    }),
    { numRuns: 30 },
  );
});
