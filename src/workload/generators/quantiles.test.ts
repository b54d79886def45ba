import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exp2, log2, LogQuantiles } from "./quantiles.ts";
import { Balanced, Random, Weighted } from "../random.ts";

test("exp2 and log2 are those of the engine, to 12 digits", () => {
  fc.assert(
    fc.property(fc.double({ min: -40, max: 40, noNaN: true }), (x) => {
      expect(Math.abs(exp2(x) / 2 ** x - 1)).toBeLessThan(1e-12);
      expect(Math.abs(log2(2 ** x) - x)).toBeLessThan(1e-12 * 40);
    }),
  );
});

test("a table's points are its quantiles, with straight lines between their logarithms", () => {
  const table = new LogQuantiles([
    [0, 1],
    [0.5, 4],
    [1, 400],
  ]);
  expect([0, 0.25, 0.5, 0.75].map((u) => Number(table.at(u).toFixed(9)))).toEqual([1, 2, 4, 40]);
});

test("a table's mean is that of its values", () => {
  const table = new LogQuantiles([
    [0, 1],
    [0.3, 1],
    [0.9, 50],
    [1, 9000],
  ]);
  const steps = 200_000;
  let sum = 0;
  for (let i = 0; i < steps; i++) sum += table.at((i + 0.5) / steps);
  expect(table.mean() / (sum / steps)).toBeCloseTo(1, 6);
});

test("weights are the probabilities", () => {
  const random = new Random(7);
  const weighted = new Weighted([1, 0, 3, 6]);
  const drawn = [0, 0, 0, 0];
  for (let i = 0; i < 100_000; i++) drawn[weighted.draw(random)]++;
  expect(drawn.map((n) => Number((n / 100_000).toFixed(2)))).toEqual([0.1, 0, 0.3, 0.6]);
});

test("balanced draws give sizes in proportion although one item is as large as a thousand", () => {
  const random = new Random(7);
  const balanced = new Balanced([1, 3, 6]);
  const sizes = [0, 0, 0];
  for (let i = 0; i < 10_000; i++) {
    const size = i % 500 === 0 ? 1000 : 1;
    const index = balanced.draw(random);
    balanced.credit(index, size);
    sizes[index] += size;
  }
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(sizes[0] / total).toBeCloseTo(0.1, 1);
  expect(sizes[2] / total).toBeCloseTo(0.6, 1);
});
