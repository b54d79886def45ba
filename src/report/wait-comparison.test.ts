import { expect, test } from "vitest";
import { inventRun, uniform } from "./report.fixture.ts";
import type { PolicyRun } from "./runs.ts";
import { compareWaits } from "./wait-comparison.ts";
import type { WaitComparison } from "./wait-comparison.ts";
import { studentQuantile } from "../simulation/figures/student.ts";

function compare(baseline: readonly number[], policy: readonly number[], comparisons = 1): WaitComparison {
  return compareWaits(rowOf("b", baseline), rowOf("p", policy), comparisons);
}

function rowOf(policy: string, waits: readonly number[]): PolicyRun {
  const days = waits.map((waitSumSeconds, day) => ({ day, jobs: 100, waitSumSeconds }));
  return { policy, index: 0, run: { ...inventRun(policy, 0, 0.9, 1), days } };
}

/** Days of which each resembles the one before: logarithms follow an autoregression. */
function congestedDays(
  random: () => number,
  days: number,
  memory: number,
  ratio: number,
): { baseline: number[]; policy: number[] } {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let congestion = normal();
  let luck = normal();
  const baseline: number[] = [];
  const policy: number[] = [];
  const fresh = Math.sqrt(1 - memory * memory);
  for (let day = 0; day < days; day++) {
    congestion = memory * congestion + fresh * normal();
    luck = memory * luck + fresh * normal();
    const wait = Math.exp(0.5 * congestion);
    baseline.push(wait);
    // E[exp(0.3 z − 0.045)] = 1, so that the expected waits have the ratio itself.
    policy.push(wait * ratio * Math.exp(0.3 * luck - 0.045));
  }
  return { baseline, policy };
}

test("Student's t with 5 degrees of freedom has the tabulated quantiles", () => {
  expect(studentQuantile(0.5, 5)).toBeCloseTo(0.7267, 4);
  expect(studentQuantile(0.95, 5)).toBeCloseTo(2.5706, 4);
  expect(studentQuantile(0.99, 5)).toBeCloseTo(4.0321, 4);
  expect(studentQuantile(0.999, 5)).toBeCloseTo(6.8688, 4);
  const published = { 1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 9: 2.2622, 10: 2.2281, 30: 2.0423 };
  for (const [degrees, quantile] of Object.entries(published))
    expect(studentQuantile(0.95, Number(degrees))).toBeCloseTo(quantile, 4);
});

test("an interval worked by hand", () => {
  // Six batches of two days; residuals −4, +4, … ; error = √(6/5 · 6 · 16) ÷ 120 = 0.08944;
  // exp(2.5706 · 0.08944) = 1.2585.
  const policy = [8, 8, 12, 12, 8, 8, 12, 12, 8, 8, 12, 12];
  const result = compare(Array.from<number>({ length: 12 }).fill(10), policy);
  expect(result.change).toBeCloseTo(0, 12);
  expect(result.interval!.low).toBeCloseTo(1 / 1.2585 - 1, 4);
  expect(result.interval!.high).toBeCloseTo(0.2585, 4);
  expect(result.judgement).toBe("no clear difference");
});

test("a policy that is better by the same factor every day is better beyond doubt", () => {
  const baseline = [5, 80, 3, 900, 12, 7, 0, 44, 60, 2, 18, 9];
  const result = compare(
    baseline,
    baseline.map((wait) => wait * 0.78),
  );
  expect(result.change).toBeCloseTo(-0.22, 12);
  expect(result.interval!.low).toBeCloseTo(-0.22, 12);
  expect(result.interval!.high).toBeCloseTo(-0.22, 12);
  expect(result.judgement).toBe("shorter");
});

test("a sure difference of next to nothing is none", () => {
  const baseline = [5, 80, 3, 900, 12, 7, 0, 44, 60, 2, 18, 9];
  const result = compare(
    baseline,
    baseline.map((wait) => wait * 1.0004),
  );
  expect(result.judgement).toBe("no clear difference");
});

test("the other way round is the reciprocal", () => {
  const { baseline, policy } = congestedDays(uniform(7), 30, 0.5, 0.7);
  const there = compare(baseline, policy);
  const back = compare(policy, baseline);
  expect((1 + there.change!) * (1 + back.change!)).toBeCloseTo(1, 12);
  expect((1 + there.interval!.low) * (1 + back.interval!.high)).toBeCloseTo(1, 2);
});

test("more comparisons at once widen the interval", () => {
  const { baseline, policy } = congestedDays(uniform(7), 30, 0.5, 0.7);
  const one = compare(baseline, policy, 1).interval!;
  const many = compare(baseline, policy, 11).interval!;
  expect(many.low).toBeLessThan(one.low);
  expect(many.high).toBeGreaterThan(one.high);
});

test("nine days give no interval, ten do", () => {
  const wait = Array.from({ length: 9 }, (_, i) => i + 1);
  expect(compare(wait, wait)).toMatchObject({ change: 0, interval: null, judgement: "cannot be judged" });
  expect(compare([...wait, 10], [...wait, 10]).interval).toEqual({ low: 0, high: 0 });
});

test("nobody waits under the baseline, under the policy, under both", () => {
  const none = Array.from<number>({ length: 12 }).fill(0);
  const some = none.map((_, i) => i);
  expect(compare(none, some)).toMatchObject({ change: null, interval: null, judgement: "longer" });
  expect(compare(some, none)).toMatchObject({ change: -1, interval: { low: -1, high: -1 } });
  expect(compare(none, none)).toMatchObject({ change: 0, judgement: "no clear difference" });
  // A day of it says no more than a day of anything.
  expect(compare([0], [5])).toMatchObject({ change: null, judgement: "cannot be judged" });
  expect(compare([0], [0])).toMatchObject({ change: 0, judgement: "cannot be judged" });
});

test.each([
  { days: 30, memory: 0, least: 0.93 },
  { days: 60, memory: 0.5, least: 0.91 },
])("on $days days with correlation $memory the interval covers the truth", ({ days, memory, least }) => {
  const random = uniform(2026);
  const repetitions = 1000;
  let covered = 0;
  for (let i = 0; i < repetitions; i++) {
    const { baseline, policy } = congestedDays(random, days, memory, 0.8);
    const { low, high } = compare(baseline, policy).interval!;
    if (low <= -0.2 && -0.2 <= high) covered++;
  }
  expect(covered / repetitions).toBeGreaterThan(least);
  expect(covered / repetitions).toBeLessThan(0.99);
});

test("the best of twelve equal policies is seldom called better", () => {
  const random = uniform(12);
  const repetitions = 300;
  let wrong = 0;
  for (let i = 0; i < repetitions; i++) {
    const { baseline } = congestedDays(random, 30, 0, 1);
    const judgements = Array.from({ length: 11 }, () => {
      const policy = baseline.map((wait) => wait * (0.7 + 0.6 * random()));
      return compare(baseline, policy, 11).judgement;
    });
    if (judgements.includes("shorter")) wrong++;
  }
  expect(wrong / repetitions).toBeLessThan(0.06);
});
