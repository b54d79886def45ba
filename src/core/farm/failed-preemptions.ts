import { doubled } from "../jobs/jobs.ts";
import type { Residents } from "./residents.ts";

/**
 * Requests that nobody could be suspended for.
 *
 * They fail again until a job of at least their own rank has left a machine: all
 * others were counted as suspended anyway.
 */
export class FailedPreemptions {
  private readonly residents: Residents;
  /** By class, by kind of request: the leavings when it asked in vain. */
  private readonly failed: Float64Array[];

  constructor(residents: Residents, classes: number) {
    this.residents = residents;
    this.failed = Array.from({ length: classes }, () => new Float64Array(64));
  }

  /** How often so far something was given up that no suspension by a job of this priority could have freed, plus one. */
  leavings(priority: number, tasks: number, memory: number): number {
    const { left, leftMemory } = this.residents;
    let sum = memory > 0 ? 1 + leftMemory : 1;
    // Several tasks may also start on machines where nobody is suspended: any leaving counts.
    for (let rank = tasks > 1 ? 0 : priority; rank < left.length; rank++) sum += left[rank];
    return sum;
  }

  includes(level: number, kind: number, leavings: number): boolean {
    const known = this.failed[level];
    return kind < known.length && known[kind] === leavings;
  }

  add(level: number, kind: number, leavings: number): void {
    while (kind >= this.failed[level].length) this.failed[level] = doubled(this.failed[level]);
    this.failed[level][kind] = leavings;
  }
}
