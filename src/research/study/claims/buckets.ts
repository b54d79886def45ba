import type { BucketsResult, HeuristicWins } from "../buckets/buckets.ts";
import { singleResource } from "../heuristics.ts";
import type { Claim } from "./claim.ts";
import { cannotTell, type DecidingFigure, type Judgement } from "./judgement.ts";
import { CLEAR_SHARE, SIMILAR_SHARE } from "./tolerances.ts";
import { list, percent, points, pointsLimit } from "./wording.ts";

/** The claims of Shai 2014, sections 3.3 and 4.2, about buckets of jobs. */
export const bucketClaims: readonly Claim<BucketsResult>[] = [
  {
    claim: "worse-fit-cores wins the most buckets of the single-resource heuristics",
    source: "section 3.3, Figure 3.5",
    pools: "any",
    judge: (result) =>
      amongSingles(result, (wins) => ({
        holds: singleResource.every((name) => wins("worse-fit-cores") >= wins(name)),
        figure: lead("worse-fit-cores", singleResource, wins),
        evidence: singlesText(wins),
      })),
  },
  {
    claim: "worse-fit-cores outperforms the other single-resource heuristics clearly",
    source: "section 3.3, Figure 3.5",
    pools: ["a"],
    judge: (result) =>
      amongSingles(result, (wins) => {
        const figure = lead("worse-fit-cores", singleResource, wins);
        return {
          holds: figure.value >= CLEAR_SHARE,
          figure,
          evidence: `${points(figure.value)} over the next; clearly: ${pointsLimit(CLEAR_SHARE)} or more`,
        };
      }),
  },
  {
    claim: "no single-resource heuristic wins all buckets",
    source: "section 3.3",
    pools: "any",
    judge: (result) =>
      amongSingles(result, (wins) => {
        const most = Math.max(...singleResource.map(wins));
        return {
          holds: most < 1,
          figure: { what: "the most", value: most, unit: "percent" },
          evidence: `the most: ${percent(most)} of ${result.buckets} buckets`,
        };
      }),
  },
  {
    claim: "worse-fit-cores loses 6 to 37 % of the buckets",
    source: "section 3.3",
    pools: "any",
    judge: (result) =>
      amongSingles(result, (wins) => {
        const lost = 1 - wins("worse-fit-cores");
        const wholePercent = Math.round(lost * 100);
        return {
          holds: wholePercent >= 6 && wholePercent <= 37,
          figure: { what: "lost", value: lost, unit: "percent" },
          evidence: `it loses ${percent(lost)}`,
        };
      }),
  },
  {
    claim: "there is little between best-fit-memory, worse-fit-memory and best-fit-cores",
    source: "section 3.3, Figure 3.5",
    pools: "any",
    judge: (result) => amongSingles(result, (wins) => littleBetween(theOtherThree, wins)),
  },
  {
    claim: "worse-fit-memory is slightly better than best-fit-memory and best-fit-cores",
    source: "section 3.3, Figure 3.5",
    pools: "any",
    judge: (result) =>
      amongSingles(result, (wins) => {
        const figure = lead("worse-fit-memory", ["best-fit-memory", "best-fit-cores"], wins);
        return {
          holds: figure.value > 0 && figure.value <= SIMILAR_SHARE,
          figure,
          evidence: `${points(figure.value)} over the better of the two; slightly: at most ${pointsLimit(SIMILAR_SHARE)}`,
        };
      }),
  },
  {
    claim: "there is little between any of the single-resource heuristics",
    source: "section 3.3, Figure 3.5",
    pools: ["d"],
    judge: (result) => amongSingles(result, (wins) => littleBetween(singleResource, wins)),
  },
  {
    claim: "mix-fit wins the most buckets, by a small margin",
    source: "section 4.2, Figure 4.4",
    pools: ["a"],
    judge: (result) =>
      amongAll(result, (wins) => {
        const figure = lead("mix-fit", singleResource, wins);
        return {
          holds: figure.value > 0 && figure.value <= SIMILAR_SHARE,
          figure,
          evidence: `mix-fit ${percent(wins("mix-fit"))}, ${points(figure.value)} over the best of the others; small: at most ${pointsLimit(SIMILAR_SHARE)}`,
        };
      }),
  },
  {
    claim: "mix-fit performs similarly to worse-fit-cores",
    source: "section 4.2, Figure 4.4",
    pools: ["b", "d"],
    judge: (result) =>
      amongAll(result, (wins) => ({
        holds: Math.abs(wins("mix-fit") - wins("worse-fit-cores")) <= SIMILAR_SHARE,
        figure: lead("mix-fit", ["worse-fit-cores"], wins),
        evidence: mixAgainstWorse(wins),
      })),
  },
  {
    claim: "mix-fit is slightly outperformed by worse-fit-cores",
    source: "section 4.2, Figure 4.4",
    pools: ["c"],
    judge: (result) =>
      amongAll(result, (wins) => {
        const behind = wins("worse-fit-cores") - wins("mix-fit");
        return {
          holds: behind > 0 && behind <= SIMILAR_SHARE,
          figure: lead("mix-fit", ["worse-fit-cores"], wins),
          evidence: mixAgainstWorse(wins),
        };
      }),
  },
];

