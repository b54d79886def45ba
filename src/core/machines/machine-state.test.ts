import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DOWN, DRAINED, MachineState } from "./machine-state.ts";
import { equalMachines } from "../pool/pool.fixture.ts";

/** A machine as the test remembers it. */
interface Machine {
  cores: number;
  memory: number;
  group: number;
  usedCores: number;
  usedMemory: number;
  readonly reasons: Set<number>;
}

const anyStep = fc.record({
  what: fc.constantFrom(
    "take",
    "give",
    "add",
    "resize",
    "remove",
    "drain",
    "undrain",
    "down",
    "up",
    "reserve",
  ),
  pick: fc.nat(30),
  cores: fc.integer({ min: 1, max: 9 }),
  memory: fc.nat(9),
  group: fc.nat(2),
});

describe("the machines of a pool", () => {
  it("have the state of a plain model, and sums equal to a recount", () => {
    fc.assert(
      fc.property(fc.nat(5), fc.array(anyStep, { maxLength: 150, size: "max" }), (count, steps) => {
        const state = new MachineState(equalMachines(count, { cores: 4, memory: 4 }));
        const book: (Machine | null)[] = Array.from({ length: count }, () => ({
          cores: 4,
          memory: 4,
          group: 0,
          usedCores: 0,
          usedMemory: 0,
          reasons: new Set<number>(),
        }));
        const told = { changed: new Set<number>(), resized: 0 };
        state.watch({
          changed: (machine) => told.changed.add(machine),
          resized: (count) => (told.resized = count),
        });
        for (const { what, pick, cores, memory, group } of steps) {
          const before = { revision: state.revision, layout: state.layout };
          told.changed.clear();
          told.resized = 0;
          const capacity = { coresMilli: cores, memoryMiB: memory, gpuMilli: 0 };
          let number = pick % Math.max(1, book.length);
          const machine = book[number];
          if (what === "add") {
            const free = book.indexOf(null);
            number = free < 0 ? book.length : free;
            expect(state.nextNumber).toBe(number);
            state.add(number, capacity, group);
            book[number] = { cores, memory, group, usedCores: 0, usedMemory: 0, reasons: new Set() };
          } else if (machine === undefined || machine === null) continue;
          else if (what === "resize") {
            state.setCapacity(number, capacity, group);
            Object.assign(machine, { cores, memory, group });
          } else if (what === "remove") {
            if (machine.usedCores > 0 || machine.usedMemory > 0) {
              expect(() => state.remove(number)).toThrow(RangeError);
              continue;
            }
            state.remove(number);
            book[number] = null;
          } else if (what === "take") {
            state.take(number, 1, 1, 0, 2);
            machine.usedCores += 2;
            machine.usedMemory += 2;
          } else if (what === "give") {
            const n = Math.min(machine.usedCores, machine.usedMemory, 2);
            state.give(number, 1, 1, 0, n);
            machine.usedCores -= n;
            machine.usedMemory -= n;
          } else if (what === "reserve") {
            if (machine.reasons.size > 0) continue;
            state.reserve(number);
            expect(state.closed[number]).not.toBe(0);
            state.unreserve(number);
          } else {
            const isBack = what === "undrain" || what === "up";
            const reason = what === "drain" || what === "undrain" ? DRAINED : DOWN;
            state[isBack ? "open" : "close"](number, reason);
            const isChange = machine.reasons.has(reason) === isBack;
            if (isBack) machine.reasons.delete(reason);
            else machine.reasons.add(reason);
            expect(state.revision > before.revision).toBe(isChange);
            if (!isChange) continue;
          }
          expect([...told.changed]).toEqual([number]);
          const isLayout = what === "add" || what === "resize";
          expect(told.resized).toBe(isLayout ? book.length : 0);
          expect(state.layout > before.layout).toBe(isLayout || what === "remove");

          expect(state.count).toBe(book.length);
          for (const column of [state.freeCores, state.freeMemory, state.groupOf, state.closed])
            expect(column.length).toBe(book.length);
          let open = 0;
          let freeCores = 0;
          for (const [i, each] of book.entries()) {
            const isInService = each !== null && each.reasons.size === 0;
            expect(state.isInService(i)).toBe(isInService);
            expect(state.closed[i] === 0).toBe(isInService);
            if (each === null) continue;
            expect(state.capacityCores[i]).toBe(each.cores);
            expect(state.freeCores[i]).toBe(each.cores - each.usedCores);
            expect(state.freeMemory[i]).toBe(each.memory - each.usedMemory);
            expect(state.groupOf[i]).toBe(each.group);
            const hasRoom = each.cores > each.usedCores && each.memory >= each.usedMemory;
            expect(state.roomFor(i, 1, 0, 0)).toBe(hasRoom ? each.cores - each.usedCores : 0);
            if (!isInService) continue;
            open++;
            freeCores += Math.max(0, each.cores - each.usedCores);
          }
          expect(state.openCount).toBe(open);
          expect(state.totalFreeCores).toBe(freeCores);
        }
      }),
    );
  });

  it("can join an empty pool, a thousand one after the other", () => {
    const state = new MachineState({ coresMilli: new Int32Array(0), memoryMiB: null, gpuMilli: null });
    for (let machine = 0; machine < 1000; machine++)
      state.add(state.nextNumber, { coresMilli: machine + 1, memoryMiB: 0, gpuMilli: 0 });
    expect(state.capacityCores).toEqual(Int32Array.from({ length: 1000 }, (_, i) => i + 1));
    expect(state.totalFreeCores).toBe(500_500);
    expect([state.considersMemory, state.considersGpu]).toEqual([false, false]);
    expect(() => state.add(999, { coresMilli: 1, memoryMiB: 1, gpuMilli: 1 })).toThrow("is there already");
    expect(() => state.add(1001, { coresMilli: 1, memoryMiB: 1, gpuMilli: 1 })).toThrow("above 1000");
    state.add(1000, { coresMilli: 1, memoryMiB: 1, gpuMilli: 1 });
    expect([state.considersMemory, state.considersGpu]).toEqual([true, true]);
  });
});
