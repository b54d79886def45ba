import type { Jobs } from "../../jobs/jobs.ts";
import { ORDINARY, type FamilyMachines } from "../../packing/family-machines.ts";
import type { Promises } from "./promises.ts";

/**
 * From when on jobs of a family may start on a machine, where machines are reserved for families: a start reserves the
 * machine until its job ends or its time to live is over, and must not do so when a job of another family is promised
 * the machine.
 */
export class FamilyTimes {
  private readonly packing: FamilyMachines;
  private readonly jobs: Jobs;
  private readonly promises: Promises;

  constructor(packing: FamilyMachines, jobs: Jobs, promises: Promises) {
    this.packing = packing;
    this.jobs = jobs;
    this.promises = promises;
  }

  /** The earliest time, not before `time`, at which a job of a family may start on a machine. */
  startsFrom(family: number, machine: number, seconds: number, time: number, now: number): number {
    const { packing } = this;
    let earliest = packing.mayUse(family, machine)
      ? time
      : Math.max(time, packing.reservedUntil(machine, now));
    for (;;) {
      const from = earliest;
      this.promises.visitOn(machine, (job) => {
        earliest = Math.max(earliest, this.startsBeside(job, family, seconds, from));
      });
      if (earliest === from) return from;
    }
  }

  /** The same beside the promise of one job. */
  private startsBeside(job: number, family: number, seconds: number, time: number): number {
    const { jobs, promises } = this;
    const other = jobs.familyOf(job);
    if (other === family) return time;
    const start = promises.start[job];
    const reservesFor = (length: number): number => Math.min(length, this.packing.ttlSeconds);
    if (family !== ORDINARY && time < start && time + reservesFor(seconds) > start) return start;
    // Of those that start at once, a job of a family would keep the other off.
    if (other === ORDINARY) return family !== ORDINARY && time === start ? start + 1 : time;
    const until = start + reservesFor(promises.seconds[job]);
    return time >= start && time < until ? until : time;
  }
}
