import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SortedNumbers } from "./sorted-numbers.ts";

const listed = ({ values, length }: SortedNumbers): number[] => [...values.subarray(0, length)];

test("holds what a sorted list holds, as numbers come and go many at a time", () => {
  const step = fc.record({ value: fc.nat(2000), isIn: fc.boolean() });
  const steps = fc.array(fc.array(step, { maxLength: 200, size: "max" }), { maxLength: 20 });
  fc.assert(
    fc.property(steps, fc.nat(2000), (steps, above) => {
      const numbers = new SortedNumbers();
      let values = new Set<number>();
      for (const changes of steps) {
        const wanted = new Set(values);
        for (const { value, isIn } of changes) {
          if (isIn) wanted.add(value);
          else wanted.delete(value);
        }
        const out = Float64Array.from([...values].filter((value) => !wanted.has(value)));
        const into = Float64Array.from([...wanted].filter((value) => !values.has(value)));
        numbers.update(out, out.length, into, into.length);
        values = wanted;
        expect(listed(numbers)).toEqual([...values].sort((a, b) => a - b));
      }
      const sorted = [...values].sort((a, b) => a - b);
      expect(listed(numbers).slice(numbers.indexAfter(above))).toEqual(
        sorted.filter((value) => value > above),
      );
      numbers.clear();
      expect(numbers.indexAfter(-1)).toBe(0);
      expect(numbers.length).toBe(0);
    }),
    { numRuns: 200 },
  );
});
