import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { aWorkload } from "../workload.fixture.ts";
import { crossFitted } from "./cross-fitted.ts";
import { drawnUnits, drawsTellMore, resampled, wholeWeeks } from "./resampled.ts";

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

  it("has days as they were, of jobs of which no user is known", () => {
    fc.assert(
      fc.property(jobs, fc.integer(), (specs, seed) => {
        const log = aWorkload(
          specs.toSorted((a, b) => a.submit - b.submit).map((job) => ({ ...job, user: "" })),
        );
        const whole = wholeWeeks(log);
        fc.pre(whole >= 2);
        const first = log.submitSeconds[0];
        const dayOf = ({ submitSeconds, runtimeSeconds, count }: typeof log, day: number): string =>
          Array.from({ length: count }, (_, row) => row)
            .filter((row) => Math.floor((submitSeconds[row] - first) / DAY) === day)
            .map((row) => `${(submitSeconds[row] - first) % DAY} ${runtimeSeconds[row]}`)
            .join();
        const drawn = resampled(log, seed);
        for (let day = 0; day < 7 * whole; day++) {
          const alike = Array.from({ length: whole }, (_, week) => dayOf(log, 7 * week + (day % 7)));
          expect(alike).toContain(dayOf(drawn, day));
        }
        expect(drawn.count === 0 || drawn.submitSeconds[drawn.count - 1] < first + whole * WEEK).toBe(true);
      }),
    );
  });

  it("is drawn by units that count as fewer where some have most of the work", () => {
    const weeks = { submit: 13.5 * DAY, run: 1 };
    const equal = ["ann", "bob", "cem"].map((user, i) => ({ submit: i, run: 1e6, user }));
    // The fourth has next to no work. (3e6)² ÷ 3e12 = 3.
    const three = drawnUnits(aWorkload([...equal, { ...weeks, user: "dan" }]));
    expect(three).toBeCloseTo(3, 4);
    // 2 tasks of 3 cores for 100 s, beside 200 of one core second: (600 + 200)² ÷ (600² + 200²) = 1.6.
    const unequal = drawnUnits(
      aWorkload([
        { submit: 0, run: 100, cores: 3000, tasks: 2, user: "ann" },
        { submit: 13.5 * DAY, run: 200, user: "bob" },
      ]),
    );
    expect(unequal).toBeCloseTo(1.6, 12);
    // Of no known user: fourteen equal days.
    const days = drawnUnits(
      aWorkload(Array.from({ length: 14 }, (_, day) => ({ submit: day * DAY, run: 60 }))),
    );
    expect(days).toBeCloseTo(14, 12);
  });

  it.each([
    [3.9, ["one time"], false],
    [4, ["one time"], true],
    [4, [null, "growth"], true],
    [7.9, ["growth", "backlog"], false],
    [7.9, [null], false],
    [8, [null], true],
    [8, ["backlog"], true],
  ] as const)(
    "of %d units, with days that are silent for %j, tells more than the days do: %s",
    (units, silences, more) => {
      expect(drawsTellMore(units, silences)).toBe(more);
    },
  );

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
