import { expect, test } from "vitest";
import { course, extremes, mostly } from "./finding.ts";

const figure = (name: string, value: number) => ({ name, value, text: `${value} h` });

test("the least and the most of several figures, and then all", () => {
  expect(extremes([figure("a", 3), figure("b", 1), figure("c", 2)])).toBe(
    "Lowest is b, 1 h; highest is a, 3 h. All: a 3 h, b 1 h, c 2 h.",
  );
  expect(extremes([figure("a", 3), figure("b", 3)])).toBe("All: a 3 h, b 3 h.");
  expect(extremes([figure("a", Number.NaN)])).toBe("No figures.");
});

test("the largest share", () => {
  expect(mostly([figure("a", 3), figure("b", 5)])).toBe("Largest is b, 5 h. All: a 3 h, b 5 h.");
  expect(mostly([])).toBe("No figures.");
});

test("a line's mean, and between what it lies", () => {
  expect(course("cores", [1, 2, 6, Number.NaN], String)).toBe("cores: 3 on average, between 1 and 6.");
  expect(course("cores", [], String)).toBe("cores: no figures.");
});
