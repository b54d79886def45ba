import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { TimeHeap } from "../../core/index.ts";
import { CompletionWheel } from "./completion-wheel.ts";

describe("the heap of completions", () => {
  it("gives jobs by time, and those of one time in the order in which they came", () => {
    const step = fc.oneof(
      fc.nat(20).map((time) => ({ time })),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: "max" }), (steps) => {
        const heap = new TimeHeap();
        const expected: { time: number; job: number }[] = [];
        steps.forEach((each, job) => {
          if (each !== null) {
            heap.add(job, each.time);
            expected.push({ time: each.time, job });
            // Stable: what came first stays first among equals.
            expected.sort((a, b) => a.time - b.time);
          } else if (expected.length > 0) expect(heap.take()).toBe(expected.shift()!.job);
          expect(heap.firstTime).toBe(expected[0]?.time ?? Infinity);
          expect(heap.firstTime === Infinity).toBe(expected.length === 0);
        });
      }),
    );
  });

  it("grows", () => {
    const heap = new TimeHeap();
    for (let job = 0; job < 5000; job++) heap.add(job, (job * 7919) % 5000);
    const times = Array.from({ length: 5000 }, () => (heap.take() * 7919) % 5000);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});

describe("the wheel of completions", () => {
  /** Longer than the wheel: two laps and more. */
  const ahead = fc.oneof(
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom(1 << 17, (1 << 17) + 3, 1 << 18, 300_001),
  );
  const steps = fc.array(
    fc.record({ adds: fc.array(ahead, { maxLength: 4 }), skip: fc.integer({ min: 1, max: 9 }) }),
    {
      maxLength: 60,
    },
  );

  it("gives each job at its cycle, whatever the lap", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 1 << 18 }), (steps, first) => {
        const wheel = new CompletionWheel();
        const due = new Map<number, number>();
        let cycle = first;
        let job = 0;
        /** Takes out all that is due up to a cycle, as a loop does. */
        const settle = (until: number): void => {
          for (
            let at = wheel.nextDue(cycle + 1, until + 1);
            at <= until;
            at = wheel.nextDue(at + 1, until + 1)
          ) {
            const expected = [...due].filter(([, when]) => when === at).map(([each]) => each);
            const ended: number[] = [];
            expect(wheel.take(at, (each) => ended.push(each))).toBe(expected.length);
            expect(ended.sort((a, b) => a - b)).toEqual(expected);
            expect(expected.length).toBeGreaterThan(0);
            for (const each of expected) due.delete(each);
          }
          expect([...due.values()].filter((when) => when <= until)).toEqual([]);
          cycle = until;
        };
        for (const { adds, skip } of steps) {
          for (const each of adds) {
            wheel.add(job, cycle + each);
            due.set(job++, cycle + each);
          }
          expect(wheel.nextDue(cycle + 1, cycle + 20)).toBe(Math.min(cycle + 20, ...due.values()));
          settle(cycle + skip);
        }
        while (due.size > 0) settle(Math.min(...due.values()));
      }),
      { numRuns: 40 },
    );
  });
});
