import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nameHeight, nameLines, rowsOf } from "./label.ts";

test.each([
  ["best-fit-cores", ["best-fit-cores"]],
  ["GreedyPM */per/MVT", ["GreedyPM */per/MVT"]],
  ["easy/best-fit-cores", ["easy/", "best-fit-cores"]],
  ["conservative/worse-fit-memory", ["conservative/", "worse-fit-memory"]],
  ["exclusive 1h, mix-fit", ["exclusive 1h,", "mix-fit"]],
  ["GreedyPM */stretch-per/MVT", ["GreedyPM */", "stretch-per/MVT"]],
  ["max-jobs every 30 s", ["max-jobs", "every 30 s"]],
  ["first-fit-decreasing", ["first-fit-", "decreasing"]],
  ["relaxed, easy-sjbf/best-fit-memory, every 30 s", ["relaxed, easy-sjbf", "…emory, every 30 s"]],
])("%s", (name, lines) => {
  expect(nameLines(name)).toEqual(lines);
});

test("every name takes one line or two, none too long, and only what cannot fit is cut", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z/ ,*-]{1,60}$/), (name) => {
      const lines = nameLines(name);
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(18);
      const bare = (text: string): string => text.replaceAll(" ", "");
      if (name.length <= 36) expect(bare(lines.join(""))).toBe(bare(name));
    }),
  );
});

test("two lines stand closer to each other than two names", () => {
  const one = nameHeight("first-fit");
  expect(nameHeight("easy/best-fit-cores")).toBe(2 * one);
  expect(one).toBeGreaterThan(13);
});

test("rows are as high as their names", () => {
  // 24, 34 and 24 from 8 on.
  expect(rowsOf(["fcfs", "easy/best-fit-cores", "mix-fit"], 8, 24)).toEqual({
    middles: [20, 49, 78],
    bottom: 90,
  });
});
