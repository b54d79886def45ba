import { provenOptima } from "../fractional/bound-gap.ts";
import type { Comparison } from "../fractional/comparison.ts";
import { difference, failed, measures, type Measure } from "../fractional/difference.ts";
import type { FractionalResult } from "../fractional/fractional.ts";
import { meanInterval, type MeanInterval } from "../fractional/interval.ts";
import { meanOf } from "../means.ts";
import { judgeClaims, type Claim, type JudgedClaim } from "./claim.ts";
import { cannotTell, type Judgement } from "./judgement.ts";
import { AS_GOOD, BOUND_NEAR_OPTIMAL, FAR_BEHIND, UP_TO_TWICE } from "./tolerances.ts";
import { percent } from "./wording.ts";

/** Judges the claims of Stillwell's slides (2014) by the comparisons that were made. */
export function judgeFractional({ packing, rounding, optimal }: FractionalResult): JudgedClaim[] {
  return [
    ...(packing === undefined ? [] : judgeClaims(packingClaims, packing, null)),
    ...(rounding === undefined ? [] : judgeClaims(roundingClaims, rounding, null)),
    ...(optimal === undefined ? [] : judgeClaims(optimalClaims, optimal, null)),
  ];
}

const packingSlides = { source: "slides, Vector-packing algorithms", pools: "any" } as const;
const roundingSlides = { source: "slides, LP-based algorithms 1/2", pools: "any" } as const;

/** Of greedy and vector packing. */
export const packingClaims: readonly Claim<Comparison>[] = [
  {
    claim: "every vector packing is closer to the best than greedy",
    ...packingSlides,
    judge: (comparison) =>
      together(packingsOf(comparison).map((name) => isLess(comparison, "dfb", name, "greedy"))),
  },
  {
    claim: "vector packings fail up to twice as often as greedy",
    ...packingSlides,
    judge: (comparison) => together(packingsOf(comparison).map((name) => failsUpToTwice(comparison, name))),
  },
  ...[
    { window: "a window of 2", suffix: "" },
    { window: "a window as wide as the dimensions", suffix: "-wd" },
  ].map(({ window, suffix }): Claim<Comparison> => ({
    claim: `choose pack dominates permutation pack, with ${window}`,
    ...packingSlides,
    judge: (comparison) =>
      together(
        ["sum", "max", "dif", "ratio"].map((by) =>
          dominates(comparison, `vp-cp-${by}${suffix}`, `vp-pp-${by}${suffix}`),
        ),
      ),
  })),
  {
    claim: "vp-cp-dif dominates vp-cp-ratio",
    ...packingSlides,
    judge: (comparison) => dominates(comparison, "vp-cp-dif", "vp-cp-ratio"),
  },
  {
    claim: "vp-cp-sum is never dominated",
    ...packingSlides,
    judge: (comparison) =>
      together(
        packingsOf(comparison)
          .filter((name) => name !== "vp-cp-sum" && !name.endsWith("-wd"))
          .map((name) => isNotDominatedBy(comparison, "vp-cp-sum", name)),
      ),
  },
  {
    claim: "lexicographical orders are dominated",
    ...packingSlides,
    judge: (comparison) =>
      together(["ff", "bf"].map((fit) => dominates(comparison, `vp-${fit}-sum`, `vp-${fit}-lex`))),
  },
  ...["ff", "bf"].map((fit): Claim<Comparison> => ({
    claim: `vp-${fit}-sum is as good as vp-${fit}-max, or better`,
    ...packingSlides,
    judge: (comparison) => isAsGood(comparison, `vp-${fit}-sum`, `vp-${fit}-max`),
  })),
];

/** Of algorithms on linear programs. */
export const roundingClaims: readonly Claim<Comparison>[] = [
  {
    claim: "rounding and diving are far behind greedy",
    ...roundingSlides,
    judge: (comparison) =>
      together(
        ["rrnd", "rrndnz", "fast-diving", "slow-diving"].map((name) => isFarBehindGreedy(comparison, name)),
      ),
  },
  {
    claim: "rrndnz fails less often than rrnd",
    ...roundingSlides,
    judge: (comparison) => isLess(comparison, "failure rate", "rrndnz", "rrnd"),
  },
];

/** Of the optimum, on small instances. */
export const optimalClaims: readonly Claim<Comparison>[] = [
  {
    claim: "the LP bound is only 4 % above the optimum",
    source: "slides, Small Problem Set: Minimum Yield vs. Free Memory",
    pools: "any",
    judge: (comparison) => {
      const pairs = provenOptima(comparison);
      // The slide speaks of means over instances, so that single tiny optima do not decide.
      const tooFar = meanInterval(
        pairs.map(({ bound, optimum }) => bound - (1 + BOUND_NEAR_OPTIMAL) * optimum),
      );
      if (tooFar === null) return cannotTell("too few instances with a proven optimum");
      const bound = meanOf(pairs.map((pair) => pair.bound));
      const optimum = meanOf(pairs.map((pair) => pair.optimum));
      return {
        holds: isBelow(tooFar, 0),
        evidence: `${bound.toFixed(3)} against ${optimum.toFixed(3)} on average, ${percent(bound / optimum - 1)} above, in ${pairs.length} instances; above the limit of ${percent(BOUND_NEAR_OPTIMAL)} by ${text(tooFar)}`,
      };
    },
  },
];

