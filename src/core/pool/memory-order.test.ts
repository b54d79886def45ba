import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DRAINED, MachineState } from "../machines/machine-state.ts";
import { machineAt, MemoryOrder } from "./memory-order.ts";

const machinesIn = ({ places }: MemoryOrder): number[] =>
  [...places.values.subarray(0, places.length)].map(machineAt);

test("the most memory comes first, then pool order; drained machines are left out, full ones kept apart", () => {
  const machines = new MachineState({
    coresMilli: Int32Array.from([1000, 2000, 1000, 1000, 1000]),
    memoryMiB: Int32Array.from([4096, 8192, 4096, 2 ** 31 - 1, 0]),
    gpuMilli: null,
  });
  const all = new MemoryOrder(machines, false);
  const roomy = new MemoryOrder(machines, true);
  machines.close(0, DRAINED);
  all.refresh();
  expect(machinesIn(all)).toEqual([3, 1, 2, 4]);
  machines.open(0, DRAINED);
  machines.take(1, 1000, 4096, 0, 1);
  machines.take(3, 1000, 0, 0, 1);
  // Nothing changes until the order is brought up to date.
  expect(machinesIn(all)).toEqual([3, 1, 2, 4]);
  all.refresh();
  expect(machinesIn(all)).toEqual([3, 0, 1, 2, 4]);
  roomy.refresh();
  expect(machinesIn(roomy)).toEqual([0, 1, 2, 4]);
  machines.give(3, 1000, 0, 0, 1);
  roomy.refresh();
  expect(machinesIn(roomy)).toEqual([3, 0, 1, 2, 4]);
});

test("what is known without a refresh of who comes before is so", () => {
  const changes = fc.array(fc.record({ machine: fc.nat(29), memory: fc.nat(50) }), { maxLength: 8 });
  fc.assert(
    fc.property(changes, changes, fc.nat(29), fc.nat(30), (before, since, machine, count) => {
      const machines = new MachineState({
        coresMilli: new Int32Array(30).fill(1000),
        memoryMiB: new Int32Array(30).fill(400),
        gpuMilli: null,
      });
      const order = new MemoryOrder(machines, false);
      for (const { machine, memory } of before) machines.take(machine, 0, memory, 0, 1);
      order.refresh();
      for (const { machine, memory } of since) machines.take(machine, 0, memory, 0, 1);
      const place = order.placeOf(machine);
      const isKnown = order.isBehind(place, count);
      order.refresh();
      const ahead = order.places.indexAfter(place) - 1;
      if (isKnown) expect(ahead).toBeGreaterThanOrEqual(count);
      if (since.length === 0 && count > 0) expect(isKnown).toBe(ahead >= count);
    }),
  );
});
