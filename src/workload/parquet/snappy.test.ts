import * as fc from "fast-check";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { expect, test } from "vitest";
import { unpackSnappy } from "./snappy.ts";

test("unpacks what was packed", () => {
  // Few different bytes, repeated, so that there are copies, overlapping ones too.
  const repetitive = fc
    .array(fc.tuple(fc.uint8Array({ min: 0, max: 2, maxLength: 8 }), fc.nat({ max: 100 })), { maxLength: 40 })
    .map((parts) =>
      Uint8Array.from(
        parts.flatMap(([bytes, times]) => Array.from({ length: times }, () => [...bytes]).flat()),
      ),
    );
  fc.assert(
    fc.property(fc.oneof(repetitive, fc.uint8Array({ maxLength: 5000 })), (bytes) => {
      expect(Buffer.from(unpackSnappy(snappyCompress(bytes), bytes.length)).equals(bytes)).toBe(true);
    }),
  );
});

test("refuses a literal of 4 GiB, on which others step back and never end", () => {
  expect(() => unpackSnappy(Uint8Array.of(8, 0xfc, 0xfe, 0xff, 0xff, 0xff, 1, 2, 3), 8)).toThrow(/Snappy/);
});

test("ends on any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat({ max: 200 }), (bytes, size) => {
      try {
        expect(unpackSnappy(bytes, size).length).toBe(size);
      } catch (error) {
        expect((error as Error).message).toContain("Snappy");
      }
    }),
    { numRuns: 2000 },
  );
});
