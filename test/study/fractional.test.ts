import { beforeAll, describe, expect, test } from "vitest";

import { loadSolver, type LpSolver } from "../../src/research/lp/index.ts";
import {
  comparedAlgorithms,
  fractionalSweeps,
  secondsByServices,
  studyFractional,
  type Comparison,
  type FractionalResult,
} from "../../src/research/study/index.ts";
import { difference } from "../../src/research/study/fractional/difference.ts";
import { meanInterval } from "../../src/research/study/fractional/interval.ts";
import { settingsOf } from "../../src/research/study/fractional/sweep.ts";
import { boundGaps } from "../../src/research/study/fractional/bound-gap.ts";
import { beatenBy } from "../../src/research/study/fractional/frontier.ts";
import { comparisonOf } from "./fractional.fixture.ts";

let solver: LpSolver;
beforeAll(async () => {
  solver = await loadSolver();
});

describe("measures", () => {
  // Best: 0.8, 0.4, nobody.
  const comparison = comparisonOf(
    {
      one: (i) => [0.8, 0.3, null][i] ?? null,
      other: (i) => [0.6, 0.4, null][i] ?? null,
      failing: (i) => [null, 0.1, null][i] ?? null,
    },
    { instances: 3, bound: 0.9 },
  );

  test("distances are from the best of each instance, and failures count in their rate alone", () => {
    expect(comparison.unsolved).toBe(1);
    const [one, other, failing] = comparison.qualities;
    expect(one).toMatchObject({
      solved: 2,
      failureRate: expect.closeTo(1 / 3, 12),
      dfbMean: expect.closeTo(0.05, 12),
      dfb90: expect.closeTo(0.1, 12),
      relativeDfbMean: expect.closeTo(0.125, 12),
      relativeDfb90: expect.closeTo(0.25, 12),
      belowBoundMean: expect.closeTo((0.1 + 0.6) / 2, 12),
    });
    expect(other).toMatchObject({
      dfbMean: expect.closeTo(0.1, 12),
      relativeDfbMean: expect.closeTo(0.125, 12),
    });
    expect(failing).toMatchObject({
      solved: 1,
      failureRate: expect.closeTo(2 / 3, 12),
      dfbMean: expect.closeTo(0.3, 12),
    });
  });

  test("who never finds a placement has no distance", () => {
    const [never] = comparisonOf({ never: () => null, always: () => 1 }).qualities;
    expect(never).toMatchObject({ solved: 0, failureRate: 1, dfbMean: NaN, dfb90: NaN, belowBoundMean: NaN });
  });

  test("seconds are told apart by the number of services", () => {
    expect(secondsByServices(comparisonOf({ one: () => 1, other: () => 1 }))).toEqual([
      [1, 3],
      [2, 6],
    ]);
  });

  test("means have the interval of the normal distribution", () => {
    // Ones and threes, as many of each: mean 2, standard deviation √(n ÷ (n − 1)).
    const values = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 1 : 3));
    const half = 1.96 * Math.sqrt(100 / 99 / 100);
    expect(meanInterval(values)).toEqual({
      mean: 2,
      low: expect.closeTo(2 - half, 12),
      high: expect.closeTo(2 + half, 12),
      count: 100,
    });
    expect(meanInterval(values.slice(0, 29))).toBeNull();
  });

  test("algorithms are compared where both found a placement, and by all instances for failures", () => {
    const both = comparisonOf({ one: (i) => (i < 35 ? 0.5 : null), other: () => 0.7 });
    expect(difference(both, "dfb", "one", "other")).toMatchObject({
      mean: expect.closeTo(0.2, 12),
      count: 35,
    });
    expect(difference(both, "failure rate", "one", "other")).toMatchObject({ mean: 5 / 40, count: 40 });
    expect(difference(both, "dfb", "one", "nobody")).toBeNull();
  });
});

describe("the bound above the optimum", () => {
  test("is told by services per host and constrained share, over proven optima only", () => {
    const courses = { milp: (i: number) => [0.5, 0.4, null, 0.4][i]! };
    const { trials, ...rest } = comparisonOf(courses, { instances: 4, bound: 0.6 });
    const constrained = [0, 0, 0, 0.5];
    const told = boundGaps({
      ...rest,
      trials: trials.map((trial, i) => ({
        ...trial,
        settings: { ...trial.settings, hosts: 4, services: 8, constrained: constrained[i] },
      })),
    });
    expect(told).toEqual([
      { servicesPerHost: 2, constrained: 0, instances: 2, gap: expect.closeTo(0.6 / 0.45 - 1, 12) },
      { servicesPerHost: 2, constrained: 0.5, instances: 1, gap: expect.closeTo(0.5, 12) },
    ]);
    expect(boundGaps(comparisonOf(courses, { instances: 2, stopped: ["milp"] }))).toEqual([]);
  });
});

describe("two criteria", () => {
  test("an algorithm is beaten by those as good in both and better in one", () => {
    const comparison = comparisonOf({
      near: (i) => (i < 20 ? null : 0.9),
      sure: () => 0.5,
      same: () => 0.5,
      worse: (i) => (i < 30 ? null : 0.4),
      never: () => null,
    });
    expect(beatenBy(comparison.qualities)).toEqual([0, 0, 0, 3, 4]);
  });
});

