import { expect, test } from "vitest";

import { claimsPage, claimsParts, isMadeBy, type StoredClaim } from "../../scripts/claims-page.ts";

const claims: StoredClaim[] = [
  {
    claim: "a|b",
    source: "Table 1",
    holds: true,
    evidence: "1 against 2.",
    figures: "fitted",
    alone: {
      parts: "weeks",
      count: 5,
      judged: 5,
      holding: 4,
      interval: { what: "change", unit: "change", value: -0.481, low: -0.52, high: -0.442 },
    },
  },
  { claim: "c", source: "Table 2", holds: false, evidence: "3" },
  { claim: "d", source: "Table 3", holds: null, evidence: "said of pool A, not of this workload" },
];

test("the page of claims counts, tells what was fitted, and leaves out what speaks of another pool", () => {
  const page = claimsPage(({ name }) => (name === "packing" ? claims : null));
  expect(page).toContain("| Dal Pra 2014 | 2 | 1 | 0 | 1 | 0 | 0 |");
  expect(page).toContain(
    "| a\\|b (Table 1) | holds | fitted | 1 against 2 | change −48.1 % (95 %: −52.0 % to −44.2 %); holds in 4 of 5 weeks |",
  );
  expect(page).toContain("| c (Table 2) | does not hold | predicted | 3 | – |");
  expect(page).not.toContain("Table 3");
  expect(page.match(/Not made yet\./g)).toHaveLength(claimsParts.length - 1);
});

test("results of another command are not taken for a part's", () => {
  const part = claimsParts.find(({ name }) => name === "packing")!;
  expect(isMadeBy("croft study packing --threads 1 --quiet --out results/packing", part)).toBe(true);
  expect(isMadeBy("croft study packing --jobs 50000 --out results/packing", part)).toBe(false);
});
