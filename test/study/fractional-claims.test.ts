import { describe, expect, test } from "vitest";

import { judgeFractional, type FractionalResult } from "../../src/research/study/index.ts";
import { optimalClaims, packingClaims, roundingClaims } from "../../src/research/study/claims/fractional.ts";
import { comparisonOf, type Course } from "./fractional.fixture.ts";

/** About that much, a little more or less from instance to instance. */
const near =
  (level: number): Course =>
  (i) =>
    level + (i % 5) / 1000;

/** The same, and nothing in one of so many instances. */
const failing =
  (level: number, every: number): Course =>
  (i) =>
    i % every === 0 ? null : near(level)(i);

const packings: Record<string, Course> = {
  greedy: failing(0.5, 4),
  "vp-pp-sum": near(0.7),
  "vp-pp-max": near(0.7),
  "vp-pp-dif": near(0.7),
  "vp-pp-ratio": near(0.6),
  "vp-cp-sum": near(0.8),
  "vp-cp-max": near(0.75),
  "vp-cp-dif": near(0.75),
  "vp-cp-ratio": near(0.7),
  "vp-ff-lex": near(0.6),
  "vp-ff-max": near(0.78),
  "vp-ff-sum": near(0.79),
  ...wide("pp", 0.7),
  ...wide("cp", 0.75),
  "vp-bf-lex": near(0.6),
  "vp-bf-max": near(0.78),
  "vp-bf-sum": near(0.78),
};

/** Permutation or Choose Pack with a window as wide as the dimensions, by each key. */
function wide(kind: "pp" | "cp", minYield: number): Record<string, Course> {
  return Object.fromEntries(
    ["sum", "max", "dif", "ratio"].map((by) => [`vp-${kind}-${by}-wd`, near(minYield)]),
  );
}

const packing = (changes: Record<string, Course>, instances = 40): FractionalResult => ({
  packing: comparisonOf({ ...packings, ...changes }, { instances }),
});

const roundings: Record<string, Course> = {
  rrnd: failing(0.3, 2),
  rrndnz: failing(0.3, 5),
  "fast-diving": near(0.3),
  "slow-diving": near(0.3),
  greedy: near(0.8),
  // Someone is better than greedy at times, or its distance from the best would be 0.
  other: (i) => (i % 2 === 0 ? 0.9 : 0.1),
};

const rounding = (changes: Record<string, Course>): FractionalResult => ({
  rounding: comparisonOf({ ...roundings, ...changes }, { instances: 100 }),
});

const cases: readonly [claim: string, holding: FractionalResult, failing: FractionalResult][] = [
  [
    "every vector packing is closer to the best than greedy",
    packing({}),
    packing({ "vp-bf-lex": near(0.49) }),
  ],
  [
    "vector packings fail up to twice as often as greedy",
    packing({ "vp-ff-lex": failing(0.6, 4) }),
    packing({ "vp-ff-lex": (i) => (i % 4 === 3 ? 0.6 : null) }, 400),
  ],
  [
    "choose pack dominates permutation pack, with a window of 2",
    packing({}),
    packing({ "vp-pp-dif": near(0.76) }),
  ],
  [
    "choose pack dominates permutation pack, with a window as wide as the dimensions",
    packing({}),
    packing({ "vp-pp-max-wd": near(0.76) }),
  ],
  ["vp-cp-dif dominates vp-cp-ratio", packing({}), packing({ "vp-cp-ratio": near(0.9) })],
  ["vp-cp-sum is never dominated", packing({}), packing({ "vp-ff-max": near(0.82) })],
  ["lexicographical orders are dominated", packing({}), packing({ "vp-ff-lex": near(0.8) })],
  ["vp-ff-sum is as good as vp-ff-max, or better", packing({}), packing({ "vp-ff-max": near(0.8) })],
  [
    "vp-bf-sum is as good as vp-bf-max, or better",
    packing({ "vp-bf-max": near(0.784) }),
    packing({ "vp-bf-max": near(0.79) }),
  ],
  ["rounding and diving are far behind greedy", rounding({}), rounding({ rrndnz: near(0.78) })],
  ["rrndnz fails less often than rrnd", rounding({}), rounding({ rrndnz: failing(0.3, 1) })],
  [
    "the LP bound is only 4 % above the optimum",
    { optimal: comparisonOf({ milp: near(0.79) }, { bound: 0.82 }) },
    { optimal: comparisonOf({ milp: near(0.79) }, { bound: 0.86 }) },
  ],
];

function judged(claim: string, result: FractionalResult) {
  const found = judgeFractional(result).filter((each) => each.claim === claim);
  expect(found).toHaveLength(1);
  return found[0];
}

describe("the claims of the slides", () => {
  test.for(cases)("%s: holds, and does not", ([claim, holding, failing]) => {
    expect(judged(claim, holding)).toMatchObject({ holds: true });
    expect(judged(claim, failing)).toMatchObject({ holds: false });
  });

  test("all have a case in each direction", () => {
    const all = [...packingClaims, ...roundingClaims, ...optimalClaims].map(({ claim }) => claim);
    expect(cases.map(([claim]) => claim).sort()).toEqual(all.sort());
  });

  test("cannot be judged by a few instances, and say so", () => {
    const few = judgeFractional({
      packing: comparisonOf(packings, { instances: 29 }),
      rounding: comparisonOf(roundings, { instances: 29 }),
      optimal: comparisonOf({ milp: near(0.79) }, { instances: 29 }),
    });
    expect(few.filter(({ holds }) => holds !== null)).toEqual([]);
    expect(few.every(({ evidence }) => evidence.includes("too few instances"))).toBe(true);
  });

  test("are left out where the comparison was not held, and undecided where someone did not compete", () => {
    expect(judgeFractional({})).toEqual([]);
    const { greedy: _greedy, ...others } = packings;
    expect(
      judged("every vector packing is closer to the best than greedy", { packing: comparisonOf(others) }),
    ).toMatchObject({ holds: null });
  });

  test("an optimum that was not proven in time is none", () => {
    const result = { optimal: comparisonOf({ milp: near(0.79) }, { bound: 0.8, stopped: ["milp"] }) };
    expect(judged("the LP bound is only 4 % above the optimum", result)).toMatchObject({ holds: null });
  });
});
