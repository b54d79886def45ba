import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MachineState } from "../machines/machine-state.ts";
import { MemoryRank } from "./memory-rank.ts";

const machine = fc.record({
  // Few amounts tie; some are so close that they share a level.
  memory: fc.oneof(fc.constantFrom(0, 4096, 8192), fc.integer({ min: 0, max: 200_000 })),
  isDrained: fc.boolean(),
});
const step = fc.record({ more: fc.nat(3), asked: fc.nat(60), shrunk: fc.nat(60), by: fc.nat(5000) });

test("the first k are those that sorting says, as k grows and the others shrink", () => {
  fc.assert(
    fc.property(
      fc.array(machine, { minLength: 1, maxLength: 40 }),
      fc.array(fc.array(step, { maxLength: 30 }), { maxLength: 4 }),
      (all, passes) => {
        const machines = new MachineState({
          coresMilli: Int32Array.from(all, () => 1000),
          memoryMiB: Int32Array.from(all, ({ memory }) => memory),
          gpuMilli: null,
        });
        for (const [i, { isDrained }] of all.entries()) if (isDrained && i > 0) machines.drain(i);
        const rank = new MemoryRank(machines);
        const { freeMemory } = machines;
        const inOrder = (): number[] =>
          [...all.keys()]
            .filter((i) => machines.closed[i] === 0)
            .sort((a, b) => freeMemory[b] - freeMemory[a] || a - b);

        for (const steps of passes) {
          rank.forget();
          const told: number[] = [];
          let k = 0;
          for (const { more, asked, shrunk, by } of steps) {
            k = Math.min(machines.openCount, k + more);
            const order = inOrder();
            const one = order[asked % order.length];
            expect(rank.isAmongFirst(k, one)).toBe(order.indexOf(one) < k);
            rank.whole((each) => told.push(each));
            // All that were told are among the first, each once.
            expect(new Set(told).size).toBe(told.length);
            expect(new Set(told)).toEqual(new Set(order.slice(0, told.length)));
            expect(told.length).toBeLessThanOrEqual(k);
            const beyond = order.slice(k);
            if (beyond.length === 0) continue;
            const victim = beyond[shrunk % beyond.length];
            machines.take(victim, 0, Math.min(by, freeMemory[victim]), 0, 1);
          }
        }
      },
    ),
  );
});

test("all machines of the levels above the k-th's are told of", () => {
  const machines = new MachineState({
    coresMilli: Int32Array.from([1000, 1000, 1000, 1000]),
    memoryMiB: Int32Array.from([1000, 9000, 5000, 9000]),
    gpuMilli: null,
  });
  const rank = new MemoryRank(machines);
  const told: number[] = [];
  rank.isAmongFirst(1, 0);
  rank.whole((machine) => told.push(machine));
  expect(told).toHaveLength(0);
  rank.isAmongFirst(3, 0);
  rank.whole((machine) => told.push(machine));
  expect(new Set(told)).toEqual(new Set([1, 2, 3]));
});
