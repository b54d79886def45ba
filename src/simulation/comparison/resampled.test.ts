import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { aWorkload } from "../workload.fixture.ts";
import { crossFitted } from "./cross-fitted.ts";
import { resampled, wholeWeeks } from "./resampled.ts";

const DAY = 86_400;
const WEEK = 7 * DAY;

const jobs = fc.array(
  fc.record({
    submit: fc.integer({ min: 0, max: 4 * WEEK - 1 }),
    run: fc.integer({ min: 1, max: 1000 }),
    user: fc.constantFrom("ann", "bob", "cem", ""),
  }),
  { minLength: 2, maxLength: 60 },
);

describe("a log drawn from another", () => {
  it("has users with all their jobs, each at its hour of the week, in order", () => {
    fc.assert(
      fc.property(jobs, fc.integer(), (specs, seed) => {
        const log = aWorkload(specs.toSorted((a, b) => a.submit - b.submit));
        const whole = wholeWeeks(log);
        fc.pre(whole >= 2);
        const drawn = resampled(log, seed);
        const first = log.submitSeconds[0];
        const kept = log.submitSeconds.filter((time) => time < first + whole * WEEK).length;
        const jobsOf = new Map<string, number>();
        for (let row = 0; row < kept; row++) {
          const name = log.user!.names[log.user!.codes[row]];
          jobsOf.set(name, (jobsOf.get(name) ?? 0) + 1);
        }
        const drawnOf = new Map<string, number>();
        const runs = new Map(
          specs.map(({ submit, run, user }) => [`${(submit - first) % WEEK} ${run} ${user}`, true]),
        );
        for (let row = 0; row < drawn.count; row++) {
          const time = drawn.submitSeconds[row];
          expect(time).toBeGreaterThanOrEqual(row === 0 ? first : drawn.submitSeconds[row - 1]);
          expect(time).toBeLessThan(first + whole * WEEK);
          const name = drawn.user!.names[drawn.user!.codes[row]];
          drawnOf.set(name, (drawnOf.get(name) ?? 0) + 1);
          expect(runs.has(`${(time - first) % WEEK} ${drawn.runtimeSeconds[row]} ${name}`)).toBe(true);
        }
        for (const [name, count] of drawnOf) if (name !== "") expect(count % jobsOf.get(name)!).toBe(0);
        expect(resampled(log, seed).submitSeconds).toEqual(drawn.submitSeconds);
      }),
    );
  });

  it("counts weeks that lack their last day as whole", () => {
    expect(wholeWeeks(aWorkload([{ submit: 0 }, { submit: 13 * DAY }]))).toBe(2);
    expect(wholeWeeks(aWorkload([{ submit: 0 }, { submit: 13 * DAY - 1 }]))).toBe(1);
    expect(wholeWeeks(aWorkload([]))).toBe(0);
  });
});

describe("the gain on days that a policy was not chosen by", () => {
  const days = (
    waits: readonly number[],
  ): { days: { day: number; jobs: number; waitSumSeconds: number }[] } => ({
    days: waits.map((waitSumSeconds, day) => ({ day, jobs: 1, waitSumSeconds })),
  });

  it("is the whole gain of one that is always better", () => {
    const base = days(Array.from({ length: 10 }, (_, day) => 10 + day));
    const half = days(Array.from({ length: 10 }, (_, day) => (10 + day) / 2));
    expect(crossFitted(base, [base, half])).toBeCloseTo(Math.log(0.5), 12);
  });

  it("is a loss where each was lucky on days of its own", () => {
    // Each of ten policies halves one tenth and is otherwise as the baseline: the chosen one's luck is never measured.
    const base = days(Array.from<number>({ length: 10 }).fill(10));
    const lucky = Array.from({ length: 10 }, (_, own) =>
      days(Array.from({ length: 10 }, (_, day) => (day === own ? 5 : 10))),
    );
    expect(crossFitted(base, lucky)).toBeCloseTo(0, 12);
  });

  it("is unknown where half a log has no waits", () => {
    expect(
      crossFitted(days([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), [days([1, 1, 1, 1, 1, 1, 1, 1, 1, 1])]),
    ).toBeNull();
  });
});
