import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Handles } from "./handles.ts";

test("no handle is given out twice, and the table stays below three times the most ever in use", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1, max: 200 }), { maxLength: 300 }), (steps) => {
      let capacity = 32;
      const handles = new Handles(capacity);
      const inUse: number[] = [];
      let most = 0;
      for (const step of steps) {
        if (step >= 0 && inUse.length > 0) {
          handles.give(inUse.splice(step % inUse.length, 1)[0]);
          continue;
        }
        if (handles.isFull) {
          handles.double();
          capacity *= 2;
        }
        const handle = handles.take();
        expect(inUse).not.toContain(handle);
        expect(handle).toBeLessThan(capacity);
        inUse.push(handle);
        most = Math.max(most, inUse.length);
      }
      expect(capacity).toBeLessThanOrEqual(Math.max(32, 3 * most));
    }),
  );
});

test("handles taken one after the other follow each other, past those in use", () => {
  const handles = new Handles(32);
  const [a, b, c] = [handles.take(), handles.take(), handles.take()];
  handles.give(b);
  expect([a, b, c]).toEqual([0, 1, 2]);
  expect([handles.take(), handles.take(), handles.take()]).toEqual([3, 4, 5]);
  handles.give(4);
  const others = Array.from({ length: 26 }, () => handles.take());
  expect(others).toEqual(Array.from({ length: 26 }, (_, i) => 6 + i));
  expect([handles.take(), handles.take()]).toEqual([1, 4]);
});
