import type { MachineView } from "./machine-view.ts";

/** What the machines of a pool are configured with: one entry a machine, in pool order. */
export interface Capacities {
  /** Thousandths of a core, 1 or more. */
  readonly coresMilli: Int32Array;
  /** MiB; null: memory is not considered. */
  readonly memoryMiB: Int32Array | null;
  /** Thousandths of a GPU; null: GPUs are not considered. */
  readonly gpuMilli: Int32Array | null;
}

/** Why a machine is closed. */
export const DRAINED = 1;
export const RESERVED = 2;

/** Told of every machine whose free resources, or whose being open, changed. */
export interface MachineWatcher {
  changed(machine: number): void;
}

/**
 * The machines as the pool sees them now: capacity, what is free, and whether
 * they take jobs. Cores and memory are held exclusively (Shai 2014, section 3).
 *
 * All state is in typed arrays by machine number, so that a search over
 * thousands of machines stays within the processor's caches.
 */
export class MachineState implements MachineView {
  readonly count: number;
  readonly capacityCores: Int32Array;
  readonly capacityMemory: Int32Array;
  readonly capacityGpu: Int32Array;
  readonly freeCores: Int32Array;
  readonly freeMemory: Int32Array;
  readonly freeGpu: Int32Array;
  /** Not 0 while a machine takes no job: `DRAINED`, or `RESERVED` for the rest of the cycle. */
  readonly closed: Uint8Array;
  /** Machines that are not drained. */
  openCount: number;
  /** Free cores of the machines that are not drained. */
  totalFreeCores = 0;
  /** How often a machine was drained, opened again, or is reserved no more: what was learned before need not hold after. */
  drainings = 0;
  readonly considersMemory: boolean;
  readonly considersGpu: boolean;
  private readonly watchers: MachineWatcher[] = [];
  private readonly reservationWatchers: MachineWatcher[] = [];

  constructor(capacities: Capacities) {
    const { coresMilli, memoryMiB, gpuMilli } = capacities;
    this.count = coresMilli.length;
    this.considersMemory = memoryMiB !== null;
    this.considersGpu = gpuMilli !== null;
    this.capacityCores = Int32Array.from(coresMilli);
    this.capacityMemory = memoryMiB === null ? new Int32Array(this.count) : Int32Array.from(memoryMiB);
    this.capacityGpu = gpuMilli === null ? new Int32Array(this.count) : Int32Array.from(gpuMilli);
    this.freeCores = this.capacityCores.slice();
    this.freeMemory = this.capacityMemory.slice();
    this.freeGpu = this.capacityGpu.slice();
    this.closed = new Uint8Array(this.count);
    this.openCount = this.count;
    for (const cores of this.capacityCores) this.totalFreeCores += cores;
  }

  /** @param ofReservations whether it is also told of machines that are reserved and opened again */
  watch(watcher: MachineWatcher, ofReservations = true): void {
    this.watchers.push(watcher);
    if (ofReservations) this.reservationWatchers.push(watcher);
  }

  /** Holds `n` tasks' resources on a machine. The caller has checked that they fit. */
  take(machine: number, cores: number, memory: number, gpu: number, n: number): void {
    this.freeCores[machine] -= cores * n;
    if (this.closed[machine] !== DRAINED) this.totalFreeCores -= cores * n;
    this.freeMemory[machine] -= memory * n;
    if (gpu !== 0) this.freeGpu[machine] -= gpu * n;
    this.tell(machine);
  }

  /** Gives the resources of `n` tasks back. */
  give(machine: number, cores: number, memory: number, gpu: number, n: number): void {
    this.freeCores[machine] += cores * n;
    if (this.closed[machine] !== DRAINED) this.totalFreeCores += cores * n;
    this.freeMemory[machine] += memory * n;
    if (gpu !== 0) this.freeGpu[machine] += gpu * n;
    this.tell(machine);
  }

  /** The machine takes no more jobs until it is opened again; those on it run on. */
  drain(machine: number): void {
    if (this.closed[machine] === DRAINED) return;
    this.closed[machine] = DRAINED;
    this.openCount--;
    this.totalFreeCores -= this.freeCores[machine];
    this.drainings++;
    this.tell(machine);
  }

  undrain(machine: number): void {
    if (this.closed[machine] !== DRAINED) return;
    this.closed[machine] = 0;
    this.openCount++;
    this.totalFreeCores += this.freeCores[machine];
    this.drainings++;
    this.tell(machine);
  }

  /** An open machine takes no jobs for the rest of the cycle. */
  reserve(machine: number): void {
    this.closed[machine] = RESERVED;
    this.tellOfReservation(machine);
  }

  unreserve(machine: number): void {
    this.closed[machine] = 0;
    this.tellOfReservation(machine);
  }

  /** Takes over what another state says of one of its machines. */
  copyFrom(other: MachineState, theirs: number, own: number): void {
    this.totalFreeCores += other.freeCores[theirs] - this.freeCores[own];
    this.freeCores[own] = other.freeCores[theirs];
    this.freeMemory[own] = other.freeMemory[theirs];
    this.freeGpu[own] = other.freeGpu[theirs];
    this.closed[own] = other.closed[theirs];
    this.tell(own);
  }

  /** Tasks of this size that a machine has room for now, whether it is open or not. */
  roomFor(machine: number, cores: number, memory: number, gpu: number): number {
    return tasksWithin(
      this.freeCores[machine],
      this.freeMemory[machine],
      this.freeGpu[machine],
      cores,
      memory,
      gpu,
    );
  }

  /** Tasks of this size that a machine could hold when empty. */
  capacityFor(machine: number, cores: number, memory: number, gpu: number): number {
    const { capacityCores, capacityMemory, capacityGpu } = this;
    return tasksWithin(
      capacityCores[machine],
      capacityMemory[machine],
      capacityGpu[machine],
      cores,
      memory,
      gpu,
    );
  }

  private tell(machine: number): void {
    const watchers = this.watchers;
    for (let i = 0; i < watchers.length; i++) watchers[i].changed(machine);
  }

  private tellOfReservation(machine: number): void {
    const { reservationWatchers } = this;
    for (let i = 0; i < reservationWatchers.length; i++) reservationWatchers[i].changed(machine);
  }
}

/** How many times the task fits into what is there; a task asks for at least some cores. */
export function tasksWithin(
  haveCores: number,
  haveMemory: number,
  haveGpu: number,
  cores: number,
  memory: number,
  gpu: number,
): number {
  let n = Math.floor(haveCores / cores);
  if (memory > 0) n = Math.min(n, Math.floor(haveMemory / memory));
  if (gpu > 0) n = Math.min(n, Math.floor(haveGpu / gpu));
  return n;
}
