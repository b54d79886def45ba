import * as fc from "fast-check";
import { expect, it } from "vitest";

import { quantiles } from "./quantiles.ts";

const anyValue = fc.oneof(
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  fc.nat(10),
  fc.nat(2_000_000),
  fc.constantFrom(0, Number.MIN_VALUE, Number.MAX_VALUE, 30, 30.000000000000004),
);

it("the quantiles are the values of those ranks once sorted", () => {
  fc.assert(
    fc.property(
      fc.array(anyValue, { minLength: 1, maxLength: 200 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
      (values, parts) => {
        const sorted = [...values].sort((a, b) => a - b);
        const wanted = [0, 0.5, 0.95, 1, ...parts];
        const expected = wanted.map((part) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]);
        const column = Float64Array.from(values);
        expect(quantiles(column, wanted)).toEqual(expected);
        expect(Array.from(column)).toEqual(values);
      },
    ),
    { numRuns: 50 },
  );
});

it.each([
  ["that differ", (i: number) => (i * 7919) % 100_003],
  ["most of which differ in their last bits only", (i: number) => (i % 7 === 0 ? i : 1 + i * 1e-9)],
  ["most of which differ in the very last bits", (i: number) => (i % 7 === 0 ? i : 1 + (i % 50) * 2 ** -52)],
  ["most of which are the same", (i: number) => (i % 7 === 0 ? i : 30)],
  ["that are all the same", () => 0],
])("the same of many values %s", (_, valueOf) => {
  const values = Float64Array.from({ length: 100_000 }, (_, i) => valueOf((i * 31) % 100_000));
  const before = values.slice();
  const sorted = values.toSorted();
  const wanted = [0, 0.1, 0.5, 0.6, 0.85, 0.95, 1];
  expect(quantiles(values, wanted)).toEqual(
    wanted.map((part) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]),
  );
  expect(values).toEqual(before);
});

it("a part of a longer array has quantiles of its own", () => {
  expect(quantiles(Float64Array.of(9, 1, 2, 3, 9).subarray(1, 4), [0.5, 1])).toEqual([2, 3]);
});

it("no values: 0", () => {
  expect(quantiles(new Float64Array(0), [0.5, 1])).toEqual([0, 0]);
});
