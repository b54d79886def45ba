import type { Workload, WorkloadNote } from "../workload.ts";
import type { ReadOptions } from "./format.ts";

/**
 * Applies the options to columns that were read whole, as a builder does line by line: cuts and raises run times and
 * memory, and notes how often. Changes the columns in place.
 */
export function applyLimits(workload: Workload, options: ReadOptions): Workload {
  const { runtimeSeconds, estimateSeconds, memoryMiB } = workload;
  const { minimumRuntimeSeconds = 0, minimumMemoryMiB = 0 } = options;
  const notes: WorkloadNote[] = [...workload.notes];
  const note = (what: string, count: number): void => {
    if (count > 0) notes.push({ what, count });
  };

  if (options.overrun === "cap" && estimateSeconds !== null) {
    let cut = 0;
    for (let row = 0; row < workload.count; row++) {
      const estimate = estimateSeconds[row]!;
      // False if the estimate is NaN, which stands for unknown.
      if (!(runtimeSeconds[row]! > estimate)) continue;
      runtimeSeconds[row] = estimate;
      cut++;
    }
    note("cut: the run time, at the user's estimate", cut);
  }
  const raisedRuntimes = raise(runtimeSeconds, minimumRuntimeSeconds);
  note(`raised: the run time, to ${minimumRuntimeSeconds} s`, raisedRuntimes);
  if (memoryMiB !== null) {
    note(`raised: the memory, to ${minimumMemoryMiB} MiB`, raise(memoryMiB, minimumMemoryMiB));
  }
  return { ...workload, notes };
}

function raise(values: Float64Array | Int32Array, minimum: number): number {
  let raised = 0;
  for (let row = 0; row < values.length; row++) {
    if (values[row]! >= minimum) continue;
    values[row] = minimum;
    raised++;
  }
  return raised;
}
