import { expect, test } from "vitest";
import { MachineState } from "../machines/machine-state.ts";
import { machineAt, MemoryOrder } from "./memory-order.ts";

const machinesIn = ({ places }: MemoryOrder): number[] => {
  const into = new Float64Array(10);
  return [...into.subarray(0, places.copy(-1, Infinity, into))].map(machineAt);
};

test("the most memory comes first, then pool order; drained machines are left out, full ones kept apart", () => {
  const machines = new MachineState({
    coresMilli: Int32Array.from([1000, 2000, 1000, 1000, 1000]),
    memoryMiB: Int32Array.from([4096, 8192, 4096, 2 ** 31 - 1, 0]),
    gpuMilli: null,
  });
  const all = new MemoryOrder(machines, false);
  const roomy = new MemoryOrder(machines, true);
  machines.drain(0);
  all.refresh();
  expect(machinesIn(all)).toEqual([3, 1, 2, 4]);
  machines.undrain(0);
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
