import { doubled } from "../jobs/jobs.ts";
import type { MachineJobs } from "./machine-jobs.ts";

/**
 * Requests for which no job could be suspended. They fail again until a job of at least their own rank has left a
 * machine: all others were counted as suspended anyway.
 */
export class FailedPreemptions {
  private readonly machineJobs: MachineJobs;
  /** By class, by kind of request: the departures when it failed. */
  private readonly failed: Float64Array[];

  constructor(machineJobs: MachineJobs, classes: number) {
    this.machineJobs = machineJobs;
    this.failed = Array.from({ length: classes }, () => new Float64Array(64));
  }

  /** How often so far something was given up that no suspension by a job of this priority could have freed, plus one. */
  departures(priority: number, tasks: number, memory: number): number {
    const { departures, memoryDepartures } = this.machineJobs;
    let sum = memory > 0 ? 1 + memoryDepartures : 1;
    // Several tasks may also start on machines where no job is suspended: any departure counts.
    for (let rank = tasks > 1 ? 0 : priority; rank < departures.length; rank++) sum += departures[rank];
    return sum;
  }

  includes(level: number, kind: number, departures: number): boolean {
    const known = this.failed[level];
    return kind < known.length && known[kind] === departures;
  }

  add(level: number, kind: number, departures: number): void {
    while (kind >= this.failed[level].length) this.failed[level] = doubled(this.failed[level]);
    this.failed[level][kind] = departures;
  }

  /** What is known holds no more: machines or kinds of request have changed. */
  clear(): void {
    for (const known of this.failed) known.fill(0);
  }
}
