import type { Jobs } from "../jobs/jobs.ts";

/** The machines on which one job must not be started, each until a time. */
interface Exclusion {
  /** The job's arrival. It identifies the job even when its handle goes to another. */
  readonly arrival: number;
  readonly machines: number[];
  readonly until: number[];
}

const NO_MACHINES: readonly number[] = [];

/**
 * Machines that single jobs avoid for a while, because they could not start there. Few jobs have any, and not for long.
 */
export class Exclusions {
  private readonly jobs: Jobs;
  private readonly byJob = new Map<number, Exclusion>();

  constructor(jobs: Jobs) {
    this.jobs = jobs;
  }

  /** Adds to a job's exclusions. If a machine is named twice the later time counts. */
  add(job: number, machine: number, until: number): void {
    let exclusion = this.byJob.get(job);
    if (exclusion?.arrival !== this.jobs.arrival[job]) {
      exclusion = { arrival: this.jobs.arrival[job], machines: [], until: [] };
      this.byJob.set(job, exclusion);
    }
    const at = exclusion.machines.indexOf(machine);
    if (at < 0) {
      exclusion.machines.push(machine);
      exclusion.until.push(until);
    } else exclusion.until[at] = Math.max(exclusion.until[at], until);
  }

  includes(job: number, machine: number): boolean {
    return this.of(job).includes(machine);
  }

  /** Until when the job must avoid the machine; -Infinity: it need not. */
  until(job: number, machine: number): number {
    const exclusion = this.byJob.get(job);
    const at = exclusion?.arrival === this.jobs.arrival[job] ? exclusion.machines.indexOf(machine) : -1;
    return at < 0 ? -Infinity : exclusion!.until[at];
  }

  /** The machines that the job must avoid. */
  of(job: number): readonly number[] {
    const exclusion = this.byJob.get(job);
    return exclusion?.arrival === this.jobs.arrival[job] ? exclusion.machines : NO_MACHINES;
  }

  /** The exclusions of jobs that still exist, in the order in which they were made. */
  save(): { job: number; machine: number; until: number }[] {
    const saved: { job: number; machine: number; until: number }[] = [];
    for (const [job, { arrival, machines, until }] of this.byJob) {
      if (arrival !== this.jobs.arrival[job]) continue;
      machines.forEach((machine, i) => saved.push({ job, machine, until: until[i] }));
    }
    return saved;
  }

  /** When the next exclusion ends; Infinity if none will. */
  get nextExpiry(): number {
    let next = Infinity;
    if (this.byJob.size > 0) for (const { until } of this.save()) next = Math.min(next, until);
    return next;
  }

  /** Forgets the exclusions that end by now, and those of jobs that are gone. Returns whether any ended. */
  expire(now: number): boolean {
    if (this.byJob.size === 0) return false;
    const isAny = this.nextExpiry <= now;
    for (const [job, { arrival, machines, until }] of this.byJob) {
      let kept = 0;
      for (let i = 0; i < machines.length; i++) {
        if (until[i] <= now) continue;
        machines[kept] = machines[i];
        until[kept++] = until[i];
      }
      machines.length = until.length = kept;
      if (kept === 0 || arrival !== this.jobs.arrival[job]) this.byJob.delete(job);
    }
    return isAny;
  }
}
