import { doubled } from "../arrays.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { AllowedMachines } from "../machines/allowed-machines.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type { Finder } from "../matching/heuristic.ts";
import { NONE } from "../none.ts";
import { maxFamilies } from "../packing/settings.ts";
import { ReservedMachines, type LeastFree } from "./reserved-machines.ts";

/**
 * The transient reservations of a cycle (Shai 2014, section 6): a job that found
 * no machine closes, for the rest of the cycle, the machine with the highest
 * available memory that it may use, that could hold it when empty, and that is
 * not reserved yet. A job of several tasks closes one for each that found none.
 *
 * A job closes only machines that it may use. One that waits because of a packing
 * policy alone would else close the very machines that the policy keeps for
 * others, and they would stand idle for both.
 *
 * Reservations are made as late as can be: one matters only to a later job that
 * would otherwise be placed, and a full pool has thousands of unmatched jobs a
 * cycle and few such. Nothing is placed between a job's failing and the making
 * of its reservations, so the machines are as they were.
 *
 * While every unmatched job could have any machine, it is enough to count them:
 * the first machines in the order of memory are reserved. From the first other
 * job on, machines are chosen job by job.
 */
export class Reservations {
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly allowed: AllowedMachines;
  private readonly reserved: ReservedMachines;
  private isCountEnough = true;
  /** Jobs whose reservations are still to be made. */
  private pending = new Int32Array(256);
  private pendingCount = 0;
  /** By family: machines that its pending jobs will reserve, at least, if it may use so many. */
  private readonly wanted = new Float64Array(maxFamilies + 1);

  constructor(machines: MachineState, jobs: Jobs, allowed: AllowedMachines, leastFree: LeastFree) {
    this.machines = machines;
    this.jobs = jobs;
    this.allowed = allowed;
    this.reserved = new ReservedMachines(machines, jobs, allowed, leastFree);
    this.clear();
  }

  /** A pass begins: the machines may be others, or have other capacities. */
  begin(): void {
    this.reserved.begin();
  }

  /**
   * Notes a job that found no machine. False when every machine is reserved: the cycle is over.
   *
   * @param room how many of its tasks there was room for, at most
   */
  note(job: number, room: number): boolean {
    const { jobs, machines, reserved } = this;
    const tasks = jobs.tasks[job];
    const mayReserveAny = reserved.mayReserveAny(job);
    if (mayReserveAny && tasks === 1 && this.isCountEnough && this.pendingCount === 0) {
      reserved.reserveNext(1);
      return reserved.count < machines.openCount;
    }
    if (!this.isExhaustedFor(job) && !reserved.isAtEnd(job)) {
      if (this.pendingCount === this.pending.length) this.pending = doubled(this.pending);
      this.pending[this.pendingCount++] = job;
      if (mayReserveAny) this.wanted[jobs.family[job]] += tasks - room;
      else this.isCountEnough = false;
      if (this.pendingCount >= machines.openCount - reserved.count) this.make();
    }
    if (this.isExhaustedFor(job) && !this.allowed.differByFamily) return false;
    return reserved.count < machines.openCount;
  }

  /** Whether all machines that jobs of this one's family may use are reserved, or will be for those noted. */
  isExhaustedFor(job: number): boolean {
    return this.wanted[this.jobs.family[job]] >= this.machines.openCount - this.reserved.count;
  }

  /**
   * Closes the reserved machines that a search for this job could find. `NONE` where
   * it may find others; else the job fails, and this is how many of its tasks there
   * was room for, at most.
   */
  roomFor(job: number, find: Finder): number {
    const { jobs, machines, reserved } = this;
    if (reserved.count === 0 && this.pendingCount === 0) return NONE;
    const cores = jobs.cores[job];
    const tasks = jobs.tasks[job];
    if (tasks === 1) {
      const machine = find(cores, jobs.memory[job], jobs.gpu[job]);
      if (machine === NONE) return 0;
      this.make();
      // Nearly all that are reserved and have room would be found, one search after the other.
      if (reserved.isAmongFirst(machine)) reserved.closeFirst();
      return NONE;
    }
    if (tasks * cores > machines.totalFreeCores) return Math.floor(machines.totalFreeCores / cores);
    // Whoever finds no room now finds none when more is reserved.
    let room = reserved.roomBeside(job);
    if (room === tasks && this.pendingCount > 0) {
      this.make();
      room = reserved.roomBeside(job);
    }
    if (room < tasks) return room;
    reserved.closeFirst();
    return NONE;
  }

  /** Ends the cycle: every reserved machine takes jobs again. */
  clear(): void {
    this.reserved.clear();
    this.isCountEnough = !this.allowed.differByFamily;
    this.pendingCount = 0;
    this.wanted.fill(0);
  }

  /** Makes the reservations of the pending jobs. */
  private make(): void {
    const { machines, pending, reserved, wanted } = this;
    if (this.pendingCount === 0) return;
    const left = machines.openCount - reserved.count;
    for (let i = 0; i < this.pendingCount && reserved.count < machines.openCount; i++)
      this.makeFor(pending[i]);
    this.pendingCount = 0;
    for (let family = 0; family < wanted.length; family++)
      wanted[family] = wanted[family] >= left ? Infinity : 0;
  }

  /** One machine for each of the job's tasks that found none. */
  private makeFor(job: number): void {
    const { jobs, reserved } = this;
    let unplaced = jobs.tasks[job];
    if (unplaced > 1) unplaced -= reserved.roomBeside(job);
    if (this.isCountEnough) {
      reserved.reserveNext(unplaced);
      return;
    }
    while (unplaced > 0 && reserved.reserveFor(job)) unplaced--;
    if (unplaced > 0 && reserved.mayReserveAny(job)) this.wanted[jobs.family[job]] = Infinity;
  }
}
