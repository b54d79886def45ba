import type { Machines, Workload } from "../workload/index.ts";
import { quantiles } from "./quantiles.ts";

/**
 * Offered load at the log's own pace: Σ cores·run time ÷ (pool cores · arrival
 * span), over the jobs of which one task fits some machine. 0 where all jobs come at once.
 */
export function offeredLoad(workload: Workload, machines: Machines): number {
  const { count, submitSeconds, runtimeSeconds, coresMilli, memoryMiB, tasks } = workload;
  if (count === 0) return 0;
  const span = submitSeconds[count - 1] - submitSeconds[0];
  if (span === 0) return 0;
  const mostCores = machines.coresMilli.reduce((most, cores) => Math.max(most, cores), 0);
  const mostMemory = machines.memoryMiB?.reduce((most, memory) => Math.max(most, memory), 0) ?? Infinity;
  const capacity = machines.coresMilli.reduce((sum, cores) => sum + cores, 0);
  let work = 0;
  for (let row = 0; row < count; row++) {
    if (coresMilli[row] > mostCores || (memoryMiB !== null && memoryMiB[row] > mostMemory)) continue;
    const cores = coresMilli[row] * (tasks === null ? 1 : tasks[row]);
    if (cores <= capacity) work += cores * runtimeSeconds[row];
  }
  return work / (capacity * span);
}

/** Rows that the median task is taken from, at most: evenly spaced ones. */
const MEDIAN_ROWS = 100_000;

/** The median task: what a machine has to have room for to be of use to most jobs. */
export function typicalTask(workload: Workload): { cores: number; memory: number } {
  const step = Math.ceil(workload.count / MEDIAN_ROWS);
  const median = (column: Int32Array): number => {
    const sample = new Float64Array(Math.ceil(workload.count / Math.max(1, step)));
    for (let i = 0; i < sample.length; i++) sample[i] = column[i * step];
    return quantiles(sample, [0.5])[0];
  };
  return {
    cores: median(workload.coresMilli),
    memory: workload.memoryMiB === null ? 0 : median(workload.memoryMiB),
  };
}
