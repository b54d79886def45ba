import * as fc from "fast-check";
import type { SchemaElement } from "hyparquet";
import { describe, expect, test } from "vitest";
import { cellsOf } from "./cells.ts";
import { TextBuffer } from "./text-buffer.ts";
import { fixedTexts } from "./texts.ts";
import type { Values } from "./values.ts";

/** The cells of all places of these values. */
function cells(element: Omit<SchemaElement, "name">, values: Values, isCounted = true): string[] {
  const out = new TextBuffer();
  const write = cellsOf({ name: "column", ...element }, isCounted)(values);
  const count = "starts" in values ? values.starts.length : values.length;
  return Array.from({ length: count }, (_, place) => {
    write(place, out);
    return out.take().toString();
  });
}

const longs = (...values: bigint[]): BigInt64Array => BigInt64Array.from(values);
const bytes = (width: number, ...values: number[]): Values =>
  fixedTexts(Uint8Array.from(values), width, values.length / width);
const timestamp = (unit: "MILLIS" | "MICROS" | "NANOS", isAdjustedToUTC: boolean): SchemaElement => ({
  name: "",
  type: "INT64",
  logical_type: { type: "TIMESTAMP", unit, isAdjustedToUTC },
});

describe("a cell", () => {
  // Worked by hand from parquet-format's LogicalTypes.md. 1772352000 is 2026-03-01T08:00:00Z.
  test.each<[string, Omit<SchemaElement, "name">, Values, string[]]>([
    [
      "INT32",
      { type: "INT32" },
      Int32Array.of(0, 7, -12, 2147483647, -2147483648),
      ["0", "7", "-12", "2147483647", "-2147483648"],
    ],
    ["UINT_8", { type: "INT32", converted_type: "UINT_8" }, Int32Array.of(255), ["255"]],
    ["UINT_32", { type: "INT32", converted_type: "UINT_32" }, Int32Array.of(-1), ["4294967295"]],
    [
      "INT64",
      { type: "INT64" },
      longs(-1n, 2n ** 53n - 1n, 1n - 2n ** 53n),
      ["-1", "9007199254740991", "-9007199254740991"],
    ],
    [
      "DOUBLE",
      { type: "DOUBLE" },
      Float64Array.of(0.1, -2.5, 1e-7, Number.NaN, 3e9),
      ["0.1", "-2.5", "1e-7", "", "3000000000"],
    ],
    [
      "FLOAT",
      { type: "FLOAT" },
      Float32Array.of(0.1, 2.7, 16777216, Number.NaN, 1e-3),
      ["0.1", "2.7", "16777216", "", "0.001"],
    ],
    ["BOOLEAN", { type: "BOOLEAN" }, [true, false], ["true", "false"]],
    [
      "FLOAT16",
      { type: "FIXED_LEN_BYTE_ARRAY", logical_type: { type: "FLOAT16" } },
      bytes(2, 0x00, 0x3e),
      ["1.5"],
    ],
    [
      "TIMESTAMP in UTC",
      timestamp("MILLIS", true),
      longs(1772352000250n),
      ["2026-03-01T08:00:00.250000000Z"],
    ],
    ["TIMESTAMP of no zone", timestamp("MICROS", false), longs(1772352000000000n), ["2026-03-01T08:00:00"]],
    [
      "TIMESTAMP in nanoseconds",
      timestamp("NANOS", true),
      longs(1772352000000000001n, -1n),
      ["2026-03-01T08:00:00.000000001Z", "1969-12-31T23:59:59.999999999Z"],
    ],
    [
      "TIMESTAMP_MILLIS",
      { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
      longs(-1000n),
      ["1969-12-31T23:59:59Z"],
    ],
    [
      "TIMESTAMP_MICROS",
      { type: "INT64", converted_type: "TIMESTAMP_MICROS" },
      longs(1000n),
      ["1970-01-01T00:00:00.001000000Z"],
    ],
    // Julian day 2,440,589 is 1970-01-02; 3,600,000,000,000 nanoseconds are an hour.
    ["INT96", { type: "INT96" }, [(2440589n << 64n) | 3600000000000n], ["1970-01-02T01:00:00"]],
    [
      "DATE",
      { type: "INT32", converted_type: "DATE" },
      Int32Array.of(0, -1, 20513),
      ["1970-01-01", "1969-12-31", "2026-03-01"],
    ],
    [
      "TIME_MILLIS",
      { type: "INT32", converted_type: "TIME_MILLIS" },
      Int32Array.of(3661500),
      ["01:01:01.500000000"],
    ],
    [
      "TIME",
      { type: "INT64", logical_type: { type: "TIME", unit: "NANOS", isAdjustedToUTC: false } },
      longs(86399n * 10n ** 9n),
      ["23:59:59"],
    ],
    [
      "INTERVAL",
      { type: "FIXED_LEN_BYTE_ARRAY", converted_type: "INTERVAL" },
      bytes(12, 0, 0, 0, 0, 2, 0, 0, 0, 0xdc, 5, 0, 0),
      ["172801.5s"],
    ],
    [
      "DECIMAL of 32 bits",
      { type: "INT32", converted_type: "DECIMAL", scale: 2 },
      Int32Array.of(150, -5, 0, 100),
      ["1.5", "-0.05", "0", "1"],
    ],
    [
      "DECIMAL of 64 bits",
      { type: "INT64", converted_type: "DECIMAL", scale: 3 },
      longs(1234567890123n),
      ["1234567890.123"],
    ],
    [
      "DECIMAL of bytes",
      { type: "FIXED_LEN_BYTE_ARRAY", logical_type: { type: "DECIMAL", scale: 1, precision: 5 } },
      bytes(3, 0xff, 0xff, 0xfb, 0, 1, 0),
      ["-0.5", "25.6"],
    ],
    [
      "UUID",
      { type: "FIXED_LEN_BYTE_ARRAY", logical_type: { type: "UUID" } },
      bytes(2, 0x0a, 0xff),
      ["0aff"],
    ],
    [
      "text",
      { type: "BYTE_ARRAY", converted_type: "UTF8" },
      bytes(3, 97, 98, 99, 97, 44, 98, 97, 34, 98),
      ["abc", '"a,b"', '"a""b"'],
    ],
  ])("of %s", (_, element, values, expected) => {
    expect(cells(element, values)).toEqual(expected);
  });

  test.each<[string, Omit<SchemaElement, "name">, Values, string]>([
    [
      "beyond 2^53",
      { type: "INT64" },
      longs(2n ** 53n),
      "is 9007199254740992: whole numbers beyond 2^53 - 1",
    ],
    [
      "beyond 2^63",
      { type: "INT64", converted_type: "UINT_64" },
      longs(-1n),
      "is 18446744073709551615: whole",
    ],
    [
      "of a decimal beyond 2^53",
      { type: "INT64", converted_type: "DECIMAL", scale: 1 },
      longs(2n ** 62n),
      "is 461168601842738790.4: whole",
    ],
    [
      "of months",
      { type: "FIXED_LEN_BYTE_ARRAY", converted_type: "INTERVAL" },
      bytes(12, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      "is an interval of months",
    ],
    [
      "of a day that is too long",
      { type: "INT32", converted_type: "TIME_MILLIS" },
      Int32Array.of(-1),
      "is no time of a day",
    ],
  ])("is refused %s", (_, element, values, message) => {
    expect(() => cells(element, values)).toThrow(message);
  });

  test("of a float is the shortest decimal that is the float", () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const [cell] = cells({ type: "FLOAT" }, Float32Array.of(value));
        expect(Math.fround(Number(cell))).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  test("of an instant is the instant", () => {
    const nanoseconds = fc.bigInt({ min: (-62135596800n * 10n ** 9n) / 8n, max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(nanoseconds, (value) => {
        const [cell] = cells(timestamp("NANOS", true), longs(value));
        const [date, part = "0Z"] = cell.split(".");
        const milliseconds = BigInt(Date.parse(`${date.replace(/Z$/, "")}Z`));
        expect(milliseconds * 1_000_000n + BigInt(part.slice(0, -1))).toBe(value);
      }),
    );
  });
});
