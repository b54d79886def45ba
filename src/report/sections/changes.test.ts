import { expect, test } from "vitest";

import { changesFigure } from "./changes.ts";

const drawn = (values: readonly number[]): string =>
  changesFigure(
    "changes",
    "Mean wait",
    values.map((value, index) => ({ name: `p${index}`, index, value, interval: null })),
    "",
  ).text;

test.each([
  // The first would be a hair beside the line.
  [[-0.08, 0.04, 3.61, 3.77], "p2, p3"],
  [[-0.6, 3.61], null],
  [[-0.3, 0.9, 1.5], null],
  [[0.02, 0.9], null],
  [[0.9, 4.1], "p1"],
  [[2, 3], null],
  [[2, 5], "p1"],
])("of changes of %j those that squeeze the others are named instead", (values, names) => {
  const text = drawn(values);
  if (names === null) expect(text).not.toContain("Too far");
  else expect(text).toContain(`Too far to the right to be drawn: ${names}.`);
});
