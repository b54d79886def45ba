import { WHOLE_NODE } from "../research/fractional/index.ts";
import type { Machines, Workload } from "../workload/index.ts";

/** A whole node counts as one core, whatever it has. */
const NODE = 1000;

/**
 * The machines with their CPU as the unit, and memory left out.
 *
 * @param speedPercent by node, of the fastest kind
 */
export function asNodes(machines: Machines, speedPercent?: Int32Array): Machines {
  return {
    ...machines,
    coresMilli:
      speedPercent?.map((percent) => (percent * NODE) / WHOLE_NODE) ??
      new Int32Array(machines.count).fill(NODE),
    memoryMiB: null,
    gpuMilli: null,
  };
}

/**
 * The workload with its tasks counted in parts of a node's CPU, and nothing else
 * that decides where they go.
 *
 * @param cpu percents of a node by row; without it every task takes a whole one
 */
export function inNodes(workload: Workload, tasks: Int32Array, cpu?: Int32Array): Workload {
  const { nodeCpu: _cpu, nodeMemory: _memory, ...rest } = workload;
  return {
    ...rest,
    coresMilli:
      cpu?.map((percent) => (percent * NODE) / WHOLE_NODE) ?? new Int32Array(workload.count).fill(NODE),
    memoryMiB: null,
    gpuMilli: null,
    tasks,
  };
}
