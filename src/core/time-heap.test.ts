import * as fc from "fast-check";
import { expect, it } from "vitest";

import { TimeHeap } from "./time-heap.ts";

const anyTimes = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 });

function heapOf(times: readonly number[]): TimeHeap {
  const heap = new TimeHeap();
  times.forEach((time, value) => heap.add(value, time));
  return heap;
}

it("gives values in order of time, and those of one time in the order in which they came", () => {
  fc.assert(
    fc.property(anyTimes, (times) => {
      const heap = heapOf(times);
      const taken = times.map(() => heap.take());
      expect(taken).toEqual(times.map((_, value) => value).sort((a, b) => times[a] - times[b] || a - b));
      expect(heap.firstTime).toBe(Infinity);
    }),
  );
});

it("is empty once drained, and each value was told with its time", () => {
  fc.assert(
    fc.property(anyTimes, (times) => {
      const heap = heapOf(times);
      const told: [number, number][] = [];
      heap.drain((value, time) => told.push([value, time]));
      expect(told.sort(([a], [b]) => a - b)).toEqual(times.map((time, value) => [value, time]));
      expect(heap.firstTime).toBe(Infinity);
    }),
  );
});
