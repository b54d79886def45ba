import type { Workload, WorkloadNote } from "../workload.ts";
import type { ReadOptions } from "./format.ts";

/**
 * Does to columns that were read whole what a builder does to each line: cuts and
 * raises run times and memory as the options ask, and notes how often. Changes the
 * columns themselves.
 */
export function mend(workload: Workload, options: ReadOptions): Workload {
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
      // Nothing is more than NaN, an unknown estimate.
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
