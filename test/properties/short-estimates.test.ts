import * as fc from "fast-check";
import { expect, it } from "vitest";

import { policies } from "../../src/core/index.ts";
import { simulate } from "../../src/simulation/index.ts";
import { aFarm, aWorkload } from "../../src/simulation/workload.fixture.ts";

/** As a live farm counts its time: there a number tells 2.4e-7 seconds apart. */
const TODAY_SECONDS = 1_795_000_000;

/** Estimates that a time of today cannot be told apart by, beside usual ones. */
const short = fc.constantFrom(0, 1e-12, 1e-9, 1e-7, 2.3e-7, 1e-5, 1e-3, 0.3, 1, 7);

const busy = fc.array(
  fc.record({
    submit: fc.double({ min: 0, max: 20, noNaN: true }),
    run: fc.constantFrom(1e-9, 0.1, 1, 5.7),
    estimate: short,
    cores: fc.constantFrom(1000, 2000, 4000),
  }),
  { minLength: 20, maxLength: 60 },
);

const machines = aFarm([
  { cores: 4000, memory: 64 },
  { cores: 8000, memory: 64 },
]);
const names = [...policies.map(({ name }) => name), "backfill:1", "backfill:3", "backfill:100"];

it.each(names)("%s starts jobs whose estimate is less than the clock can tell", (policy) => {
  fc.assert(
    fc.property(busy, (all) => {
      const jobs = all
        .map((job) => ({ ...job, submit: TODAY_SECONDS + job.submit, memory: 1 }))
        .toSorted((a, b) => a.submit - b.submit);
      const { startSeconds } = simulate(aWorkload(jobs), machines, { policy }).schedule;
      for (const [at, { submit }] of jobs.entries()) expect(startSeconds[at]).toBeGreaterThanOrEqual(submit);
    }),
    { numRuns: 60 },
  );
});
