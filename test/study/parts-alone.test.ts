import { expect, test } from "vitest";

import { aloneText, judgedAlone } from "../../src/research/study/claims/parts.ts";
import type { Judgement } from "../../src/research/study/index.ts";

/** A heuristic's lead; null: there is no telling. */
function lead(value: number | null): Judgement {
  if (value === null) return { holds: null, evidence: "no queue" };
  return { holds: value > 0, evidence: "", figure: { what: "lead", value, unit: "points" } };
}

function ratio(value: number): Judgement {
  return { holds: value > 1, evidence: "", figure: { what: "ratio", value, unit: "times" } };
}

/** Means without each of some values. */
function without(values: readonly number[]): number[] {
  return values.map((_, out) => {
    const others = values.filter((_value, place) => place !== out);
    return others.reduce((sum, value) => sum + value, 0) / others.length;
  });
}

test("the jackknife of a mean is the mean's own interval by Student's t", () => {
  // The mean is 0.025, s = 0.0173 and t(3) = 3.1824: the margin is 0.0276.
  const values = [0.04, 0, 0.03, 0.03];
  const alone = judgedAlone(lead(0.025), values.map(lead), without(values).map(lead), "weeks")!;
  expect(alone).toMatchObject({ parts: "weeks", count: 4, judged: 4, holding: 3 });
  expect(aloneText(alone)).toBe("lead +2.5 points (95 %: −0.3 points to +5.3 points); holds in 3 of 4 weeks");
});

test("ratios have intervals that are wider above than below, and never negative", () => {
  const alone = judgedAlone(ratio(10), [1, 2, 20, 40].map(ratio), [20, 15, 8, 5].map(ratio), "traces")!;
  const { low, high } = alone.interval!;
  expect(low).toBeGreaterThan(0);
  expect(low * high).toBeCloseTo(100, 9);
});

test("parts that cannot tell are told, and few parts have no interval", () => {
  const three = judgedAlone(lead(0.04), [lead(0.04), lead(null), lead(0.02)], [], "traces")!;
  expect(aloneText(three)).toBe("holds in 2 of 2 traces, and 1 of 3 cannot tell");
  expect(judgedAlone(lead(0.04), [lead(null)], [], "traces")).toBeUndefined();
});

test("a figure that is missing without one of the parts has no interval", () => {
  const parts = [lead(0.04), lead(0.02), lead(0.03), lead(0.01)];
  const { interval } = judgedAlone(lead(0.025), parts, [...parts.slice(1), lead(null)], "weeks")!;
  expect(interval).toBeNull();
});
