import * as fc from "fast-check";
import { expect, it } from "vitest";

import { aPoolOf, farmOf } from "../farm.fixture.ts";
import { simulate } from "../simulate.ts";
import { aWorkload } from "../workload.fixture.ts";

const anyJob = fc.record({
  gap: fc.nat({ max: 40 }),
  run: fc.integer({ min: 1, max: 200 }),
  cores: fc.constantFrom(1000, 2000, 4000),
  priority: fc.constantFrom(10, 50, 90),
  after: fc.option(fc.nat({ max: 300 }), { nil: NaN, freq: 2 }),
});

it("no job outlives its cancellation, and all others run to their ends", () => {
  let [withdrawn, cutShort] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(anyJob, { minLength: 1, maxLength: 60 }),
      fc.constantFrom("first-fit", "easy", "conservative", "mix-fit"),
      fc.constantFrom("NoRes", "ResSusUtil", "DupSusUtil"),
      fc.constantFrom(null, "lowest-priority"),
      fc.constantFrom(0, 30),
      (specs, policy, strategy, victim, delay) => {
        let submit = 0;
        const jobs = specs.map(({ gap, after: _after, ...job }) => ({
          submit: (submit += gap),
          memory: 100,
          estimate: job.run * 2,
          ...job,
        }));
        const farm = farmOf(
          ["one", "two"].map((name, site) =>
            aPoolOf(name, [{ coresMilli: 4000, memoryMiB: 4000 }], { site, policy }),
          ),
          {
            sites: ["here", "there"],
            transferSeconds: [
              [0, delay],
              [delay, 0],
            ],
            preemption: { victim },
            rescheduling: { strategy, checkSeconds: 10, waitThresholdSeconds: 60 },
          },
        );
        const cancelAfterSeconds = Float64Array.from(specs, ({ after }) => after);
        const log = { ...aWorkload(jobs), cancelAfterSeconds };
        const { ledger, result } = simulate(log, farm);
        specs.forEach(({ after, run }, row) => {
          const end = ledger.endOf(row);
          const isWithdrawn = Number.isNaN(ledger.startSeconds[row]);
          if (Number.isNaN(after)) expect(isWithdrawn).toBe(false);
          else if (!isWithdrawn) expect(end).toBeLessThanOrEqual(log.submitSeconds[row] + after);
          if (isWithdrawn) withdrawn++;
          else if (end - ledger.startSeconds[row] < run) cutShort++;
          if (!isWithdrawn && Number.isNaN(after))
            expect(end - ledger.startSeconds[row]).toBeGreaterThanOrEqual(run);
        });
        expect(result.rejected).toBe(0);
        expect(result.started).toBe(ledger.startSeconds.filter((start) => !Number.isNaN(start)).length);
      },
    ),
    { numRuns: 300 },
  );
  expect(withdrawn).toBeGreaterThan(100);
  expect(cutShort).toBeGreaterThan(100);
});
