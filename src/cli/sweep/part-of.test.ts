import { expect, test } from "vitest";

import { partOf } from "./part-of.ts";

test("which jobs of a log are taken is told, where not all are", () => {
  expect(partOf({ from: null, until: null, jobs: null })).toEqual({});
  expect(partOf({ from: "2013-11-05", until: "86400", jobs: 6000 })).toEqual({
    part: "the first 6,000 jobs from 2013-11-05 until 86400",
  });
  expect(partOf({ from: null, until: null, jobs: 500, generate: {} })).toEqual({ part: "500 jobs" });
});
