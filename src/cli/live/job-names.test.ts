import { expect, it } from "vitest";

import { jobNames } from "./farm.ts";

it("takes numbers and ranges, and says what is wrong with others", () => {
  expect(jobNames(["3", "5-7,9"])).toEqual(["3", "5", "6", "7", "9"]);
  expect(jobNames(["1-100000"])).toHaveLength(100_000);
  expect(() => jobNames(["7-5"])).toThrow("7-5 is no range of jobs: give one such as 12-20");
  expect(() => jobNames(["1-100001"])).toThrow(
    "1-100001 are more jobs than a range may have (100000): choose them by what they are (--state waiting",
  );
  expect(() => jobNames(["1.5"])).toThrow('"1.5" is no job: give its number');
});
