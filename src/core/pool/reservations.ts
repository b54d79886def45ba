import { NONE } from "../matching/heuristic.ts";
import type { MachineState } from "../machines/machine-state.ts";
import { MemoryOrder } from "./memory-order.ts";
import { doubled, type Jobs } from "../jobs/jobs.ts";

/** Less free than this, and a machine takes no reservation. */
export interface LeastFree {
  readonly cores: number;
  readonly memory: number;
}

/**
 * The transient reservations of a cycle (Shai 2014, section 6): a job that found
 * no machine closes, for the rest of the cycle, the machine with the highest
 * available memory that could hold it when empty and is not reserved yet.
 *
 * They are made late. A reservation matters only to a later job that would
 * otherwise be placed, so unmatched jobs are noted and their reservations made
 * when such a job turns up; nothing was placed in between, so the machines are
 * as they were. Most cycles of a full pool end without one.
 */
export class Reservations {
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly leastFree: LeastFree;
  private readonly order: MemoryOrder;
  private readonly reserved: Int32Array;
  private reservedCount = 0;
  private pending = new Int32Array(256);
  private pendingCount = 0;
  /** Machines that the pending jobs will reserve, at least, as long as every machine could hold each of them. */
  private pendingWanted = 0;
  /** What fits every machine when it is empty. */
  private readonly everywhere: { readonly cores: number; readonly memory: number; readonly gpu: number };

  constructor(machines: MachineState, jobs: Jobs, leastFree: LeastFree) {
    this.machines = machines;
    this.jobs = jobs;
    this.leastFree = leastFree;
    this.order = new MemoryOrder(machines);
    this.reserved = new Int32Array(machines.count);
    const isBounded = leastFree.cores > 0 || leastFree.memory > 0;
    this.everywhere = {
      cores: isBounded ? 0 : smallest(machines.capacityCores),
      memory: smallest(machines.capacityMemory),
      gpu: smallest(machines.capacityGpu),
    };
  }

  get isPending(): boolean {
    return this.pendingCount > 0;
  }

  /**
   * Notes a job that found no machine. False when every machine is reserved: the cycle is over.
   *
   * @param room how many of its tasks there was room for, at most
   */
  note(job: number, room: number): boolean {
    if (this.pendingCount === this.pending.length) this.pending = doubled(this.pending);
    this.pending[this.pendingCount++] = job;
    if (this.fitsEverywhere(job)) this.pendingWanted += this.jobs.tasks[job] - room;
    const open = this.machines.count - this.reservedCount;
    if (this.pendingWanted >= open) return false;
    if (this.pendingCount < open) return true;
    this.make();
    return this.reservedCount < this.machines.count;
  }

  /** Makes the reservations of the jobs noted, in their order. */
  make(): void {
    if (this.reservedCount === 0) this.order.start();
    for (let i = 0; i < this.pendingCount && this.reservedCount < this.machines.count; i++)
      this.reserve(this.pending[i]);
    this.pendingCount = 0;
    this.pendingWanted = 0;
  }

  /** Ends the cycle: every reserved machine takes jobs again. */
  clear(): void {
    for (let i = 0; i < this.reservedCount; i++) {
      const machine = this.reserved[i];
      if (this.machines.closed[machine] !== 0) this.machines.open(machine);
    }
    this.reservedCount = 0;
    this.pendingCount = 0;
    this.pendingWanted = 0;
  }

  private fitsEverywhere(job: number): boolean {
    const { jobs, everywhere } = this;
    return (
      jobs.cores[job] <= everywhere.cores &&
      jobs.memory[job] <= everywhere.memory &&
      jobs.gpu[job] <= everywhere.gpu
    );
  }

  /** One machine for each of the job's tasks that found none. */
  private reserve(job: number): void {
    const { machines, jobs, leastFree } = this;
    const cores = jobs.cores[job];
    const memory = jobs.memory[job];
    const gpu = jobs.gpu[job];
    let wanted = jobs.tasks[job];
    if (wanted > 1) {
      for (let machine = 0; machine < machines.count && wanted > 0; machine++) {
        if (machines.closed[machine] === 0) wanted -= machines.roomFor(machine, cores, memory, gpu);
      }
    }
    const skipped: number[] = [];
    while (wanted > 0) {
      const machine = this.order.take();
      if (machine === NONE) break;
      const isFit =
        machines.capacityCores[machine] >= cores &&
        machines.capacityMemory[machine] >= memory &&
        machines.capacityGpu[machine] >= gpu &&
        machines.freeCores[machine] >= leastFree.cores &&
        machines.freeMemory[machine] >= leastFree.memory;
      if (!isFit) {
        skipped.push(machine);
        continue;
      }
      // A full machine is not found anyway: closing it, and opening it again, would be for nothing.
      if (machines.freeCores[machine] > 0) machines.close(machine);
      this.reserved[this.reservedCount++] = machine;
      wanted--;
    }
    for (const machine of skipped) this.order.putBack(machine);
  }
}

function smallest(amounts: Int32Array): number {
  let least = Infinity;
  for (const amount of amounts) if (amount < least) least = amount;
  return least;
}
