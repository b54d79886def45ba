import { doubled, type Jobs } from "../jobs/jobs.ts";
import type { AllowedMachines } from "../machines/allowed-machines.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type { Finder } from "../matching/heuristic.ts";
import { NONE } from "../none.ts";
import { MemoryOrder } from "../pool/memory-order.ts";
import { smallest, type LeastFree, type PassReservations } from "../pool/reservations.ts";
import { ORDINARY, type FamilyMachines } from "./family-machines.ts";

/**
 * The transient reservations of a cycle (Shai 2014, section 6) where jobs are
 * packed: a job closes a machine only among those that it may use. One that waits
 * because of the packing policy alone would otherwise close the very machines
 * that the policy keeps for others, and they would stand idle for both.
 *
 * As with `Reservations`, jobs are noted, and their reservations made when a
 * later job finds a machine; nothing was placed in between. Once a family has as
 * many as there are machines, all it may use will be closed, and the rest of a
 * long queue need not be noted.
 */
export class PackedReservations implements PassReservations {
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly packing: FamilyMachines;
  private readonly leastFree: LeastFree;
  private readonly allowed: AllowedMachines;
  /** By family: the machines reserved to it, as `FamilyMachines` has it; `ORDINARY`: to nobody. */
  private readonly orders: readonly MemoryOrder[];
  private pending = new Int32Array(256);
  private pendingCount = 0;
  /** By family: jobs noted in this cycle that reserve a machine for sure, if the family may use one. */
  private readonly sure: Float64Array;
  /** What fits every machine when it is empty, and none is too full for. */
  private readonly everywhere: { readonly cores: number; readonly memory: number; readonly gpu: number };
  private readonly closed: Int32Array;
  private closedCount = 0;

  constructor(
    machines: MachineState,
    jobs: Jobs,
    packing: FamilyMachines,
    leastFree: LeastFree,
    allowed: AllowedMachines,
  ) {
    this.allowed = allowed;
    this.machines = machines;
    this.jobs = jobs;
    this.packing = packing;
    this.leastFree = leastFree;
    this.orders = Array.from({ length: packing.families + 1 }, () => new MemoryOrder(machines));
    this.closed = new Int32Array(machines.count);
    this.sure = new Float64Array(packing.families + 1);
    const isBounded = leastFree.cores > 0 || leastFree.memory > 0;
    this.everywhere = {
      cores: isBounded ? 0 : smallest(machines.capacityCores),
      memory: smallest(machines.capacityMemory),
      gpu: smallest(machines.capacityGpu),
    };
  }

  note(job: number): boolean {
    const { jobs, everywhere, sure } = this;
    const family = jobs.family[job];
    if (sure[family] >= this.machines.count) return this.closedCount < this.machines.openCount;
    const isSure =
      this.allowed.suitsEverywhere(job) &&
      jobs.cores[job] <= everywhere.cores &&
      jobs.memory[job] <= everywhere.memory &&
      jobs.gpu[job] <= everywhere.gpu;
    if (isSure) sure[family]++;
    if (this.pendingCount === this.pending.length) this.pending = doubled(this.pending);
    this.pending[this.pendingCount++] = job;
    return this.closedCount < this.machines.openCount;
  }

  isExhaustedFor(job: number): boolean {
    return this.sure[this.jobs.family[job]] >= this.machines.count;
  }

  apply(job: number, find: Finder): void {
    if (this.pendingCount === 0) return;
    const { jobs } = this;
    if (find(jobs.cores[job], jobs.memory[job], jobs.gpu[job]) !== NONE) this.make();
  }

  clear(): void {
    for (let i = 0; i < this.closedCount; i++) this.machines.unreserve(this.closed[i]);
    this.closedCount = 0;
    this.pendingCount = 0;
    this.sure.fill(0);
  }

  private make(): void {
    const { reservedTo } = this.packing;
    this.orders.forEach((order, family) => order.start((machine) => reservedTo[machine] === family));
    for (let i = 0; i < this.pendingCount; i++) this.reserveFor(this.pending[i]);
    this.pendingCount = 0;
  }

  /** One machine for each of the job's tasks that found none. */
  private reserveFor(job: number): void {
    const { machines, jobs, packing, leastFree, allowed } = this;
    const family = jobs.family[job];
    const cores = jobs.cores[job];
    const memory = jobs.memory[job];
    const gpu = jobs.gpu[job];
    let wanted = jobs.tasks[job];
    if (wanted > 1) {
      for (let machine = 0; machine < machines.count && wanted > 0; machine++) {
        if (machines.closed[machine] === 0 && allowed.allows(job, machine))
          wanted -= machines.roomFor(machine, cores, memory, gpu);
      }
    }
    const skipped: number[] = [];
    while (wanted > 0) {
      const machine = this.take(family);
      if (machine === NONE) break;
      const isFit =
        machines.capacityCores[machine] >= cores &&
        machines.capacityMemory[machine] >= memory &&
        machines.capacityGpu[machine] >= gpu &&
        machines.freeCores[machine] >= leastFree.cores &&
        machines.freeMemory[machine] >= leastFree.memory &&
        allowed.allows(job, machine);
      if (isFit) {
        machines.reserve(machine);
        this.closed[this.closedCount++] = machine;
        wanted--;
      } else skipped.push(machine);
    }
    for (const machine of skipped) this.orders[packing.reservedTo[machine]].putBack(machine);
  }

  /** The machine with the highest available memory that the family may use; `NONE` where none is left. */
  private take(family: number): number {
    const { orders, machines } = this;
    const machine = orders[ORDINARY].take();
    if (family === ORDINARY) return machine;
    const own = orders[family].take();
    if (machine === NONE || own === NONE) return machine === NONE ? own : machine;
    const { freeMemory } = machines;
    const isOwnFirst =
      freeMemory[own] > freeMemory[machine] || (freeMemory[own] === freeMemory[machine] && own < machine);
    orders[isOwnFirst ? ORDINARY : family].putBack(isOwnFirst ? machine : own);
    return isOwnFirst ? own : machine;
  }
}
