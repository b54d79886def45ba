import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { TimeHeap } from "../../core/index.ts";
import { EndQueue } from "./end-queue.ts";

/** How long jobs run, by a number from 0 to 1. */
const shapes: readonly ((part: number) => number)[] = [
  (part) => part * 1000,
  // Many end at the same time.
  (part) => Math.floor(part * 20),
  () => 60,
  // A few run for very long, so that a division leaves most jobs in one bucket.
  (part) => (part > 0.999 ? 1e9 * part : part),
  (part) => 1e-9 * part,
];

describe("the queue of ends", () => {
  const run = fc.record({
    shape: fc.constantFrom(...shapes),
    parts: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    /** How many jobs come before any is taken, and how many come for each that is taken afterwards. */
    first: fc.constantFrom(1, 2000, 2049, 5000),
    later: fc.integer({ min: 0, max: 3000 }),
    start: fc.constantFrom(0, 1e9),
  });

  it("gives jobs by time, and those of one time in the order in which they came", () => {
    fc.assert(
      fc.property(run, ({ shape, parts, first, later, start }) => {
        const queue = new EndQueue();
        const heap = new TimeHeap();
        let now: number = start;
        let jobs = 0;
        const add = (): void => {
          const end = now + shape(parts.next().value);
          queue.add(jobs, end);
          heap.add(jobs++, end);
        };
        for (let i = 0; i < first; i++) add();
        for (let i = 0; heap.firstTime < Infinity; i++) {
          now = heap.firstTime;
          expect(queue.firstTime).toBe(now);
          expect(queue.take()).toBe(heap.take());
          if (i < later) add();
        }
        expect(queue.firstTime).toBe(Infinity);
      }),
      { numRuns: 40 },
    );
  });

  it("gives all that are left when it is drained, and is empty then", () => {
    const queue = new EndQueue();
    for (let job = 0; job < 5000; job++) queue.add(job, job % 7 === 0 ? 1e6 + job : job);
    for (let i = 0; i < 10; i++) {
      expect(queue.firstTime).toBeLessThan(20);
      queue.take();
    }
    const ends = new Map<number, number>();
    queue.drain((job, time) => ends.set(job, time));
    expect(ends.size).toBe(4990);
    for (const [job, time] of ends) expect(time).toBe(job % 7 === 0 ? 1e6 + job : job);
    expect(queue.firstTime).toBe(Infinity);
  });
});
