import { extended } from "../arrays.ts";
import { IntList } from "../int-list.ts";
import { NONE } from "../none.ts";
import { PoolPart, type ManagedPool } from "../pool/pool-part.ts";
import type { MachineJobs } from "./machine-jobs.ts";
import type { PreemptionActions } from "./preemption-actions.ts";

/**
 * Decides which suspended jobs of a pool resume: those on machines where something became free, if there is room for them
 * or jobs of lower rank there can be suspended.
 */
export class Resumption extends PoolPart {
  private readonly machineJobs: MachineJobs;
  private readonly actions: PreemptionActions;
  /** Machines with suspended jobs on which something became free since `run` last went through them. */
  private readonly freed = new IntList();
  /**
   * Those of them to go through once more: a job there is still stopping, or the job that could be suspended for it is
   * still starting.
   */
  private readonly again = new IntList();
  private isFreed: Uint8Array;
  /** The number of suspended jobs, and by machine that of their entries. */
  private suspended = 0;
  private suspendedHere: Int32Array;

  constructor(managed: ManagedPool, machineJobs: MachineJobs, actions: PreemptionActions) {
    super(managed);
    this.machineJobs = machineJobs;
    this.actions = actions;
    this.isFreed = new Uint8Array(managed.pool.machines.count);
    this.suspendedHere = new Int32Array(managed.pool.machines.count);
  }

  /** Makes room for a larger number of machines. */
  resized(count: number): void {
    this.isFreed = extended(this.isFreed, count);
    this.suspendedHere = extended(this.suspendedHere, count);
  }

  /** Counts the entries of a job among those that are suspended on its machines, or no longer. */
  count(job: number, sign: number): void {
    const { placements } = this.pool;
    this.suspended += sign;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      this.suspendedHere[placements.machineOf(entry)] += sign;
  }

  /** Something became free on the job's machines. */
  jobFreed(job: number): void {
    if (this.suspended === 0) return;
    const { placements } = this.pool;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      this.machineFreed(placements.machineOf(entry));
  }

  /** Something became free on a machine. */
  machineFreed(machine: number): void {
    if (this.isFreed[machine] !== 0 || this.suspendedHere[machine] === 0) return;
    this.isFreed[machine] = 1;
    this.freed.add(machine);
  }

  /** Something may have become free on every machine. */
  allFreed(): void {
    for (let machine = 0; machine < this.isFreed.length; machine++) this.machineFreed(machine);
  }

  /** Resumes suspended jobs where there is room again, if need be in place of jobs of lower rank. */
  run(now: number): void {
    const { freed, isFreed, again, machineJobs, actions } = this;
    for (let i = 0; i < freed.length; i++) {
      const machine = freed.values[i];
      isFreed[machine] = 0;
      machineJobs.hasPassedOver = false;
      for (const job of machineJobs.suspendedOn(machine)) {
        if (machineJobs.isResumable(job) && this.pool.mayResume(job) && this.makeRoomFor(job, now))
          actions.resume(job, now);
      }
      if (machineJobs.hasPassedOver || machineJobs.isStoppingOn(machine)) again.add(machine);
    }
    freed.clear();
    for (let i = 0; i < again.length; i++) this.machineFreed(again.values[i]);
    again.clear();
  }

  /** The machines to go through, in order. */
  save(): number[] {
    return [...this.freed];
  }

  load(machines: readonly number[]): void {
    this.freed.clear();
    this.isFreed.fill(0);
    for (const machine of machines) {
      this.freed.add(machine);
      this.isFreed[machine] = 1;
    }
  }

  /** Whether a suspended job can resume, after jobs of lower rank have made room if they must. */
  private makeRoomFor(job: number, now: number): boolean {
    const { actions, jobs, machineJobs } = this;
    const { machines, placements, notes } = this.pool;
    const cores = jobs.jobs.coresOf(job);
    const memoryWanted = jobs.keepsMemory[job] !== 0 ? 0 : jobs.jobs.memoryOf(job);
    const gpuWanted = jobs.keepsMemory[job] !== 0 ? 0 : jobs.jobs.gpuOf(job);
    const first = jobs.jobs.placement[job];
    const machine = placements.machineOf(first);
    if (placements.after(first) !== NONE) return this.fitsOnAll(job, memoryWanted, gpuWanted);
    if (machines.closed[machine] !== 0) return false;
    const n = jobs.jobs.tasksOf(job);
    if (machines.roomFor(machine, cores, memoryWanted, gpuWanted) >= n) return true;
    const rank = machineJobs.rankOn(job, machine);
    if (machineJobs.roomWithout(machine, rank, cores, memoryWanted, gpuWanted) < n) return false;
    for (const lower of machineJobs.lowerOn(machine, rank)) {
      if (notes.isOn) notes.suspendedFor(lower, job);
      actions.suspend(lower, now);
      if (machines.roomFor(machine, cores, memoryWanted, gpuWanted) >= n) break;
    }
    return true;
  }

  /** A job with tasks on several machines resumes only if all have room without suspensions. */
  private fitsOnAll(job: number, memory: number, gpu: number): boolean {
    const { machines, placements } = this.pool;
    const { jobs } = this.jobs;
    const cores = jobs.coresOf(job);
    const wanted = new Map<number, number>();
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry)) {
      const machine = placements.machineOf(entry);
      wanted.set(machine, (wanted.get(machine) ?? 0) + placements.tasksOf(entry));
    }
    for (const [machine, n] of wanted) {
      if (machines.closed[machine] !== 0) return false;
      if (machines.roomFor(machine, cores, memory, gpu) < n) return false;
    }
    return true;
  }
}
