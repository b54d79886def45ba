import { extended } from "../arrays.ts";
import { HOLDING, STOPPED, STOPPING } from "../jobs/engine-jobs.ts";
import { KILL_TO_PREEMPT, KILLING, RESUMING, RUNNING, SUSPENDED } from "../jobs/job-states.ts";
import { transition } from "../jobs/transition.ts";
import { NONE } from "../none.ts";
import { PoolPart, type ManagedPool } from "../pool/pool-part.ts";
import type { MachineJobs } from "../preemption/machine-jobs.ts";
import type { Preemption } from "../preemption/preemption.ts";
import type { CycleOutcome } from "./cycle-outcome.ts";

/**
 * The jobs of a pool that are suspended and resumed: what they hold meanwhile, and how much of their run time is left.
 * Only for a pool whose jobs may suspend one another.
 */
export class Suspensions extends PoolPart {
  /** The number of jobs that are suspended or have been told to stop. */
  count = 0;
  /** By machine: entries of jobs that have been told to stop and still hold it. */
  stopping: Int32Array;
  private readonly machineJobs: MachineJobs | null;
  private readonly preemption: Preemption | null;
  private readonly markDirty: () => void;

  constructor(
    managed: ManagedPool,
    machineJobs: MachineJobs | null,
    preemption: Preemption | null,
    markDirty: () => void,
  ) {
    super(managed);
    this.machineJobs = machineJobs;
    this.preemption = preemption;
    this.markDirty = markDirty;
    this.stopping = new Int32Array(managed.pool.machines.count);
  }

  /** Makes room for a larger number of machines. */
  resized(count: number): void {
    this.stopping = extended(this.stopping, count);
  }

  /**
   * The jobs that a cycle suspends and resumes are told so.
   *
   * @param isKilling whether those to be suspended are killed instead
   */
  told({ suspended, resumed }: CycleOutcome, isKilling: boolean, now: number): void {
    const jobs = this.jobs;
    for (let i = 0; i < suspended.length; i++) {
      const job = suspended.values[i];
      jobs.toldAt[job] = now;
      jobs.hold[job] = STOPPING;
      this.countStopping(job, 1);
      if (!isKilling) continue;
      transition(jobs, job, KILLING);
      jobs.killReason[job] = KILL_TO_PREEMPT;
    }
    for (let i = 0; i < resumed.length; i++) jobs.toldAt[resumed.values[i]] = now;
  }

  /** The driver has suspended a job. What the job gave up is free. */
  confirmSuspended(job: number): void {
    transition(this.jobs, job, SUSPENDED);
    this.jobs.hold[job] = STOPPED;
    this.countStopping(job, -1);
    this.markDirty();
  }

  /** A job could not be suspended and runs on. No claim is left on its machines. */
  keepRunning(job: number, now: number): void {
    const jobs = this.jobs;
    const { estimateSeconds } = jobs.jobs;
    const ranSeconds = now - jobs.toldAt[job];
    jobs.virtualStart[job] += ranSeconds;
    estimateSeconds[job] = Math.max(0, estimateSeconds[job] - ranSeconds);
    this.countStopping(job, -1);
    this.resume(job, now);
    transition(jobs, job, RUNNING);
    this.markDirty();
  }

  /** A suspended job has resumed, perhaps later than it was decided. */
  confirmResumed(job: number, now: number): void {
    const jobs = this.jobs;
    const lateSeconds = now - jobs.toldAt[job];
    if (lateSeconds > 0) this.beganLate(job, jobs.virtualStart[job] + lateSeconds, now);
  }

  /** A job could not resume and stays suspended. It has made no progress since the decision. */
  staySuspended(job: number, now: number): void {
    this.suspend(job, now, this.jobs.toldAt[job]);
    transition(this.jobs, job, SUSPENDED);
    this.markDirty();
  }

  /** Whether jobs that have been told to stop still hold some of a job's machines. */
  isBlocked(job: number): boolean {
    if (this.count === 0) return false;
    const { placements } = this.pool;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      if (this.stopping[placements.machineOf(entry)] > 0) return true;
    return false;
  }

  /** A job of the pool has begun to run later than it was decided. */
  beganLate(job: number, virtualStart: number, now: number): void {
    this.machineJobs!.stop(job);
    this.jobs.virtualStart[job] = virtualStart;
    this.machineJobs!.run(job);
    this.pool.beganLate(job, now);
  }

  /**
   * Takes a running job's resources off the books, and reduces its estimate to what is left of it.
   *
   * @param until the time up to which it has made progress
   */
  suspend(job: number, now: number, until = now): void {
    const jobs = this.jobs;
    this.preemption!.suspended(job);
    // One that could not resume has never gone on: it is suspended as it was.
    if (jobs.state[job] !== RESUMING) jobs.keepsMemory[job] = this.keepsMemory ? 1 : 0;
    this.pool.suspend(job, jobs.keepsMemory[job] !== 0, now);
    const progressSeconds = until - jobs.virtualStart[job];
    jobs.virtualStart[job] = progressSeconds;
    jobs.jobs.estimateSeconds[job] = Math.max(0, jobs.estimateSeconds[job] - progressSeconds);
    jobs.hold[job] = STOPPED;
    this.count++;
  }

  resume(job: number, now: number): void {
    const jobs = this.jobs;
    this.pool.resume(job, jobs.keepsMemory[job] !== 0, now);
    jobs.virtualStart[job] = now - jobs.virtualStart[job];
    jobs.hold[job] = HOLDING;
    this.count--;
    this.preemption!.resumed(job);
  }

  /** A job of a snapshot is suspended, or has been told to stop. */
  restore(job: number): void {
    this.preemption!.suspended(job);
    this.count++;
    if (this.jobs.hold[job] === STOPPING) this.countStopping(job, 1);
  }

  /** A job that is suspended, or has been told to stop, gives up its machines. */
  abandon(job: number): void {
    const { hold, keepsMemory } = this.jobs;
    this.count--;
    if (hold[job] === STOPPING) this.countStopping(job, -1);
    this.pool.abandon(job, keepsMemory[job] !== 0);
    hold[job] = HOLDING;
  }

  private countStopping(job: number, sign: number): void {
    const { placements } = this.pool;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      this.stopping[placements.machineOf(entry)] += sign;
  }
}
