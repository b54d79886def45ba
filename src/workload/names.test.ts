import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Names } from "./names.ts";

describe("the codes of names", () => {
  it("are one a name, in order of appearance, given as text or as bytes", () => {
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

  it("of numbers are theirs alone, small, large, or in parts", () => {
    const names = new Names();
    const numbers = [7, 0, 70_000, 7, 2.5, 70_000, 65_535, 65_536, 2.5];
    expect(numbers.map((number) => names.codeOfNumber(number))).toEqual([0, 1, 2, 0, 3, 2, 4, 5, 3]);
    expect(names.list).toEqual(["7", "0", "70000", "2.5", "65535", "65536"]);
  });
});
