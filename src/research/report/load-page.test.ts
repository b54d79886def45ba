import { expect, test } from "vitest";

import { hostile, inventInput } from "../../report/report.fixture.ts";
import type { ReportInput } from "../../report/input.ts";
import type { StudyInput } from "./input.ts";
import { renderLoadPage } from "./load-page.ts";

const studied: ReportInput & StudyInput = {
  ...inventInput(),
  claims: [
    {
      claim: "Mix-Fit leads at high load.",
      holds: true,
      evidence: "95 % load: wait −22 % against the best single-resource heuristic.",
    },
    {
      claim: "First-fit is poor.",
      holds: false,
      evidence: "It is within 3 % of best-fit-cores at every load.",
    },
    { claim: "All policies are equal at β = 1.", holds: null, evidence: "β = 1 was not run." },
  ],
  bucketWins: {
    buckets: 300,
    jobs: 1000,
    wins: { "worse-fit-cores": 0.71, "mix-fit": 0.73, "best-fit-memory": 0.22, "best-fit-cores": 0.19 },
    soleWins: { "worse-fit-cores": 0.2, "mix-fit": 0.22, "best-fit-memory": 0.01, "best-fit-cores": 0 },
  },
};

const chapters = (page: string): (string | undefined)[] =>
  [...page.matchAll(/<section id="([a-z]+)">/g)].map((match) => match[1]);

test("a study's chapters are open and linked, after the verdict; those of a report are folded below", () => {
  const page = renderLoadPage(studied);
  expect(chapters(page)).toEqual(["verdict", "buckets", "claims"]);
  expect(page.indexOf('id="claims"')).toBeLessThan(page.indexOf('id="method" class="folded"'));
  for (const id of chapters(page)) expect(page).toContain(`<a href="#${id}">`);
});

test("claims say whether they hold here, and what decides it", () => {
  const page = renderLoadPage(studied);
  expect(page).toMatch(/Mix-Fit leads at high load.*✓ holds.*wait −22/s);
  expect(page).toMatch(/First-fit is poor.*✗ does not hold/s);
  expect(page).toMatch(/All policies are equal.*\? cannot be judged/s);
});

test("markup in claims and in the names of heuristics stays text", () => {
  const page = renderLoadPage(hostile(studied));
  expect(page).not.toMatch(/<script|<img/);
  expect(page).toContain("&lt;script&gt;");
});
