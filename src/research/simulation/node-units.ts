import { WHOLE_NODE } from "../fractional/index.ts";
import { NODE_MILLI } from "../../simulation/node-units.ts";
import type { Workload } from "../../workload/index.ts";

/** Percents of a node as cores of it. */
export function coresOf(percents: Int32Array): Int32Array {
  return percents.map((percent) => (percent * NODE_MILLI) / WHOLE_NODE);
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
    coresMilli: cpu === undefined ? new Int32Array(workload.count).fill(NODE_MILLI) : coresOf(cpu),
    memoryMiB: null,
    gpuMilli: null,
    tasks,
  };
}