describe("a sweep", () => {
  test("makes so many instances of every combination, each with a seed of its own", () => {
    const all = settingsOf({ ...fractionalSweeps.packing, instances: 2, seed: 7 });
    expect(all).toHaveLength(3 * 3 * 9 * 3 * 3 * 2);
    expect(new Set(all.map(({ seed }) => seed)).size).toBe(all.length);
    // Needs of half a host on average, however many services there are.
    expect(new Set(all.map(({ load, services, hosts }) => (load * hosts) / services))).toEqual(
      new Set([0.5]),
    );
    const next = settingsOf({ ...fractionalSweeps.packing, instances: 2, seed: 8 });
    expect(next.some(({ seed }) => all.some((one) => one.seed === seed))).toBe(false);
  });
});

describe("studyFractional", () => {
  const small = {
    hosts: [4],
    slack: [0.4],
    variation: [0.5],
    constrained: [0, 0.5],
    services: [8],
    instances: 2,
  };
  const withoutSeconds = (comparison: Comparison | undefined): unknown =>
    comparison?.trials.map(({ bound, attempts }) => ({
      bound,
      attempts: attempts.map(({ algorithm, minYield }) => ({ algorithm, minYield })),
    }));
  let result: FractionalResult;
  beforeAll(async () => {
    result = await studyFractional(solver, { parts: ["optimal"], sweep: small });
  });

  test("holds nobody above the optimum, and the optimum not above the bound", () => {
    const { trials, algorithms } = result.optimal!;
    expect(algorithms).toEqual(comparedAlgorithms.optimal);
    expect(trials).toHaveLength(4);
    for (const { bound, attempts } of trials) {
      const [milp, ...others] = attempts;
      expect(milp.minYield!).toBeLessThanOrEqual(bound! + 1e-6);
      for (const { minYield } of others) expect(minYield ?? 0).toBeLessThanOrEqual(milp.minYield! + 1e-6);
    }
  });

  test("makes the same figures of the same seed, whoever else competes", async () => {
    const again = await studyFractional(solver, { parts: ["optimal"], sweep: small });
    expect(withoutSeconds(again.optimal)).toEqual(withoutSeconds(result.optimal));
    const two = await studyFractional(solver, {
      parts: ["optimal"],
      sweep: small,
      algorithms: ["rrndnz", "greedy"],
    });
    const of = ({ trials, algorithms }: Comparison, name: string) =>
      trials.map(({ attempts }) => attempts[algorithms.indexOf(name)].minYield);
    for (const name of ["rrndnz", "greedy"])
      expect(of(two.optimal!, name)).toEqual(of(result.optimal!, name));
  });

  test("the greedy part has all 49, and the best of them is what greedy finds", async () => {
    const sweep = { ...small, hosts: [4, 8], dimensions: [2] };
    const { greedy, packing } = await studyFractional(solver, { parts: ["greedy"], sweep });
    expect(packing).toBeUndefined();
    expect(greedy!.algorithms).toHaveLength(49);
    expect(greedy!.trials.map(({ settings }) => settings.hosts)).toEqual([4, 4, 4, 4, 8, 8, 8, 8]);
    const best = await studyFractional(solver, { parts: ["packing"], sweep, algorithms: ["greedy"] });
    for (const [i, { attempts }] of greedy!.trials.entries()) {
      const highest = Math.max(...attempts.map(({ minYield }) => minYield ?? -1));
      expect(best.packing!.trials[i].attempts[0].minYield ?? -1).toBeCloseTo(highest, 5);
    }
  });

  test("errors cost yield, and none cost nothing", async () => {
    const { errors } = await studyFractional(solver, {
      parts: ["errors"],
      algorithms: ["vp-cp-sum"],
      sweep: { hosts: [8], services: [24], instances: 6 },
    });
    expect(errors).toMatchObject({ algorithm: "vp-cp-sum", instances: 6 });
    const of = (maxError: number, threshold: number) =>
      errors!.rows.find((row) => row.maxError === maxError && row.threshold === threshold)!.realised;
    expect(of(0, 0).caps).toBeCloseTo(of(0, 0).weights, 9);
    expect(of(0.3, 0).caps).toBeLessThan(of(0, 0).caps);
    // Work conserving: never less than hard caps, with the same allocations.
    for (const { realised } of errors!.rows)
      expect(realised.weights).toBeGreaterThanOrEqual(realised.caps - 1e-9);
  });

  test("says what is asked wrongly", async () => {
    const run = (options: Parameters<typeof studyFractional>[1]) => studyFractional(solver, options);
    await expect(run({ parts: ["packing"], algorithms: ["vp"] })).rejects.toThrow(
      /no algorithm vp to compete: .*vp-cp-sum/,
    );
    await expect(run({ parts: ["packing"], algorithms: ["lp-bound"] })).rejects.toThrow(
      /no algorithm lp-bound to compete/,
    );
    await expect(run({ parts: ["errors"], algorithms: ["milp"] })).rejects.toThrow(
      /no algorithm milp to place with/,
    );
    await expect(run({ parts: ["packing"], sweep: { instances: 1e6 } })).rejects.toThrow(
      /more than 100000: give fewer/,
    );
    await expect(run({ parts: ["packing"], sweep: { slack: [1] } })).rejects.toThrow(/nothing to place/);
    await expect(run({ parts: ["packing"], sweep: { constrained: [2] } })).rejects.toThrow(
      /shares from 0 to 1, not 2/,
    );
    await expect(
      run({ parts: ["optimal"], algorithms: ["milp"], sweep: { hosts: [300], services: [300] } }),
    ).rejects.toThrow(/milp takes at most 20000 pairs/);
  });
});
