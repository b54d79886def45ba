import { mebibytesPer } from "../units.ts";
import type { MemoryUnit } from "../units.ts";
import type { JobShape, MemoryScope } from "./format.ts";

/** How to read one memory column of a log. */
export interface MemoryMeaning {
  readonly unit: MemoryUnit;
  readonly scope: MemoryScope;
}

/** The memory of each task of a job, in whole MiB, rounded up, for an amount in the log. */
export function memoryPerTask(
  memory: MemoryMeaning,
  jobShape: JobShape,
): (amount: number, processors: number) => number {
  const factor = mebibytesPer(memory.unit);
  const wholeJobAsked = memory.scope === "per-job";
  const wholeJobMeant = jobShape === "machine";
  if (wholeJobAsked === wholeJobMeant) return (amount) => Math.ceil(amount * factor);
  if (wholeJobMeant) return (amount, processors) => Math.ceil(amount * factor * processors);
  return (amount, processors) => Math.ceil((amount * factor) / processors);
}
