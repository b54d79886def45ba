import { doubled, type Jobs } from "../jobs/jobs.ts";
import { KindMemory } from "../jobs/kind-memory.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type { AllowedMachines } from "../machines/allowed-machines.ts";
import { NONE } from "../none.ts";
import type { Finder } from "../matching/heuristic.ts";
import { MemoryOrder } from "./memory-order.ts";
import { MemoryRank } from "./memory-rank.ts";

/** Less free than this, and a machine takes no reservation. */
export interface LeastFree {
  readonly cores: number;
  readonly memory: number;
}

/** What a pass asks of its reservations. */
export interface PassReservations {
  /**
   * Notes a job that found no machine. False when every machine is reserved: the cycle is over.
   *
   * @param room how many of its tasks there was room for, at most
   */
  note(job: number, room: number): boolean;
  /** Whether noting more jobs of this one's family would change nothing. */
  isExhaustedFor?(job: number): boolean;
  /**
   * Brings the machines to the point where a search finds no reserved one, as far
   * as the coming search for this job goes.
   */
  apply(job: number, find: Finder): void;
  /** Ends the cycle: every reserved machine takes jobs again. */
  clear(): void;
}

/**
 * The transient reservations of a cycle (Shai 2014, section 6): a job that found
 * no machine closes, for the rest of the cycle, the machine with the highest
 * available memory that could hold it when empty and is not reserved yet.
 *
 * They are made as late as can be: a reservation matters only to a later job
 * that would otherwise be placed, and a full pool has thousands of unmatched jobs
 * a cycle and few such.
 *
 * - While every machine could hold a task of each unmatched job, the reserved
 *   machines are simply the k with the most available memory, then as now, since
 *   what is placed meanwhile has its memory shrink and is not among them. They
 *   are counted; a machine that a later job finds is looked up, and closed if it
 *   is one of them. For jobs of several tasks, whose reservations depend on the
 *   room that is left, all of them with free cores are looked up: few, where jobs wait.
 * - From the first other job on, machines are reserved one by one, in the order
 *   of their memory.
 * - All but the jobs of one task in the first case are noted, and their
 *   reservations made, in their order, when a later job finds a machine; nothing
 *   was placed in between, so the machines are as they were.
 */
export class Reservations implements PassReservations {
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly leastFree: LeastFree;
  private readonly allowed: AllowedMachines;
  private readonly order: MemoryOrder;
  private readonly rank: MemoryRank;
  /** Machines reserved by count alone. */
  private counted = 0;
  /** Jobs whose reservations are still to be made. */
  private pending = new Int32Array(256);
  private pendingCount = 0;
  /** Machines that the pending jobs will reserve, at least: of those jobs that every machine could hold a task of. */
  private pendingWanted = 0;
  /** How many of the pending jobs some machine could hold no task of. */
  private pendingUnlike = 0;
  /** Machines reserved one by one, and those closed of the counted. */
  private readonly closed: Int32Array;
  private closedCount = 0;
  private made = 0;
  /** While reservations are made: the machines that were open and had free cores; their count `NONE` until asked for. */
  private readonly roomy: Int32Array;
  private roomyCount = NONE;
  /** What fits every machine when it is empty. */
  private readonly everywhere: { readonly cores: number; readonly memory: number; readonly gpu: number };
  /** By kind of request: whether every machine could hold a task of it; 1 yes, 0 no. */
  private readonly everywhereByKind: KindMemory;

  constructor(machines: MachineState, jobs: Jobs, leastFree: LeastFree, allowed: AllowedMachines) {
    this.allowed = allowed;
    this.machines = machines;
    this.jobs = jobs;
    this.everywhereByKind = new KindMemory(jobs.kinds);
    this.leastFree = leastFree;
    this.order = new MemoryOrder(machines);
    this.rank = new MemoryRank(machines);
    this.closed = new Int32Array(machines.count);
    this.roomy = new Int32Array(machines.count);
    const isBounded = leastFree.cores > 0 || leastFree.memory > 0;
    this.everywhere = {
      cores: isBounded ? 0 : smallest(machines.capacityCores),
      memory: smallest(machines.capacityMemory),
      gpu: smallest(machines.capacityGpu),
    };
  }

  note(job: number, room: number): boolean {
    const count = this.machines.openCount;
    const { tasks } = this.jobs;
    const fitsEverywhere = this.fitsEverywhere(job);
    if (this.pendingCount === 0 && this.made === 0 && fitsEverywhere && tasks[job] === 1) {
      return ++this.counted < count;
    }
    if (this.pendingCount === this.pending.length) this.pending = doubled(this.pending);
    this.pending[this.pendingCount++] = job;
    // A job wants a machine for each task that found none: once all machines are wanted, it does not matter by whom.
    if (fitsEverywhere) this.pendingWanted += tasks[job] - room;
    else this.pendingUnlike++;
    const left = count - this.counted - this.made;
    if (this.pendingWanted >= left) return false;
    if (this.pendingCount < left) return true;
    this.make();
    return this.counted + this.made < count;
  }

  apply(job: number, find: Finder): void {
    if (this.counted === 0 && this.pendingCount === 0) return;
    const { jobs } = this;
    const cores = jobs.cores[job];
    const memory = jobs.memory[job];
    const gpu = jobs.gpu[job];
    let machine = find(cores, memory, gpu);
    if (machine === NONE) return;
    if (this.pendingCount > 0 || jobs.tasks[job] > 1) {
      this.make();
      return;
    }
    while (machine !== NONE && this.rank.isAmongFirst(this.counted, machine)) {
      this.close(machine);
      // Nearly all that are counted and have room would be found, one search after the other.
      this.rank.whole(this.close);
      machine = find(cores, memory, gpu);
    }
  }

