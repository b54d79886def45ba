import type { Machines } from "../workload/index.ts";

/** A whole node counts as one core, whatever it has. */
export const NODE_MILLI = 1000;

/** The machines with a node as the unit, and memory left out. */
export function asNodes(machines: Machines): Machines {
  return {
    ...machines,
    coresMilli: new Int32Array(machines.count).fill(NODE_MILLI),
    memoryMiB: null,
    gpuMilli: null,
  };
}
