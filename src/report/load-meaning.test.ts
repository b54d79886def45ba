import { expect, test } from "vitest";

import type { ArrivalFacts } from "./input.ts";
import { loadMeaning } from "./load-meaning.ts";
import { inventRun } from "./report.fixture.ts";
import { tabulate, type LoadRuns } from "./runs.ts";

const DAY = 86_400;
const even: ArrivalFacts = {
  spanSeconds: 30 * DAY,
  headSeconds: DAY / 3,
  head: "2026-01-01T08:00:00Z",
  days: 30,
  daysWithJobs: 30,
  longestGap: null,
};

/** Runs of thirty days at 90 % load in which so much of the cores was used. */
function used(share: number, makespanDays = 31): LoadRuns {
  const run = { ...inventRun("a", 0, 0.9, 30), beta: 1, coreUtilizationMean: share };
  return tabulate([{ ...run, makespanSeconds: makespanDays * DAY }]).loads[0];
}

const text = (load: LoadRuns, arrivals: ArrivalFacts): string =>
  (loadMeaning(load, arrivals).instead ?? "").replaceAll("\u00a0", " ");

test("a load that the machines were used at has a verdict", () => {
  expect(loadMeaning(used(0.68), even).instead).toBeNull();
  expect(text(used(0.67), even)).toMatch(
    /^there is no verdict: the machines were used to 67 % at most, far from the load that is asked for\. Jobs do not fill/,
  );
});

test("machines of queues that are idle are a reason", () => {
  expect(loadMeaning(used(0.3), even, true).instead).toContain(
    "Jobs go to the machines of their queues alone: one queue's may be full while those of others are idle.",
  );
  expect(loadMeaning(used(0.68), even, true).instead).toBeNull();
});

test("one long job, a log cut by end times, and days without submissions are the reasons", () => {
  expect(text(used(0.3, 60), even)).toContain("The last job ends 30.0 d after the last submission");
  expect(text(used(0.3), { ...even, headSeconds: 7 * DAY, head: "2026-01-08T00:00:00Z" })).toContain(
    "cut by when jobs ended, so leave its beginning out (--from 2026-01-08T00:00:00Z)",
  );
  const longestGap = { seconds: 10 * DAY, from: "100", until: "864100", isLaterLarger: true };
  expect(text(used(0.3), { ...even, longestGap })).toContain("take what is after it (--from 864100)");
  expect(text(used(0.3), { ...even, longestGap: { ...longestGap, isLaterLarger: false } })).toContain(
    "take what is before it (--to 100)",
  );
  expect(text(used(0.3), { ...even, daysWithJobs: 14 })).toContain("Jobs were submitted on 14 of 30 days.");
});