  clear(): void {
    this.open();
    this.counted = 0;
    this.rank.forget();
    this.pendingCount = 0;
    this.pendingWanted = 0;
    this.pendingUnlike = 0;
    this.made = 0;
  }

  /** Makes all reservations so far: by count while that says which, else one by one. */
  private make(): void {
    this.roomyCount = NONE;
    if (this.made === 0 && this.pendingUnlike === 0) this.makeCounted();
    else this.makeOneByOne();
    this.pendingCount = 0;
    this.pendingWanted = 0;
    this.pendingUnlike = 0;
  }

  /** Counts the pending jobs' reservations, and closes all counted machines that a search could find. */
  private makeCounted(): void {
    const { machines, jobs } = this;
    this.closeCounted();
    for (let i = 0; i < this.pendingCount && this.counted < machines.openCount; i++) {
      const job = this.pending[i];
      const wanted = jobs.tasks[job] - this.roomFor(job);
      if (wanted <= 0) continue;
      this.counted = Math.min(machines.openCount, this.counted + wanted);
      this.closeCounted();
    }
  }

  private closeCounted(): void {
    const { roomy } = this;
    this.listRoomy();
    if (this.counted === 0) return;
    let left = 0;
    for (let i = 0; i < this.roomyCount; i++) {
      const machine = roomy[i];
      if (this.rank.isAmongFirst(this.counted, machine)) {
        this.close(machine);
      } else roomy[left++] = machine;
    }
    this.roomyCount = left;
  }

  private makeOneByOne(): void {
    if (this.made === 0) {
      this.open();
      this.order.start();
      for (; this.counted > 0; this.counted--) this.reserve(this.order.take());
    }
    for (let i = 0; i < this.pendingCount && this.made < this.machines.openCount; i++)
      this.reserveFor(this.pending[i]);
  }

  /** One machine for each of the job's tasks that found none. */
  private reserveFor(job: number): void {
    const { machines, jobs, leastFree } = this;
    const cores = jobs.cores[job];
    const memory = jobs.memory[job];
    const gpu = jobs.gpu[job];
    let wanted = jobs.tasks[job];
    if (wanted > 1) wanted -= this.roomFor(job);
    const skipped: number[] = [];
    while (wanted > 0) {
      const machine = this.order.take();
      if (machine === NONE) break;
      const isFit =
        machines.capacityCores[machine] >= cores &&
        machines.capacityMemory[machine] >= memory &&
        machines.capacityGpu[machine] >= gpu &&
        machines.freeCores[machine] >= leastFree.cores &&
        machines.freeMemory[machine] >= leastFree.memory &&
        this.allows(job, machine);
      if (isFit) {
        this.reserve(machine);
        wanted--;
      } else skipped.push(machine);
    }
    for (const machine of skipped) this.order.putBack(machine);
  }

  /** How many of the job's tasks there is room for on open machines, or at least as many as it has. */
  private roomFor(job: number): number {
    const { machines, jobs, roomy } = this;
    const { closed, freeCores } = machines;
    this.listRoomy();
    const cores = jobs.cores[job];
    const memory = jobs.memory[job];
    const gpu = jobs.gpu[job];
    const tasks = jobs.tasks[job];
    let room = 0;
    for (let i = 0; i < this.roomyCount && room < tasks; i++) {
      const machine = roomy[i];
      if (closed[machine] !== 0 || freeCores[machine] < cores || !this.allows(job, machine)) continue;
      room += machines.roomFor(machine, cores, memory, gpu);
    }
    return room;
  }

  private listRoomy(): void {
    if (this.roomyCount !== NONE) return;
    const { closed, freeCores, count } = this.machines;
    this.roomyCount = 0;
    for (let machine = 0; machine < count; machine++)
      if (closed[machine] === 0 && freeCores[machine] > 0) this.roomy[this.roomyCount++] = machine;
  }

  private allows(job: number, machine: number): boolean {
    return this.allowed.suits(job, machine);
  }

  private reserve(machine: number): void {
    this.made++;
    this.close(machine);
  }

  private readonly close = (machine: number): void => {
    const { machines } = this;
    // A full machine is not found anyway: closing it, and opening it again, would be for nothing.
    if (machines.closed[machine] !== 0 || machines.freeCores[machine] === 0) return;
    machines.reserve(machine);
    this.closed[this.closedCount++] = machine;
  };

  private open(): void {
    for (let i = 0; i < this.closedCount; i++) this.machines.unreserve(this.closed[i]);
    this.closedCount = 0;
  }

  /** Whether every machine, when empty, could hold a task of the job. */
  private fitsEverywhere(job: number): boolean {
    const kind = this.jobs.kind[job];
    const known = this.everywhereByKind.of(kind);
    if (known >= 0) return known === 1;
    const { jobs, everywhere } = this;
    const fits =
      this.allowed.suitsEverywhere(job) &&
      jobs.cores[job] <= everywhere.cores &&
      jobs.memory[job] <= everywhere.memory &&
      jobs.gpu[job] <= everywhere.gpu;
    this.everywhereByKind.note(kind, fits ? 1 : 0);
    return fits;
  }
}

export function smallest(amounts: Int32Array): number {
  let least = Infinity;
  for (const amount of amounts) if (amount < least) least = amount;
  return least;
}
