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
 * A job closes only machines that it may use. Otherwise one that waits only because of a packing policy would close the
 * very machines that the policy keeps for others, and neither would use them.
 *
 * Reservations are made as late as possible: one matters only to a later job that would otherwise be placed, and a full
 * pool has thousands of unmatched jobs in a cycle but few such jobs. Nothing is placed between a job's failure and the
 * making of its reservations, so the machines have not changed.
 *
 * As long as every unmatched job can use any machine, it is enough to count: the first machines in the order of memory
 * are reserved. From the first other job on, machines are chosen job by job.
 */
export class Reservations {
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly allowed: AllowedMachines;
  private readonly reserved: ReservedMachines;
  private isCountEnough = true;
  /** Jobs whose reservations are yet to be made. */
  private pending = new Int32Array(256);
  private pendingCount = 0;
  /** Whether a job was noted since everything was cleared. */
  private hasNoted = true;
  /** By family: the least number of machines that its pending jobs will reserve, if it may use that many. */
  private readonly wanted = new Float64Array(maxFamilies + 1);

  constructor(machines: MachineState, jobs: Jobs, allowed: AllowedMachines, leastFree: LeastFree) {
    this.machines = machines;
    this.jobs = jobs;
    this.allowed = allowed;
    this.reserved = new ReservedMachines(machines, jobs, allowed, leastFree);
    this.clear();
  }

  /** At the start of a pass: the machines may have changed. */
  begin(): void {
    this.reserved.begin();
  }

  /**
   * Notes a job that found no machine. False when every machine is reserved: the cycle is over.
   *
   * @param room the largest number of its tasks that there can be room for
   */
  note(job: number, room: number): boolean {
    const { jobs, machines, reserved } = this;
    this.hasNoted = true;
    const tasks = jobs.tasksOf(job);
    const mayReserveAny = reserved.mayReserveAny(job);
    if (mayReserveAny && tasks === 1 && this.isCountEnough && this.pendingCount === 0) {
      reserved.reserveNext(1);
      return reserved.count < machines.openCount;
    }
    if (!this.isExhaustedFor(job) && !reserved.isAtEnd(job)) {
      if (this.pendingCount === this.pending.length) this.pending = doubled(this.pending);
      this.pending[this.pendingCount++] = job;
      if (mayReserveAny) this.wanted[jobs.familyOf(job)] += tasks - room;
      else this.isCountEnough = false;
      if (this.pendingCount >= machines.openCount - reserved.count) this.make();
    }
    if (this.isExhaustedFor(job) && !this.allowed.differByFamily) return false;
    return reserved.count < machines.openCount;
  }

  /** Whether all machines that jobs of this one's family may use are reserved, or will be for the pending jobs. */
  isExhaustedFor(job: number): boolean {
    return this.wanted[this.jobs.familyOf(job)] >= this.machines.openCount - this.reserved.count;
  }

  /**
   * Closes the reserved machines that a search for this job could find. Returns `NONE` if the search may find others;
   * otherwise the job fails, and this is the largest number of its tasks that there can be room for.
   */
  roomFor(job: number, find: Finder): number {
    const { jobs, machines, reserved } = this;
    if (reserved.count === 0 && this.pendingCount === 0) return NONE;
    const cores = jobs.coresOf(job);
    const tasks = jobs.tasksOf(job);
    if (tasks === 1) {
      const machine = find(cores, jobs.memoryOf(job), jobs.gpuOf(job));
      if (machine === NONE) return 0;
      this.make();
      // Nearly all reserved machines with room would be found, one search after the other.
      if (reserved.isAmongFirst(machine)) reserved.closeFirst();
      return NONE;
    }
    if (tasks * cores > machines.totalFreeCores) return Math.floor(machines.totalFreeCores / cores);
    // A job that finds no room now will not find any when more machines are reserved.
    let room = reserved.roomBeside(job);
    if (room === tasks && this.pendingCount > 0) {
      this.make();
      room = reserved.roomBeside(job);
    }
    if (room < tasks) return room;
    reserved.closeFirst();
    return NONE;
  }

  /** At the end of the cycle: opens every reserved machine. */
  clear(): void {
    if (!this.hasNoted) return;
    this.hasNoted = false;
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
    let unplaced = jobs.tasksOf(job);
    if (unplaced > 1) unplaced -= reserved.roomBeside(job);
    if (this.isCountEnough) {
      reserved.reserveNext(unplaced);
      return;
    }
    while (unplaced > 0 && reserved.reserveFor(job)) unplaced--;
    if (unplaced > 0 && reserved.mayReserveAny(job)) this.wanted[jobs.familyOf(job)] = Infinity;
  }
}
