import { parseMemory } from "../../input/memory-amounts.ts";
import { mebibytesPer } from "../../units.ts";
import type { MemoryUnit } from "../../units.ts";

/** A job's resource requirement; NaN if it does not say. */
export interface LsfRequest {
  /** Slots on each host (`span[ptile=16]`); Infinity if all are on one (`span[hosts=1]`). */
  readonly slotsPerHost: number;
  readonly memoryMiB: number;
  /** Whether it does not say in what unit the memory is. */
  readonly needsUnit: boolean;
  /** What the memory is of. */
  readonly memoryOf: "host" | "task" | "job";
  /** On each host. */
  readonly gpus: number;
  /** What it says of memory and GPUs if that cannot be read; empty otherwise. */
  readonly unreadMemory: string;
  readonly unreadGpus: string;
}

/**
 * What is behind `mem=`, up to the next resource, and what the memory is of. No resource begins with a digit: that is
 * what stands behind the decimal comma in `mem=4,5G`.
 */
const MEMORY = /(?:^|[,:(&|\s])mem\s*=\s*((?:[^,:()&|/\s]|,(?=\d))*)(?:\/(host|task|job))?/i;
const GPUS = /(?:^|[,:(&|\s])ngpus(?:_physical)?\s*=\s*((?:[^,:()&|/\s]|,(?=\d))*)/;

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
    const [, memory = "", of] = MEMORY.exec(usage) ?? [];
    const [, gpus = ""] = GPUS.exec(usage) ?? [];
    const [, ptile] = /span\[[^\]]*ptile=(\d+)/.exec(text) ?? [];
    const bytes = new TextEncoder().encode(memory);
    const memoryMiB = parseMemory(bytes, 0, bytes.length, unitless);
    const gpusAsked = gpus === "" ? Number.NaN : Number(gpus);
    return {
      slotsPerHost: /span\[\s*hosts=1\s*\]/.test(text)
        ? Number.POSITIVE_INFINITY
        : Number(ptile ?? Number.NaN),
      memoryMiB,
      needsUnit: /^[\d.]+$/.test(memory),
      memoryOf: of === undefined ? memoryOf : (of.toLowerCase() as LsfRequest["memoryOf"]),
      gpus: gpusAsked,
      unreadMemory: Number.isNaN(memoryMiB) ? memory : "",
      unreadGpus: Number.isNaN(gpusAsked) ? gpus : "",
    };
  };
}
