import { parseMemory } from "../../input/memory-amounts.ts";
import { mebibytesPer } from "../../units.ts";
import type { MemoryUnit } from "../../units.ts";

/** A job's resource requirement; NaN if it does not say. */
export interface LsfRequest {
  /** Slots on each host (`span[ptile=16]`); Infinity if all are on one (`span[hosts=1]`). */
  readonly slotsPerHost: number;
  readonly memoryMiB: number;
  /** What the memory is of. */
  readonly memoryOf: "host" | "task" | "job";
  /** On each host. */
  readonly gpus: number;
}

/**
 * Reads `select[…] rusage[mem=4000,ngpus_physical=2] span[ptile=16]`; where it has alternatives, the first.
 *
 * @param unit the unit of memory without one
 */
export function requestReader(
  unit: MemoryUnit,
  memoryOf: LsfRequest["memoryOf"],
): (text: string) => LsfRequest {
  const unitless = mebibytesPer(unit);
  return (text) => {
    const usage = /rusage\[([^\]]*)\]/.exec(text)?.[1] ?? "";
    const [, memory, of] = /(?:^|[,:(&|\s])mem\s*=\s*([\d.]+[a-z]*)(?:\/(host|task|job))?/i.exec(usage) ?? [];
    const [, gpus] = /(?:^|[,:(&|\s])ngpus(?:_physical)?\s*=\s*([\d.]+)/.exec(usage) ?? [];
    const [, ptile] = /span\[[^\]]*ptile=(\d+)/.exec(text) ?? [];
    const bytes = new TextEncoder().encode(memory ?? "");
    return {
      slotsPerHost: /span\[\s*hosts=1\s*\]/.test(text)
        ? Number.POSITIVE_INFINITY
        : Number(ptile ?? Number.NaN),
      memoryMiB: parseMemory(bytes, 0, bytes.length, unitless),
      memoryOf: of === undefined ? memoryOf : (of.toLowerCase() as LsfRequest["memoryOf"]),
      gpus: Number(gpus ?? Number.NaN),
    };
  };
}
