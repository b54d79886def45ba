import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { framedLz4, literalLz4 } from "./lz4.fixture.ts";
import { unpackLz4, unpackLz4Frames } from "./lz4.ts";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const ascii = (characters: string): number[] => [...Buffer.from(characters, "latin1")];

describe("an LZ4 block", () => {
  test.each<[string, number[], string]>([
    ["without a byte", [0], ""],
    ["of literals", [0x30, ...ascii("abc")], "abc"],
    // Three literals, then from three bytes back 4 + 2; then the last literal.
    ["with a match", [0x32, ...ascii("abc"), 3, 0, 0x10, ...ascii("z")], "abcabcabcz"],
    // One literal, then from one byte back 4 + 15 + 1: the match reads what it writes.
    ["with a match over itself", [0x1f, ...ascii("a"), 1, 0, 1, 0x10, ...ascii("b")], `${"a".repeat(21)}b`],
    ["with a length of 255 and more", [0xf0, 255, 0, ...ascii("x".repeat(270))], "x".repeat(270)],
  ])("%s is unpacked", (_, bytes, expected) => {
    expect(text(unpackLz4(Uint8Array.from(bytes), expected.length))).toBe(expected);
  });

  test.each<[string, number[], number]>([
    ["reaches back before its start", [0x10, 97, 2, 0, 0x10, 98], 6],
    ["reaches back by nothing", [0x10, 97, 0, 0, 0x10, 98], 6],
    ["has fewer literals than it says", [0x50, 97, 98], 5],
    ["ends in a length", [0xf0, 255], 300],
    ["is longer than it should be", [0x30, 97, 98, 99], 2],
    ["is shorter than it should be", [0x30, 97, 98, 99], 4],
  ])("that %s is refused", (_, bytes, size) => {
    expect(() => unpackLz4(Uint8Array.from(bytes), size)).toThrow("lengths in the LZ4 data do not fit");
  });

  test("of any bytes ends", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 2000 }), (bytes, size) => {
        for (const unpack of [unpackLz4, unpackLz4Frames]) {
          try {
            expect(unpack(bytes, size)).toHaveLength(size);
          } catch (error) {
            expect((error as Error).message).toBe("lengths in the LZ4 data do not fit");
          }
        }
      }),
    );
  });
});

test("blocks are unpacked with and without Hadoop's frames", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 700 }), fc.uint8Array({ maxLength: 20 }), (first, second) => {
      const frames = Uint8Array.from([...framedLz4(first), ...framedLz4(second)]);
      const whole = Uint8Array.from([...first, ...second]);
      expect(unpackLz4Frames(frames, whole.length)).toEqual(whole);
      expect(unpackLz4Frames(literalLz4(first), first.length)).toEqual(first);
      expect(unpackLz4(literalLz4(first), first.length)).toEqual(first);
    }),
  );
});
