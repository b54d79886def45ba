import { describe, expect, test } from "vitest";

import {
  bucketClaims,
  judgeClaims,
  type BucketsResult,
  type ThesisPool,
} from "../../src/research/study/index.ts";

type Shares = Record<string, number>;

/** Made-up results of 1,000 buckets; the singles' shares are the same with and without mix-fit. */
function result(shares: Shares, mixFit = 0.5): BucketsResult {
  const rows = (all: Shares) =>
    Object.entries(all).map(([heuristic, winShare]) => ({
      heuristic,
      winShare,
      wins: winShare * 1000,
      soleWins: 0,
      matchedJobsMean: 0,
    }));
  return {
    jobsPerBucket: 1000,
    buckets: 1000,
    leftOverJobs: 0,
    ineligibleJobs: 0,
    tiedBuckets: 0,
    heuristics: rows({ ...shares, "mix-fit": mixFit }),
    singleResource: rows(shares),
  };
}

/** Shares of best-fit-cores, best-fit-memory, worse-fit-cores and worse-fit-memory. */
function singles(bfc: number, bfm: number, wfc: number, wfm: number): Shares {
  return { "best-fit-cores": bfc, "best-fit-memory": bfm, "worse-fit-cores": wfc, "worse-fit-memory": wfm };
}

function judged(claim: string, figures: BucketsResult, pool: ThesisPool) {
  const found = judgeClaims(bucketClaims, figures, pool).filter((each) => each.claim.endsWith(claim));
  expect(found).toHaveLength(1);
  return found[0];
}

const cases: readonly [claim: string, pool: ThesisPool, holding: BucketsResult, failing: BucketsResult][] = [
  [
    "worse-fit-cores wins the most buckets of the single-resource heuristics",
    "b",
    result(singles(0.5, 0.5, 0.7, 0.7)),
    result(singles(0.5, 0.5, 0.7, 0.71)),
  ],
  [
    "worse-fit-cores outperforms the other single-resource heuristics clearly",
    "a",
    result(singles(0.5, 0.5, 0.7, 0.59)),
    result(singles(0.5, 0.5, 0.7, 0.61)),
  ],
  [
    "no single-resource heuristic wins all buckets",
    "c",
    result(singles(0.5, 0.5, 0.999, 0.7)),
    result(singles(0.5, 0.5, 1, 0.7)),
  ],
  [
    "worse-fit-cores loses 6 to 37 % of the buckets",
    "d",
    result(singles(0, 0, 0.63, 0)),
    result(singles(0, 0, 0.62, 0)),
  ],
  [
    "worse-fit-cores loses 6 to 37 % of the buckets",
    "d",
    result(singles(0, 0, 0.94, 0)),
    result(singles(0, 0, 0.95, 0)),
  ],
  [
    "there is little between best-fit-memory, worse-fit-memory and best-fit-cores",
    "c",
    result(singles(0.5, 0.51, 0.9, 0.54)),
    result(singles(0.5, 0.51, 0.9, 0.56)),
  ],
  [
    "worse-fit-memory is slightly better than best-fit-memory and best-fit-cores",
    "b",
    result(singles(0.5, 0.51, 0.9, 0.52)),
    result(singles(0.5, 0.51, 0.9, 0.51)),
  ],
  [
    "worse-fit-memory is slightly better than best-fit-memory and best-fit-cores",
    "b",
    result(singles(0.5, 0.51, 0.9, 0.55)),
    result(singles(0.5, 0.51, 0.9, 0.6)),
  ],
  [
    "there is little between any of the single-resource heuristics",
    "d",
    result(singles(0.9, 0.91, 0.94, 0.92)),
    result(singles(0.88, 0.91, 0.94, 0.92)),
  ],
  [
    "mix-fit wins the most buckets, by a small margin",
    "a",
    result(singles(0.5, 0.5, 0.7, 0.6), 0.73),
    result(singles(0.5, 0.5, 0.7, 0.6), 0.69),
  ],
  [
    "mix-fit wins the most buckets, by a small margin",
    "a",
    result(singles(0.5, 0.5, 0.7, 0.6), 0.71),
    result(singles(0.5, 0.5, 0.7, 0.6), 0.8),
  ],
  [
    "mix-fit performs similarly to worse-fit-cores",
    "d",
    result(singles(0.5, 0.5, 0.7, 0.6), 0.66),
    result(singles(0.5, 0.5, 0.7, 0.6), 0.64),
  ],
  [
    "mix-fit is slightly outperformed by worse-fit-cores",
    "c",
    result(singles(0.5, 0.5, 0.7, 0.6), 0.69),
    result(singles(0.5, 0.5, 0.7, 0.6), 0.7),
  ],
];

describe("claims about buckets", () => {
  test.each(cases)("%s (pool %s)", (claim, pool, holding, failing) => {
    expect(judged(claim, holding, pool).holds).toBe(true);
    expect(judged(claim, failing, pool).holds).toBe(false);
  });

  test("every claim is tested in both directions", () => {
    const tested = new Set(cases.map(([claim]) => claim));
    expect(bucketClaims.map(({ claim }) => claim).filter((claim) => !tested.has(claim))).toEqual([]);
  });

  test("the figures are told", () => {
    const { evidence, claim } = judged(cases[0][0], result(singles(0.081, 0.08, 0.8649, 0.8)), "b");
    expect(claim).toBe("worse-fit-cores wins the most buckets of the single-resource heuristics");
    expect(evidence).toBe(
      "best-fit-cores 8.1 %, best-fit-memory 8.0 %, worse-fit-cores 86.5 %, worse-fit-memory 80.0 %",
    );
  });

  test("a claim about other pools is listed and not judged", () => {
    const all = result(singles(0.5, 0.5, 0.7, 0.6));
    const elsewhere = judgeClaims(bucketClaims, all, null);
    expect(elsewhere).toHaveLength(bucketClaims.length);
    const ofPools = elsewhere.filter(({ claim }) => claim.startsWith("pool"));
    expect(ofPools).toHaveLength(bucketClaims.filter(({ pools }) => pools !== "any").length);
    for (const { holds } of ofPools) expect(holds).toBeNull();
    expect(judged("mix-fit performs similarly to worse-fit-cores", all, "c")).toMatchObject({
      holds: null,
      claim: "pools B and D: mix-fit performs similarly to worse-fit-cores",
      evidence: "said of pools B and D, not of this workload",
    });
  });

  test("without a bucket, a difference or a contestant nothing is judged", () => {
    const none = { ...result(singles(0, 0, 0, 0)), buckets: 0 };
    expect(judgeClaims(bucketClaims, none, "a").map(({ holds }) => holds)).toEqual(
      bucketClaims.map(() => null),
    );
    const tied = { ...result(singles(1, 1, 1, 1), 1), tiedBuckets: 1000 };
    expect(judgeClaims(bucketClaims, tied, "a").map(({ holds }) => holds)).toEqual(
      bucketClaims.map(() => null),
    );
    const partial = judged(cases[0][0], result({ "best-fit-cores": 1 }), "a");
    expect(partial).toMatchObject({
      holds: null,
      evidence: "did not compete: best-fit-memory, worse-fit-cores, worse-fit-memory",
    });
  });
});
