import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SortedBlocks } from "./sorted-blocks.ts";

test("holds what a sorted list holds, as numbers come and go", () => {
  const step = fc.record({ value: fc.nat(2000), isIn: fc.boolean() });
  const steps = fc.array(step, { maxLength: 1500, size: "max" });
  fc.assert(
    fc.property(steps, fc.nat(2000), fc.nat(2000), fc.nat(600), (steps, above, upTo, space) => {
      const blocks = new SortedBlocks();
      const values = new Set<number>();
      for (const { value, isIn } of steps) {
        if (isIn === values.has(value)) continue;
        if (isIn) {
          values.add(value);
          blocks.insert(value);
        } else {
          values.delete(value);
          blocks.remove(value);
        }
      }
      const sorted = [...values].sort((a, b) => a - b);
      expect(sorted.map((_, i) => blocks.at(i))).toEqual(sorted);
      const into = new Float64Array(space);
      const copied = blocks.copy(above, upTo, into);
      expect([...into.subarray(0, copied)]).toEqual(
        sorted.filter((value) => value > above && value <= upTo).slice(0, space),
      );
      blocks.clear();
      expect(blocks.copy(-1, Infinity, into)).toBe(0);
    }),
    { numRuns: 200 },
  );
});

test("keeps the order where hundreds come in ascending, descending and mixed order", () => {
  for (const factor of [1, 999, 37]) {
    const blocks = new SortedBlocks();
    for (let i = 0; i < 1000; i++) blocks.insert((i * factor) % 1000);
    const into = new Float64Array(1000);
    expect(blocks.copy(-1, Infinity, into)).toBe(1000);
    expect([...into]).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    for (let i = 0; i < 1000; i++) if (i % 10 !== 3) blocks.remove((i * factor) % 1000);
    expect(blocks.copy(-1, Infinity, into)).toBe(100);
    expect(blocks.at(99)).toBe(into[99]);
  }
});
