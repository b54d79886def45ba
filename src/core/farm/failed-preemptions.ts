import { KindMemory } from "../jobs/kind-memory.ts";
import type { RequestKinds } from "../jobs/request-kinds.ts";
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
  private readonly failed: readonly KindMemory[];

  constructor(residents: Residents, kinds: RequestKinds, classes: number) {
    this.residents = residents;
    this.failed = Array.from({ length: classes }, () => new KindMemory(kinds));
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
    return this.failed[level].of(kind) === leavings;
  }

  add(level: number, kind: number, leavings: number): void {
    this.failed[level].note(kind, leavings);
  }
}
