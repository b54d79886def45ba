import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Names } from "./names.ts";

describe("the codes of names", () => {
  it("are assigned in order of appearance, one for each name, as text or as bytes", () => {
    // "Aa" and "BB" have one hash, and so have all their combinations.
    const name = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 4 }),
      fc.array(fc.constantFrom("Aa", "BB"), { minLength: 4, maxLength: 5 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.boolean()), { maxLength: 60 }), (asked) => {
        const names = new Names();
        const codes = asked.map(([name, asBytes]) => {
          const bytes = new TextEncoder().encode(`<${name}>`);
          return asBytes ? names.codeOfBytes(bytes, 1, bytes.length - 1) : names.codeOf(name);
        });
        const distinct = [...new Set(asked.map(([name]) => name))];
        expect(names.list).toEqual(distinct);
        expect(codes).toEqual(asked.map(([name]) => distinct.indexOf(name)));
      }),
    );
  });

  it("of different bytes that are not UTF-8 are different", () => {
    const names = new Names();
    const codeOf = (latin1: string): number => {
      const bytes = Buffer.from(latin1, "latin1");
      return names.codeOfBytes(bytes, 0, bytes.length);
    };
    expect(["M\xfcller", "M\xe4ller", "M\xfcller", "M\xffller", "Muller"].map(codeOf)).toEqual([
      0, 1, 0, 2, 3,
    ]);
    expect(names.list).toEqual(["Müller", "Mäller", "Mÿller", "Muller"]);
    expect(names.notUtf8).toBe(3);
    expect(names.codeOf("Muller")).toBe(3);
  });

  it("are found again among very many", () => {
    const names = new Names();
    const bytesOf = (number: number) => new TextEncoder().encode(`name-${number * 7919}`);
    for (let asked = 0; asked < 100_000; asked++) {
      const number = asked % 50_000;
      const bytes = bytesOf(number);
      if (names.codeOfBytes(bytes, 0, bytes.length) !== number) expect(number).toBe(-1);
    }
    expect(names.list).toHaveLength(50_000);
  });

  it("of numbers are distinct, for small, large and fractional ones", () => {
    const names = new Names();
    const numbers = [7, 0, 70_000, 7, 2.5, 70_000, 65_535, 65_536, 2.5];
    expect(numbers.map((number) => names.codeOfNumber(number))).toEqual([0, 1, 2, 0, 3, 2, 4, 5, 3]);
    expect(names.list).toEqual(["7", "0", "70000", "2.5", "65535", "65536"]);
  });
});