const theOtherThree = ["best-fit-memory", "worse-fit-memory", "best-fit-cores"];

/** The share of the buckets that a heuristic won. */
type Wins = (heuristic: string) => number;

/** Judges by Figure 3.5: the four single-resource heuristics among themselves. */
function amongSingles(result: BucketsResult, judge: (wins: Wins) => Judgement): Judgement {
  return among(result, result.singleResource, singleResource, judge);
}

/** Judges by Figure 4.4: those and mix-fit. */
function amongAll(result: BucketsResult, judge: (wins: Wins) => Judgement): Judgement {
  return among(result, result.heuristics, [...singleResource, "mix-fit"], judge);
}

function among(
  { buckets, jobsPerBucket, tiedBuckets }: BucketsResult,
  rows: readonly HeuristicWins[],
  needed: readonly string[],
  judge: (wins: Wins) => Judgement,
): Judgement {
  if (buckets === 0) return cannotTell(`there is no complete bucket of ${jobsPerBucket} jobs`);
  // All heuristics win every bucket: such figures would support or refute any claim, so they say nothing.
  if (tiedBuckets === buckets) {
    return cannotTell("in every bucket all heuristics match the same number of jobs");
  }
  const shareOf = new Map(rows.map((row) => [row.heuristic, row.winShare]));
  const missing = needed.filter((name) => !shareOf.has(name));
  if (missing.length > 0) return cannotTell(`did not compete: ${list(missing)}`);
  return judge((name) => shareOf.get(name)!);
}

/** By how much a heuristic wins more than the best of others, itself not among them. */
function lead(heuristic: string, others: readonly string[], wins: Wins): DecidingFigure {
  const best = Math.max(...others.filter((name) => name !== heuristic).map(wins));
  return { what: `lead of ${heuristic}`, value: wins(heuristic) - best, unit: "points" };
}

function littleBetween(names: readonly string[], wins: Wins): Judgement {
  const shares = names.map(wins);
  const spread = Math.max(...shares) - Math.min(...shares);
  return {
    holds: spread <= SIMILAR_SHARE,
    figure: { what: "from least to most", value: spread, unit: "points" },
    evidence: `${list(names.map((name) => `${name} ${percent(wins(name))}`))}: ${points(spread)} from least to most; little: at most ${pointsLimit(SIMILAR_SHARE)}`,
  };
}

function singlesText(wins: Wins): string {
  return list(singleResource.map((name) => `${name} ${percent(wins(name))}`));
}

function mixAgainstWorse(wins: Wins): string {
  const difference = wins("mix-fit") - wins("worse-fit-cores");
  return `mix-fit ${percent(wins("mix-fit"))}, worse-fit-cores ${percent(wins("worse-fit-cores"))}: ${points(difference)}; similar: within ${pointsLimit(SIMILAR_SHARE)}`;
}
