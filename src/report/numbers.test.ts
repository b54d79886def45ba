import { expect, test } from "vitest";
import {
  counted,
  formatCapacity,
  formatChange,
  formatChangeRange,
  formatCores,
  formatCount,
  formatDuration,
  formatFactor,
  formatMemory,
  formatNumber,
  formatPercent,
  formatPercentRange,
  formatShare,
  terminalText,
} from "./numbers.ts";

/** Unbreakable spaces are hard to see in a test. */
const plain = (text: string): string => text.replaceAll("\u00a0", " ");

test.each([
  [0, "0"],
  [0.001_234, "0.00123"],
  [1, "1.00"],
  [12.345, "12.3"],
  [999.4, "999"],
  [999.6, "1,000"],
  [1_234_567, "1,230,000"],
  [-1234.5, "-1,230"],
  [1e-7, "1.00e-7"],
  [3e20, "3.00e+20"],
  [Number.NaN, "–"],
  [Number.POSITIVE_INFINITY, "–"],
])("number %d reads %s", (value, text) => expect(formatNumber(value)).toBe(text));

test.each([
  [0, "0 s"],
  [0.25, "0.250 s"],
  [59.94, "59.9 s"],
  [59.96, "1.00 min"],
  [90, "1.50 min"],
  [3599, "1.00 h"],
  [86_399, "1.00 d"],
  [86_400 * 400, "400 d"],
  [Number.NaN, "–"],
])("%d seconds read %s", (value, text) => expect(plain(formatDuration(value))).toBe(text));

test.each([
  [0, "0 %"],
  [0.953, "95.3 %"],
  [1, "100 %"],
  [0.000_01, "<0.01 %"],
])("share %d reads %s", (value, text) => expect(plain(formatShare(value))).toBe(text));

test.each([
  [512, "512 MiB"],
  [1023.9, "1,020 MiB"],
  [1024, "1.00 GiB"],
  [1_048_576, "1.00 TiB"],
  [8192, "8.00 GiB"],
  [4 * 1_048_576, "4.00 TiB"],
])("%d MiB read %s", (value, text) => expect(plain(formatMemory(value))).toBe(text));

test("percents are whole, and tenths below 1 %", () => {
  expect(plain(formatPercent(0.946))).toBe("95 %");
  expect(plain(formatPercent(0.0042))).toBe("0.4 %");
  expect(plain(formatPercentRange(0.18, 0.26))).toBe("18 to 26 %");
});

test("changes have their sign, and none where they read zero", () => {
  expect(plain(formatChange(-0.22))).toBe("−22 %");
  expect(plain(formatChange(0.031))).toBe("+3 %");
  expect(plain(formatChange(-0.994))).toBe("−99 %");
  expect(plain(formatChange(-0.99991))).toBe("−99.9 %");
  expect(plain(formatChange(-1))).toBe("−100 %");
  expect(plain(formatChange(-0.0001))).toBe("0 %");
  expect(plain(formatChangeRange(-0.26, 0.01))).toBe("−26 to +1 %");
});

test("a change of many times is told as a factor", () => {
  expect(plain(formatChange(3.99))).toBe("+399 %");
  expect(plain(formatChange(4.2))).toBe("5.2 times");
  expect(plain(formatChange(24.5))).toBe("26 times");
  expect(plain(formatChangeRange(-0.5, 8.28))).toBe("0.5 to 9.3 times");
  expect(plain(formatChangeRange(-0.95, 30))).toBe("0.05 to 31 times");
});

test("what rounds beyond all numbers has no digits", () => expect(formatNumber(-1.7976e308)).toBe("–"));

test("counts keep all their digits", () => expect(formatCount(13_368_191)).toBe("13,368,191"));

test.each([
  [1070, "× 1,070"],
  [1 / 1070, "÷ 1,070"],
  [1.0001, "the same"],
  [0.9999, "the same"],
  [0, "–"],
  [Number.NaN, "–"],
])("factor %d reads %s", (ratio, text) => expect(plain(formatFactor(ratio))).toBe(text));

test("what is there is told to the last digit, and one is one", () => {
  expect(plain(formatCapacity(1_048_576))).toBe("1,024 GiB");
  expect(plain(formatCapacity(1_047_552))).toBe("1,023 GiB");
  expect(plain(formatCapacity(128_001))).toBe("128,001 MiB");
  expect([100_000, 351_500, 1_234_567].map(formatCores)).toEqual(["100", "351.5", "1,234.567"]);
  expect([counted(1, "machine"), counted(46, "machine")]).toEqual(["1 machine", "46 machines"]);
});

test("percent stands close to its number on a terminal, whatever space was before it", () => {
  expect(terminalText(`${formatPercent(0.5)} of 3 %: 1.5\u00a0h`)).toBe("50% of 3%: 1.5 h");
});
