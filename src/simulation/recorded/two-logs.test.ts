import { array, assert, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";

import { noIntervalBecause, waitChange, type BatchWaits } from "./two-logs.ts";

const DAY = 86_400;
/** Batches of a hundred jobs with these mean waits. */
const batches = (...means: number[]): BatchWaits => ({
  jobs: means.map(() => 100),
  waitSumSeconds: means.map((mean) => mean * 100),
});

describe("a change of the mean wait", () => {
  it("has the interval of both logs' errors, worked by hand", () => {
    // Logarithms of 1000 × (0.8, 0.9, 1, 1.1, 1.2), each + 20: their spread ÷ √5 is 0.0700; after, all are alike.
    const { change, interval, judgement } = waitChange(
      batches(800, 900, 1000, 1100, 1200),
      batches(500, 500, 500, 500, 500),
      true,
      6 * DAY,
    );
    expect(change).toBeCloseTo(-0.5, 12);
    // t with 4 degrees: 2.776; the factor is exp(2.776 × 0.0700) = 1.2146.
    expect(interval!.low).toBeCloseTo(0.5 / 1.2146 - 1, 3);
    expect(interval!.high).toBeCloseTo(0.5 * 1.2146 - 1, 3);
    expect(judgement).toBe("shorter");
  });

  it.each([
    ["a batch without jobs", { ...batches(900, 900, 900, 900, 900), jobs: [100, 0, 100, 100, 100] }, true],
    ["few days", batches(900, 900, 900, 900, 900), false],
    ["waits of a day in batches of six", batches(DAY, DAY, DAY, DAY, DAY), true],
    ["no job", batches(), true],
  ])("has no interval with %s", (_, after, isLongEnough) => {
    const change = waitChange(batches(800, 900, 1000, 1100, 1200), after, isLongEnough, 6 * DAY);
    expect(change).toMatchObject({ interval: null, judgement: "cannot be judged" });
  });

  it("is none where hardly anybody waits", () => {
    expect(waitChange(batches(1, 2, 3, 4, 5), batches(50, 50, 50, 50, 50), true, DAY)).toMatchObject({
      judgement: "hardly any waits",
      change: expect.closeTo(49 / 3 - 1 + 1 / 3, 9) as number,
    });
  });

  it("the other way round is its reciprocal", () => {
    const means = array(integer({ min: 100, max: 5000 }), { minLength: 5, maxLength: 5 });
    assert(
      property(tuple(means, means), ([a, b]) => {
        const there = waitChange(batches(...a), batches(...b), true, 30 * DAY);
        const back = waitChange(batches(...b), batches(...a), true, 30 * DAY);
        expect(1 + back.change!).toBeCloseTo(1 / (1 + there.change!), 9);
        expect((1 + back.interval!.low) * (1 + there.interval!.high)).toBeCloseTo(1, 9);
        expect(there.interval!.low).toBeLessThanOrEqual(there.change!);
        expect(there.interval!.high).toBeGreaterThanOrEqual(there.change!);
      }),
    );
  });
});

it("says why there are no intervals", () => {
  expect(noIntervalBecause(600, true, DAY)).toBeNull();
  expect(noIntervalBecause(600, false, DAY)).toBe("a log is shorter than 14 days");
  expect(noIntervalBecause(DAY, true, DAY)).toMatch(/^waits are long against the logs/);
});
