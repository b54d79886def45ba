import type { Jobs } from "../jobs/jobs.ts";
import { KindMemory } from "../jobs/kind-memory.ts";
import type { AllowedMachines } from "../machines/allowed-machines.ts";
import type { MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import { machineAt, MemoryOrder } from "./memory-order.ts";

/** A machine with fewer free cores or less free memory takes no reservation. */
export interface LeastFree {
  readonly cores: number;
  readonly memory: number;
}

/** So many machines beyond the reserved ones are put in order at once when one is chosen for a job. */
const CHOICES = 64;

/**
 * The machines that are reserved in a pass: first a number of machines in the order of available memory, then others
 * that were each chosen for a job.
 *
 * The first are only counted, and fetched when they are needed: the machines that jobs are placed on meanwhile are not
 * among them, and their memory shrinks, so the first stay the first. They are closed when a search could find one of
 * them.
 */
export class ReservedMachines {
  /** The number of reserved machines. */
  count = 0;
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly allowed: AllowedMachines;
  private readonly leastFree: LeastFree;
  /** All machines in service, and those of them with free cores. */
  private readonly order: MemoryOrder;
  private readonly roomy: MemoryOrder;
  /** The layout of the machines that the rest is for. */
  private layout = NaN;
  /** A request that fits every machine when it is empty, and the least free memory. */
  private everywhere!: { readonly cores: number; readonly memory: number; readonly gpu: number };
  /** How many of the first were fetched; and the places of the last of them, and of the last that was closed. */
  private first = 0;
  private lastPlace = NONE;
  private closedPlace = NONE;
  /** By machine: 1 if it was chosen for a job. */
  private isChosen!: Uint8Array;
  private hasChosen = false;
  /** By kind of job: the place in the order up to which there is no machine left for it. */
  private readonly reached: KindMemory;
  /** The reserved machines that are closed; the others are full. */
  private closed!: Int32Array;
  private closedCount = 0;

  constructor(machines: MachineState, jobs: Jobs, allowed: AllowedMachines, leastFree: LeastFree) {
    this.machines = machines;
    this.jobs = jobs;
    this.allowed = allowed;
    this.leastFree = leastFree;
    this.order = new MemoryOrder(machines, false);
    this.roomy = new MemoryOrder(machines, true);
    this.reached = new KindMemory(jobs.kinds);
    this.begin();
  }

  /** At the start of a pass: the machines may have changed. */
  begin(): void {
    const { machines, leastFree } = this;
    if (this.layout === machines.layout) return;
    this.layout = machines.layout;
    this.isChosen = new Uint8Array(machines.count);
    this.closed = new Int32Array(machines.count);
    const isBounded = leastFree.cores > 0 || leastFree.memory > 0;
    this.everywhere = {
      cores: isBounded ? 0 : smallest(machines.capacityCores),
      memory: smallest(machines.capacityMemory),
      gpu: smallest(machines.capacityGpu),
    };
  }

  /** At the end of the pass: opens all machines. */
  clear(): void {
    for (let i = 0; i < this.closedCount; i++) this.machines.unreserve(this.closed[i]);
    if (this.hasChosen) this.isChosen.fill(0);
    this.hasChosen = false;
    this.closedCount = this.count = this.first = 0;
    this.lastPlace = this.closedPlace = NONE;
    this.reached.clear();
  }

  /** Whether every machine that the job's family may use may be reserved for it. */
  mayReserveAny(job: number): boolean {
    const { everywhere, allowed } = this;
    const { kind, kinds } = this.jobs;
    const own = kind[job];
    return (
      kinds.cores[own] <= everywhere.cores &&
      kinds.memory[own] <= everywhere.memory &&
      kinds.gpu[own] <= everywhere.gpu &&
      allowed.suitsEverywhere(own) &&
      !allowed.isKeptOff(job)
    );
  }

  /** Reserves the next machines in the order, or as many as there are. Must not be called after `reserveFor`. */
  reserveNext(n: number): void {
    this.count = Math.min(this.count + n, this.machines.openCount);
  }

  /** Reserves the first machine that may be reserved for the job. Returns false if there is none. */
  reserveFor(job: number): boolean {
    const { order, isChosen, reached } = this;
    if (!this.hasChosen) this.closeFirst();
    this.hasChosen = true;
    order.refresh(this.count + CHOICES);
    // Jobs of a kind may reserve the same machines: those passed over for one job are passed over for all.
    const kind = this.jobs.kind[job];
    // Not if machines are booked: of two jobs of a kind one may end before that.
    const isOfKind = !this.allowed.isKeptOff(job);
    let place = Math.max(this.lastPlace, isOfKind ? reached.of(kind) : NONE);
    for (;;) {
      const { values, length } = order.places;
      for (let i = order.places.indexAfter(place); i < length; i++) {
        place = values[i];
        const machine = machineAt(place);
        if (isChosen[machine] !== 0 || !this.mayReserve(job, machine)) continue;
        if (isOfKind) reached.note(kind, place);
        isChosen[machine] = 1;
        this.count++;
        this.close(machine);
        return true;
      }
      if (order.isWhole) {
        if (isOfKind) reached.note(kind, Infinity);
        return false;
      }
      order.refresh();
    }
  }

  /** Whether `reserveFor` is known to find no machine for the job. */
  isAtEnd(job: number): boolean {
    return this.reached.of(this.jobs.kind[job]) === Infinity;
  }

  isAmongFirst(machine: number): boolean {
    const place = this.order.placeOf(machine);
    if (!this.hasChosen && this.order.isBehind(place, this.count)) return false;
    this.lookUpFirst();
    return place <= this.lastPlace;
  }

  /** Closes those of the first machines that a search could find. */
  closeFirst(): void {
    const { places } = this.order;
    this.lookUpFirst();
    const { values } = places;
    const end = places.indexAfter(this.lastPlace);
    for (let i = places.indexAfter(this.closedPlace); i < end; i++) this.close(machineAt(values[i]));
    this.closedPlace = this.lastPlace;
  }

  /** The number of the job's tasks that fit on machines that are not reserved. Stops counting at all of them. */
  roomBeside(job: number): number {
    const { jobs, machines, roomy, allowed } = this;
    const { closed, freeCores, freeMemory } = machines;
    const cores = jobs.coresOf(job);
    const memory = jobs.memoryOf(job);
    const gpu = jobs.gpuOf(job);
    const tasks = jobs.tasksOf(job);
    this.lookUpFirst();
    roomy.refresh();
    const { values, length } = roomy.places;
    let room = 0;
    for (let i = roomy.places.indexAfter(this.lastPlace); i < length && room < tasks; i++) {
      const machine = machineAt(values[i]);
      if (closed[machine] !== 0 || freeCores[machine] < cores || freeMemory[machine] < memory) continue;
      if (allowed.allows(job, machine)) room += machines.roomFor(machine, cores, memory, gpu);
    }
    return Math.min(room, tasks);
  }

  private mayReserve(job: number, machine: number): boolean {
    const { jobs, machines, leastFree, allowed } = this;
    return (
      machines.capacityCores[machine] >= jobs.coresOf(job) &&
      machines.capacityMemory[machine] >= jobs.memoryOf(job) &&
      machines.capacityGpu[machine] >= jobs.gpuOf(job) &&
      machines.freeCores[machine] >= leastFree.cores &&
      machines.freeMemory[machine] >= leastFree.memory &&
      allowed.allows(job, machine)
    );
  }

  private lookUpFirst(): void {
    if (this.hasChosen || this.first === this.count) return;
    this.order.refresh(this.count);
    this.first = this.count;
    this.lastPlace = this.order.places.values[this.count - 1];
  }

  private close(machine: number): void {
    const { machines } = this;
    // A search does not find a full machine anyway, so closing it and opening it again would gain nothing.
    if (machines.freeCores[machine] <= 0) return;
    machines.reserve(machine);
    this.closed[this.closedCount++] = machine;
  }
}

function smallest(amounts: Int32Array): number {
  let least = Infinity;
  for (const amount of amounts) if (amount < least) least = amount;
  return least;
}
