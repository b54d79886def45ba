import { describe, expect, test } from "vitest";
import { studentQuantile } from "../figures/student.ts";
import { compareWaits, type WaitComparison, type Waits } from "./wait-comparison.ts";

/** Uniform on [0, 1), the same sequence for the same seed (SplitMix32). */
function uniform(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** @param baseline mean waits by day, in hours, of a hundred jobs a day; the same below */
function compare(
  baseline: readonly number[],
  policy: readonly number[],
  comparisons = 1,
  logarithms: readonly number[] | null = null,
  units = 1e9,
): WaitComparison {
  const replicates = logarithms === null ? null : { logarithms, units };
  return compareWaits(rowOf("b", baseline), rowOf("p", policy), comparisons, replicates);
}

function rowOf(policy: string, hours: readonly number[]): Waits {
  const days = hours.map((each, day) => ({ day, jobs: 100, waitSumSeconds: 100 * 3600 * each }));
  const waitMeanSeconds = (3600 * hours.reduce((sum, each) => sum + each, 0)) / hours.length;
  return { policy, run: { waitMeanSeconds, days } };
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

test("an interval worked by hand, where the batches' own ratios are spread wider", () => {
  // Five batches of two days: 1 h under the baseline; 0.8, 1.2, 0.8, 1.2, 1 under the policy. Raised by 2 % of the mean
  // they are 0.82, 1.22, 0.82, 1.22, 1.02 over 1.02: logarithms −0.21825, 0.17905, …, 0; their mean −0.01568, the sum of
  // squares 0.15815; error √(0.15815 ÷ 4 ÷ 5) = 0.08893, and 2.7764 times that 0.2469. With a batch left out they are
  // 0.04786, −0.05026, …, 0: error √(4/5 · 0.00963) = 0.08777, which is narrower.
  const policy = [0.8, 0.8, 1.2, 1.2, 0.8, 0.8, 1.2, 1.2, 1, 1];
  const result = compare(Array.from<number>({ length: 10 }).fill(1), policy);
  expect(result.change).toBeCloseTo(0, 12);
  expect(Math.log1p(result.interval!.high)).toBeCloseTo(0.2469, 3);
  expect(Math.log1p(result.interval!.low)).toBeCloseTo(-0.2469, 3);
  expect(Math.log1p(result.nextMonth!.high)).toBeCloseTo(Math.SQRT2 * 0.2469, 3);
  expect(result.judgement).toBe("no clear difference");
});

test("an interval of logs drawn from this one, worked by hand", () => {
  // Logarithms −0.1, 0, 0.1: standard deviation 0.1, t with 2 degrees 4.3027; about the log's own ratio of 0.5.
  const result = compare(evenDays(2), evenDays(1), 1, [-0.1, 0, 0.1]);
  expect(Math.log1p(result.interval!.low)).toBeCloseTo(Math.log(0.5) - 0.43027, 4);
  expect(Math.log1p(result.interval!.high)).toBeCloseTo(Math.log(0.5) + 0.43027, 4);
  expect(result).toMatchObject({ judgement: "shorter", by: "resampling", silence: null });
});

test("logs drawn from three users know no more than three users do", () => {
  // Two degrees of freedom instead of four, t 4.3027; the standard deviation is √0.025 = 0.15811, widened by √(3.9 ÷ 2.9).
  const result = compare(evenDays(2), evenDays(1), 1, [-0.2, -0.1, 0, 0.1, 0.2], 3.9);
  expect(Math.log1p(result.interval!.high)).toBeCloseTo(Math.log(0.5) + 4.3027 * 0.15811 * 1.15968, 4);
});

describe("one log says nothing of how sure a difference is", () => {
  test("where jobs wait for a good part of a batch", () => {
    // Batches of 6 days: 15 % of one are 21.6 h.
    expect(compare(evenDays(21.5, 30), evenDays(18, 30))).toMatchObject({
      silence: null,
      judgement: "shorter",
    });
    const silent = compare(evenDays(21.7, 30), evenDays(18, 30));
    expect(silent).toMatchObject({ silence: "backlog", judgement: "cannot be judged", interval: null });
    expect(silent.change).toBeCloseTo(18 / 21.7 - 1, 12);
    expect(compare(evenDays(18, 30), evenDays(21.7, 30)).silence).toBe("backlog");
  });

  test("where nearly all waiting is in one batch", () => {
    // (9 + 4 · 1)² ÷ (81 + 4) = 1.99; with 8.8 it is 2.01.
    const days = (most: number): number[] => [most, most, 1, 1, 1, 1, 1, 1, 1, 1];
    expect(compare(days(9), days(8)).silence).toBe("one time");
    expect(compare(days(8.8), days(8)).silence).toBeNull();
  });

  test("where waits grow through the log under both policies", () => {
    const growing = [1, 1, 1.5, 1.5, 1.4, 1.4, 1.9, 1.9, 2, 2];
    expect(
      compare(
        growing,
        growing.map((each) => each * 0.9),
      ).silence,
    ).toBe("growth");
    expect(compare(growing, evenDays(1)).silence).toBeNull();
    expect(compare(growing.toReversed(), growing.toReversed()).silence).toBeNull();
  });

  test("but that a wait is twice as long", () => {
    expect(compare(evenDays(60, 30), evenDays(29, 30))).toMatchObject({
      silence: "backlog",
      judgement: "shorter",
    });
    expect(compare(evenDays(29, 30), evenDays(60, 30))).toMatchObject({
      silence: "backlog",
      judgement: "longer",
    });
  });

  test("and logs drawn from it do", () => {
    const logarithms = [-0.2, -0.21, -0.19, -0.2];
    expect(compare(evenDays(60, 30), evenDays(50, 30), 1, logarithms)).toMatchObject({
      judgement: "shorter",
    });
  });
});

test("what is less than a minute, or than one in a hundred, is no clear difference", () => {
  expect(compare(evenDays(1), evenDays(1 - 59 / 3600)).judgement).toBe("no clear difference");
  expect(compare(evenDays(1), evenDays(1 - 61 / 3600)).judgement).toBe("shorter");
  expect(compare(evenDays(3), evenDays(3 * 0.991)).judgement).toBe("no clear difference");
  expect(compare(evenDays(3), evenDays(3 * 0.989)).judgement).toBe("shorter");
});

test("days of another pace are the log's, and a batch is as long as in the run", () => {
  const slow = rowOf("b", evenDays(21.7, 30));
  const at = (beta: number): Waits => ({ ...slow, run: { ...slow.run, beta } });
  expect(compareWaits(at(1), at(1), 1).silence).toBe("backlog");
  expect(compareWaits(at(1.1), at(1.1), 1).silence).toBeNull();
});

function evenDays(hours: number, days = 10): number[] {
  return Array.from<number>({ length: days }).fill(hours);
}

test("a policy that is better by the same factor every day is better beyond doubt", () => {
  const baseline = [5, 8, 3, 9, 2, 7, 0, 4, 6, 2, 1.8, 9];
  const result = compare(
    baseline,
    baseline.map((wait) => wait * 0.78),
  );
  expect(result.change).toBeCloseTo(-0.22, 12);
  expect(result.interval!.low).toBeCloseTo(-0.22, 12);
  expect(result.interval!.high).toBeCloseTo(-0.22, 12);
  expect(result.judgement).toBe("shorter");
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
  const wait = [2, 1, 3, 1, 2, 3, 1, 2, 1];
  expect(compare(wait, wait)).toMatchObject({ change: 0, interval: null, judgement: "cannot be judged" });
  expect(compare([...wait, 2], [...wait, 2]).interval).toEqual({ low: 0, high: 0 });
});

test("nobody waits under the baseline, under the policy, under both", () => {
  const none = Array.from<number>({ length: 12 }).fill(0);
  const some = none.map((_, i) => 1 + (i % 2));
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
  let judged = 0;
  for (let i = 0; i < repetitions; i++) {
    const { baseline, policy } = congestedDays(random, days, memory, 0.8);
    const { interval } = compare(baseline, policy);
    if (interval === null) continue;
    judged++;
    if (interval.low <= -0.2 && -0.2 <= interval.high) covered++;
  }
  expect(judged / repetitions).toBeGreaterThan(0.95);
  expect(covered / judged).toBeGreaterThan(least);
  expect(covered / judged).toBeLessThan(0.99);
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
