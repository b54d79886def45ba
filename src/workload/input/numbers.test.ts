import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseNumber, parseNumbers } from "./numbers.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function parse(text: string): number {
  const bytes = bytesOf(text);
  return parseNumber(bytes, 0, bytes.length);
}

function parseAll(text: string, wanted = 5): { count: number; values: number[] } {
  const bytes = bytesOf(`${text}\n`);
  const into = new Float64Array(wanted);
  const count = parseNumbers(bytes, 0, bytes.length - 1, into);
  return { count, values: [...into.subarray(0, Math.max(0, count))] };
}

/** Decimal texts of all sorts: long, short, with points, signs and exponents. */
const decimal = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc
    .tuple(fc.nat(), fc.stringMatching(/^\d{0,25}$/), fc.constantFrom("", "-", "+"))
    .map(([whole, decimals, sign]) => `${sign}${whole}.${decimals}`),
);

describe("numbers read from bytes", () => {
  it("equal what Number makes of the text, to the last bit", () => {
    fc.assert(
      fc.property(decimal, (text) => {
        expect(parse(text)).toBe(Number(text));
        expect(parseAll(text)).toEqual({ count: 1, values: [Number(text)] });
      }),
      { numRuns: 2000 },
    );
  });

  it("are found between any blanks, and no more than wanted", () => {
    fc.assert(
      fc.property(
        fc.array(decimal, { maxLength: 8 }),
        fc.constantFrom(" ", "\t", "   ", " \t"),
        (texts, blank) => {
          const wanted = texts.slice(0, 5).map(Number);
          expect(parseAll(blank + texts.join(blank) + blank)).toEqual({
            count: wanted.length,
            values: wanted,
          });
        },
      ),
    );
  });

  it.each([
    "",
    "-",
    "+",
    ".",
    "-.",
    "1e",
    "e5",
    "1.2.3",
    "0x10",
    "Infinity",
    "nan",
    "1,5",
    "12abc",
    "--1",
    "1 2",
  ])("are not made of %j", (text) => {
    expect(parse(text)).toBeNaN();
  });

  it("beyond the range of doubles are refused", () => {
    expect(parse("1e999")).toBeNaN();
    expect(parse("9".repeat(1000))).toBeNaN();
  });

  it("name the field that is not a number", () => {
    expect(parseAll("1 2 three 4").count).toBe(-3);
    expect(parseAll("x").count).toBe(-1);
    expect(parseAll("1 2- 3").count).toBe(-2);
  });
});
