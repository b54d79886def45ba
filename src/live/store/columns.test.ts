import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { packed, unpacked } from "./columns.ts";

const whole = (bits: number): fc.Arbitrary<number> =>
  fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });
const column = fc.oneof(
  fc.array(fc.double()).map((values) => Float64Array.from(values)),
  fc.array(fc.oneof(whole(8), fc.constantFrom(0, -0))).map((values) => Float64Array.from(values)),
  fc.tuple(fc.double(), fc.nat(50)).map(([value, length]) => new Float64Array(length).fill(value)),
  ...[8, 16, 32].map((bits) => fc.array(whole(bits)).map((values) => Int32Array.from(values))),
  fc.array(fc.nat(255)).map((values) => Uint8Array.from(values)),
);
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    column,
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

describe("plain data with columns", () => {
  it("comes back as it was, to the last bit and with the same kinds of array", () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(unpacked(packed(value))).toStrictEqual(value);
      }),
    );
  });

  it("takes a byte for a small number, and none for the same one again", () => {
    const { columns } = packed([
      Int32Array.from({ length: 1000 }, (_, at) => at % 100),
      new Float64Array(1000).fill(Infinity),
    ]);
    expect(columns.map(({ length }) => length)).toEqual([1008, 16]);
  });

  it("is refused where a column is missing or cut off", () => {
    const { text, columns } = packed({ a: Float64Array.of(1.5, 2, 3), b: Int32Array.of(1, 2) });
    expect(() => unpacked({ text, columns: columns.slice(1, 1) })).toThrow("column 0 is missing");
    for (let length = 0; length < columns[0].length; length++)
      expect(() => unpacked({ text, columns: [columns[0].slice(0, length), columns[1]] })).toThrow(
        "column 0 is damaged",
      );
  });
});
