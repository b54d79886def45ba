import { KindMemory } from "../jobs/kind-memory.ts";
import type { RequestKinds } from "../jobs/request-kinds.ts";
import type { MachineJobs } from "./machine-jobs.ts";

/**
 * Requests for which no job could be suspended. They fail again until a job of at least their own rank has left a
 * machine, since all jobs below that were already counted as suspended.
 */
export class FailedPreemptions {
  private readonly machineJobs: MachineJobs;
  /** By class, by kind of request: the departures at the time of the failure. */
  private readonly failed: readonly KindMemory[];

  constructor(machineJobs: MachineJobs, kinds: RequestKinds, classes: number) {
    this.machineJobs = machineJobs;
    this.failed = Array.from({ length: classes }, () => new KindMemory(kinds));
  }

  /**
   * How many departures so far have freed resources that a job of this priority could not have freed by suspensions.
   *
   * @param asksForKept whether it asks for memory or GPUs, which suspended jobs may keep
   */
  departures(priority: number, tasks: number, asksForKept: boolean): number {
    const { departures, keptDepartures } = this.machineJobs;
    let sum = asksForKept ? keptDepartures : 0;
    // Several tasks may also start on machines where no job is suspended, so any departure counts.
    for (let rank = tasks > 1 ? 0 : priority; rank < departures.length; rank++) sum += departures[rank];
    return sum;
  }

  includes(level: number, kind: number, departures: number): boolean {
    return this.failed[level].of(kind) === departures;
  }

  add(level: number, kind: number, departures: number): void {
    this.failed[level].note(kind, departures);
  }

  /** Forgets everything, since machines or jobs have changed. */
  clear(): void {
    for (const known of this.failed) known.clear();
  }
}