function packingsOf({ algorithms }: Comparison): string[] {
  return algorithms.filter((name) => name.startsWith("vp-"));
}

/** Holds if all hold, and does not if one does not. The evidence is that of the deciding judgements. */
function together(judgements: readonly Judgement[]): Judgement {
  if (judgements.length === 0) return cannotTell("none of them competed");
  const holds = judgements.some((each) => each.holds === false)
    ? false
    : judgements.some((each) => each.holds === null)
      ? null
      : true;
  const deciding = judgements.filter((each) => each.holds === holds).map(({ evidence }) => evidence);
  const others = deciding.length - MAX_SHOWN;
  const end = others > 0 ? `; and ${others} more` : "";
  return { holds, evidence: deciding.slice(0, MAX_SHOWN).join("; ") + end };
}

/** The largest number of judgements quoted as evidence; the table has all of them. */
const MAX_SHOWN = 4;

function isLess(comparison: Comparison, measure: Measure, one: string, other: string): Judgement {
  const more = difference(comparison, measure, one, other);
  if (more === null) return tooFew(one, other);
  return { holds: isBelow(more, 0), evidence: `${one} against ${other}: ${measure} ${text(more)}` };
}

function isFarBehindGreedy(comparison: Comparison, name: string): Judgement {
  const more = difference(comparison, "dfb", name, "greedy");
  const greedy = comparison.qualities.find(({ algorithm }) => algorithm === "greedy");
  if (more === null || greedy === undefined) return tooFew(name, "greedy");
  const isNear = isBelow(more, (FAR_BEHIND - 1) * greedy.dfbMean);
  return {
    holds: isNear === null ? null : !isNear,
    evidence: `${name}: dfb ${text(more)} to greedy's ${greedy.dfbMean.toFixed(3)}`,
  };
}

function failsUpToTwice(comparison: Comparison, name: string): Judgement {
  const [i, greedy] = [comparison.algorithms.indexOf(name), comparison.algorithms.indexOf("greedy")];
  if (greedy < 0) return tooFew(name, "greedy");
  const more = meanInterval(
    comparison.trials.map((trial) => failed(trial, i) - UP_TO_TWICE * failed(trial, greedy)),
  );
  if (more === null) return tooFew(name, "greedy");
  const rate = (of: number): string => percent(comparison.qualities[of]!.failureRate);
  return {
    holds: isBelow(more, 0),
    evidence: `${name} ${rate(i)}, greedy ${rate(greedy)}; over ${UP_TO_TWICE} times by ${text(more)}`,
  };
}

/** Better in some measure, and as good in all. */
function dominates(comparison: Comparison, one: string, other: string): Judgement {
  const standing = compare(comparison, one, other);
  if (standing === null) return tooFew(one, other);
  const { isWorse, isBetter, evidence } = standing;
  return { holds: isWorse ? false : isBetter ? true : null, evidence };
}

function isNotDominatedBy(comparison: Comparison, one: string, other: string): Judgement {
  const standing = compare(comparison, other, one);
  if (standing === null) return tooFew(one, other);
  const { isWorse, isBetter, evidence } = standing;
  return { holds: isWorse || !isBetter, evidence };
}

function isAsGood(comparison: Comparison, one: string, other: string): Judgement {
  const standing = compare(comparison, one, other);
  if (standing === null) return tooFew(one, other);
  return { holds: !standing.isWorse, evidence: standing.evidence };
}

/** Whether `one` is clearly worse, and clearly better, in one of the measures; `null`: too few instances. */
function compare(
  comparison: Comparison,
  one: string,
  other: string,
): { isWorse: boolean; isBetter: boolean; evidence: string } | null {
  const found: MeanInterval[] = [];
  for (const measure of measures) {
    const more = difference(comparison, measure, one, other);
    if (more === null) return null;
    found.push(more);
  }
  return {
    isWorse: found.some(({ low }) => low > AS_GOOD),
    isBetter: found.some(({ high }) => high < -AS_GOOD),
    evidence: `${one} against ${other}: ${measures.map((measure, i) => `${measure} ${text(found[i]!)}`).join(", ")}`,
  };
}

/** `null` if the limit lies within the interval: more instances could decide. */
function isBelow({ low, high }: MeanInterval, limit: number): boolean | null {
  return high <= limit ? true : low > limit ? false : null;
}

function tooFew(one: string, other: string): Judgement {
  return cannotTell(`${one} and ${other} have too few instances in common`);
}

/** `−0.110 (95 %: −0.120 to −0.100)`. */
function text({ mean, low, high }: MeanInterval): string {
  return `${signed(mean)} (95 %: ${signed(low)} to ${signed(high)})`;
}

function signed(value: number): string {
  const size = Math.abs(value).toFixed(3);
  return Number(size) === 0 ? "0" : `${value < 0 ? "−" : "+"}${size}`;
}
