import { describe, expect, it } from "vitest";

import { farJobs } from "./far-jobs.ts";

const DAY = 86_400;
const MARCH = 1_772_352_000;
/** A month of a job a day. */
const month = Array.from({ length: 30 }, (_, day) => MARCH + day * DAY);

function found(...submitSeconds: readonly number[]) {
  return farJobs(
    Float64Array.from(submitSeconds),
    Float64Array.from(submitSeconds, (_, row) => 100 + row),
  );
}

describe("jobs submitted far from the others", () => {
  it.each([
    ["before", [0, ...month], { count: 1, firstNumber: 100 }],
    ["after", [...month, MARCH * 1000], { count: 1, firstNumber: 130 }],
    ["on both sides", [0, 1e8, ...month, MARCH * 1000], { count: 3, firstNumber: 100 }],
    [
      "as another year's log",
      [...month.slice(0, 3).map((at) => at - 3650 * DAY), ...month],
      { count: 3, firstNumber: 100 },
    ],
  ] as const)("are found %s", (_where, submits, expected) => {
    expect(found(...submits)).toEqual(expected);
  });

  it.each([
    ["one job", [0]],
    ["a month", month],
    ["a shut-down of three months", [...month, ...month.map((at) => at + 120 * DAY)]],
    ["a few jobs over months", [0, 90 * DAY, 180 * DAY]],
  ] as const)("are none: %s", (_what, submits) => {
    expect(found(...submits)).toBeNull();
  });

  it("have their row's number if the log tells none", () => {
    expect(farJobs(Float64Array.from([...month, MARCH * 1000]), null)).toEqual({ count: 1, firstNumber: 31 });
  });
});
