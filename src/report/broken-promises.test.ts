import { expect, it } from "vitest";

import { delayNames } from "../core/index.ts";
import { brokenPromises } from "./broken-promises.ts";

it("says how many jobs started later than promised, the most frequent reason first", () => {
  expect(brokenPromises({ promisesBroken: { "machine lost": 3, overrun: 38 } })).toBe(
    "41 jobs started later than first promised: 38 after a job ran for longer than expected, 3 after a machine failed, was drained or made smaller",
  );
  expect(brokenPromises({ promisesBroken: { overrun: 1 } })).toBe(
    "1 job started later than first promised, after a job ran for longer than expected",
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
