import * as fc from "fast-check";
import { expect, test } from "vitest";
import { columnStyle, columnTitle } from "./columns.ts";
import { formatCount, formatDuration, formatNumber, formatShare } from "./numbers.ts";

const read = (values: (number | null)[], format: (value: number) => string): [string, string[]] => {
  const style = columnStyle(values, format);
  return [columnTitle("Wait", style), values.map((value) => style.text(value))];
};

test("a column has one unit, in its title, and one number of digits", () => {
  // √(26 s × 16,344 s) = 652 s = 10.9 min: minutes, to a tenth.
  expect(read([26, 16_344, 0, null], formatDuration)).toEqual(["Wait (min)", ["0.4", "272.4", "0.0", "–"]]);
  expect(read([0.494, 0.0591], formatShare)).toEqual(["Wait (%)", ["49.4", "5.9"]]);
  expect(read([1.5, 1234.56], formatNumber)).toEqual(["Wait", ["1.5", "1,234.6"]]);
  expect(read([3, 1234], formatCount)).toEqual(["Wait", ["3", "1,234"]]);
});

test("hours are not told in hundreds of minutes, where the least of them can still be read", () => {
  expect(read([360, 17_214], formatDuration)).toEqual(["Wait (h)", ["0.10", "4.78"]]);
  expect(read([300, 7200], formatDuration)).toEqual(["Wait (min)", ["5.0", "120.0"]]);
});

test("the best of a column can be told apart beside one that is many times as large", () => {
  // 1.68, 1.92 and 2.06 h beside 4.51 d: 0.07, 0.08 and 0.09 d would hide what is compared.
  const waits = [6048, 6912, 7416, 389_664];
  expect(read(waits, formatDuration)).toEqual(["Wait (h)", ["1.7", "1.9", "2.1", "108.2"]]);
});

test("what is not nothing does not read as nothing", () => {
  expect(read([1, 86_400 * 30], formatDuration)).toEqual(["Wait (min)", ["<0.1", "43,200.0"]]);
});

test("no value leaves a trace of what it is not", () => {
  const value = fc.oneof(fc.double(), fc.constantFrom(0, 1e300, 1e-300, Number.NaN, Infinity));
  fc.assert(
    fc.property(fc.array(value), (values) => {
      for (const format of [formatDuration, formatShare, formatNumber])
        for (const text of read(values, format)[1]) expect(text).not.toMatch(/NaN|Infinity|undefined/);
    }),
  );
});
