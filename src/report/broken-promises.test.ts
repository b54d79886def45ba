import { expect, it } from "vitest";

import { delayNames, policies } from "../core/index.ts";
import { delayText } from "../simulation/index.ts";
import { brokenPromises, promiseOfPolicy } from "./broken-promises.ts";

it("says how many jobs started later than promised, the most frequent reason first", () => {
  const run = { promised: 3351, promiseDelayMaxSeconds: 207 };
  expect(brokenPromises({ ...run, promisesBroken: { "machine lost": 3, overrun: 338 } })).toBe(
    "341 of 3,351 promised jobs started later than first promised, by 3.45\u00a0min at most: 338 after a job ran for longer than expected, 3 after a machine failed, was drained or made smaller",
  );
  expect(brokenPromises({ promisesBroken: { overrun: 1 }, promised: 2, promiseDelayMaxSeconds: 5 })).toBe(
    "1 of 2 promised jobs started later than first promised, by 5.00\u00a0s at most, after a job ran for longer than expected",
  );
});

it("says nothing where every promise was kept, or none was made", () => {
  expect(brokenPromises({ promisesBroken: {} })).toBeNull();
  expect(brokenPromises({})).toBeNull();
});

it("has words for every delay", () => {
  for (const name of delayNames.slice(1))
    expect(brokenPromises({ promisesBroken: { [name]: 1 } })).toMatch(/, (after|as) /);
});

it("names the jobs that moved a promise, where they are known", () => {
  expect(delayText("overrun", [7])).toBe("after job 7 ran for longer than expected");
  expect(delayText("higher rank", [7, 9])).toBe("after jobs 7, 9 came, which go first");
});

it("says what each backfilling policy promises", () => {
  for (const { name } of policies.filter(({ needsEstimates }) => needsEstimates))
    expect(promiseOfPolicy(`${name}/best-fit-cores`)).toMatch(/ promised a time/);
  expect(promiseOfPolicy("backfill:1")).toMatch(/^The first waiting job is promised/);
  expect(promiseOfPolicy("backfill:1000")).toMatch(/^The first 1,000 waiting jobs are promised/);
  expect(promiseOfPolicy("first-fit")).toBeNull();
});
