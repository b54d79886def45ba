import * as fc from "fast-check";
import { ByteWriter } from "hyparquet-writer";
import { deltaBinaryPack } from "hyparquet-writer/src/delta.js";
import { describe, expect, test } from "vitest";
import { readDeltas } from "./deltas.ts";
import { decodeRuns } from "./runs.ts";
import { deltaTexts, lengthFirstTexts, plainTexts } from "./texts.ts";

describe("the values of a page", () => {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
  /** The header of numbers as differences: a block's size, its parts, how many numbers, the first of them. */
  const deltas = (block: number, parts: number): number[] => [...varint(block), ...varint(parts), 4, 2];

  test("in runs end with the rows", () => {
    const levels = new Uint8Array(10);
    decodeRuns(Uint8Array.from([0xfe, 0xff, 0xff, 0xff, 0x0f, 1]), 0, 1, levels);
    expect(levels).toEqual(new Uint8Array(10).fill(1));
  });

  test.each<[string, number[], number]>([
    ["no parts", deltas(128, 0), 4],
    ["a million parts", deltas(1 << 27, 1 << 20), 4],
    ["parts of a part of a value", deltas(128, 3), 4],
    ["nothing after their header", deltas(128, 4), 4],
    ["more bits than a number has", [...deltas(128, 4), 0, 33, 0, 0, 0, ...new Uint8Array(400)], 4],
    ["a number without an end", Array.from({ length: 1 << 16 }, () => 0xff), 4],
  ])("as differences with %s are refused", (_, bytes, count) => {
    expect(() => readDeltas(Uint8Array.from(bytes), new Int32Array(count))).toThrow(/^a page/);
  });

  test("as texts of any bytes lie within them, or are refused", () => {
    const encodings = [plainTexts, lengthFirstTexts, deltaTexts];
    // Many of them begin as differences do.
    const bytes = fc.tuple(
      fc.constantFrom([], deltas(128, 4), deltas(8, 1)),
      fc.uint8Array({ maxLength: 300 }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...encodings),
        bytes,
        fc.nat({ max: 40 }),
        (decode, [head, rest], count) => {
          let texts;
          try {
            texts = decode(Uint8Array.from([...head, ...rest]), count);
          } catch (error) {
            expect((error as Error).message).toMatch(/^a page/);
            return;
          }
          expect(texts.starts).toHaveLength(count);
          texts.starts.forEach((start, i) => {
            expect(start).toBeLessThanOrEqual(texts.ends[i]);
            expect(texts.ends[i]).toBeLessThanOrEqual(texts.bytes.length);
          });
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("as texts that share all they have are refused before they take all memory", () => {
    // A text of 1 MiB, and a thousand that repeat it: 1 GiB in a page of 1 MiB.
    const length = 1 << 20;
    const writer = new ByteWriter();
    const thousand = (value: number): number[] => Array.from({ length: 1000 }, () => value);
    deltaBinaryPack(writer, [0, ...thousand(length)], "INT32");
    deltaBinaryPack(writer, [length, ...thousand(0)], "INT32");
    const page = Uint8Array.from([...writer.getBytes(), ...new Uint8Array(length)]);
    expect(() => deltaTexts(page, 1001)).toThrow("a page's texts take more than 256 MiB");
  });
});
