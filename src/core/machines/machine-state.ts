import { extended } from "../arrays.ts";
import { NONE } from "../none.ts";
import type { MachineView, MachineWatcher } from "./machine-view.ts";

/** The configuration of the machines of a pool: one entry for each machine, in pool order. */
export interface Capacities {
  /** Thousandths of a core. */
  readonly coresMilli: Int32Array;
  /** MiB; null if memory is not considered. */
  readonly memoryMiB: Int32Array | null;
  /** Thousandths of a GPU; null if GPUs are not considered. */
  readonly gpuMilli: Int32Array | null;
  /** The group of each machine: see `MachineGroups`. Absent: all belong to group 0. */
  readonly groupOf?: Int32Array;
  /** With what somebody else uses of each at present, and gives back one day. Absent: nobody else uses them. */
  readonly whole?: WholeSizes;
}

type WholeSizes = Readonly<Record<keyof MachineCapacity, Int32Array>>;

/** The configuration of one machine. */
export interface MachineCapacity {
  readonly coresMilli: number;
  readonly memoryMiB: number;
  readonly gpuMilli: number;
}

/**
 * Why a machine takes no jobs: `closed` is a sum of these, 0 if it takes jobs. From `DRAINED` on the machine is out of
 * service.
 */
/** Reserved until the end of the cycle or of a search. */
export const RESERVED = 1;
/** Drained by an operator: it takes no more jobs, and those on it run on. */
export const DRAINED = 2;
/** Down: it cannot be reached, or is broken. */
export const DOWN = 4;
/** Removed from the pool. Its number may be given to another machine. */
export const REMOVED = 8;

/** Why a machine is out of service: an operator or the engine has drained it, or it does not work. */
export type ServiceReason = typeof DRAINED | typeof DOWN;

/** The largest number of machines in a pool: indexes keep a machine's number and its memory in one double. */
export const MAX_MACHINES = 2 ** 20;

/**
 * The machines as the pool sees them now: capacity, what is free, and whether
 * they take jobs. Cores and memory are held exclusively (Shai 2014, section 3).
 *
 * All state is in typed arrays by machine number, so that a search over thousands of machines stays within the
 * processor's caches. The arrays have `count` entries and are replaced when machines are added. Code that holds on to
 * one of them, or has arrays by machine of its own, must follow `MachineWatcher.resized` or compare `layout`.
 */
export class MachineState implements MachineView {
  /** All numbers of machines are below this, including those of removed ones. */
  count: number;
  capacityCores: Int32Array;
  capacityMemory: Int32Array;
  capacityGpu: Int32Array;
  /** Below 0 if a machine was made smaller than what runs there. It has no room then. */
  freeCores: Int32Array;
  freeMemory: Int32Array;
  freeGpu: Int32Array;
  groupOf: Int32Array;
  /** See `Capacities`; null: nobody else uses the machines. Those that are added belong to the pool alone. */
  private readonly whole: WholeSizes | null;
  /** Not 0 while a machine takes no jobs: a sum of `RESERVED`, `DRAINED`, `DOWN` and `REMOVED`. */
  closed: Uint8Array;
  /** The number of machines in service. */
  openCount: number;
  /** The free cores of the machines in service; a machine with less than 0 counts as 0. */
  totalFreeCores = 0;
  /** Counts up when a machine is added or removed, or gets another capacity or group. */
  layout = 0;
  /** Counts up when jobs may find a machine, or fail to, for a reason other than jobs that started or ended. */
  revision = 0;
  /** Whether memory, and GPUs, are considered: from the start, or from when a machine is added that has some. */
  considersMemory: boolean;
  considersGpu: boolean;
  private readonly watchers: MachineWatcher[] = [];
  private readonly reservationWatchers: MachineWatcher[] = [];

  constructor(capacities: Capacities) {
    const { coresMilli, memoryMiB, gpuMilli, groupOf, whole = null } = capacities;
    this.whole = whole;
    const count = coresMilli.length;
    checkCount(count);
    this.count = count;
    this.considersMemory = memoryMiB !== null;
    this.considersGpu = gpuMilli !== null;
    this.capacityCores = Int32Array.from(coresMilli);
    this.capacityMemory = memoryMiB === null ? new Int32Array(count) : Int32Array.from(memoryMiB);
    this.capacityGpu = gpuMilli === null ? new Int32Array(count) : Int32Array.from(gpuMilli);
    this.freeCores = this.capacityCores.slice();
    this.freeMemory = this.capacityMemory.slice();
    this.freeGpu = this.capacityGpu.slice();
    this.groupOf = groupOf === undefined ? new Int32Array(count) : Int32Array.from(groupOf);
    this.closed = new Uint8Array(count);
    this.openCount = count;
    for (const cores of this.capacityCores) this.totalFreeCores += cores;
  }

  /** @param ofReservations whether the watcher is also told of machines that are reserved and opened again */
  watch(watcher: MachineWatcher, ofReservations = true): void {
    this.watchers.push(watcher);
    if (ofReservations) this.reservationWatchers.push(watcher);
  }

  unwatch(watcher: MachineWatcher): void {
    for (const watchers of [this.watchers, this.reservationWatchers]) {
      const at = watchers.indexOf(watcher);
      if (at >= 0) watchers.splice(at, 1);
    }
  }

  /** The cores of a machine once nobody else uses it. */
  wholeCores(machine: number): number {
    return Math.max(this.capacityCores[machine], this.whole?.coresMilli[machine] ?? 0);
  }

  /** Its memory, likewise. */
  wholeMemory(machine: number): number {
    return Math.max(this.capacityMemory[machine], this.whole?.memoryMiB[machine] ?? 0);
  }

  /** Its GPUs, likewise. */
  wholeGpu(machine: number): number {
    return Math.max(this.capacityGpu[machine], this.whole?.gpuMilli[machine] ?? 0);
  }

  /** Whether it could hold a task if nobody used any of it. */
  couldHold(machine: number, cores: number, memory: number, gpu: number): boolean {
    return (
      this.wholeCores(machine) >= cores &&
      this.wholeMemory(machine) >= memory &&
      this.wholeGpu(machine) >= gpu
    );
  }

  /** How many tasks of this size it could hold if nobody used any of it. */
  wholeFor(machine: number, cores: number, memory: number, gpu: number): number {
    return tasksWithin(
      this.wholeCores(machine),
      this.wholeMemory(machine),
      this.wholeGpu(machine),
      cores,
      memory,
      gpu,
    );
  }

  /** Takes the resources of `n` tasks on a machine. The caller has checked that they fit. */
  take(machine: number, cores: number, memory: number, gpu: number, n: number): void {
    const taken = cores * n;
    const before = this.freeCores[machine];
    this.freeCores[machine] = before - taken;
    if (this.closed[machine] < DRAINED) this.totalFreeCores -= before >= taken ? taken : Math.max(0, before);
    this.freeMemory[machine] -= memory * n;
    if (gpu !== 0) this.freeGpu[machine] -= gpu * n;
    this.tell(machine);
  }

  /** Gives back the resources of `n` tasks. */
  give(machine: number, cores: number, memory: number, gpu: number, n: number): void {
    const given = cores * n;
    const before = this.freeCores[machine];
    this.freeCores[machine] = before + given;
    if (this.closed[machine] < DRAINED)
      this.totalFreeCores += before >= 0 ? given : Math.max(0, before + given);
    this.freeMemory[machine] += memory * n;
    if (gpu !== 0) this.freeGpu[machine] += gpu * n;
    this.tell(machine);
  }

  /** The lowest number that a joining machine may have. */
  get nextNumber(): number {
    const removed = this.closed.findIndex((closed) => (closed & REMOVED) !== 0);
    return removed === NONE ? this.count : removed;
  }

  /**
   * A machine joins. It is open and empty.
   *
   * @param machine its number: that of a removed one, or `count`
   * @throws RangeError if it is any other number, or the pool has `MAX_MACHINES` machines
   */
  add(machine: number, capacity: MachineCapacity, group = 0): void {
    if (machine === this.count) this.lengthen();
    else if ((this.closed[machine] & REMOVED) === 0)
      throw new RangeError(`machine ${machine} is there already, or its number is above ${this.count}`);
    this.closed[machine] = 0;
    this.freeCores[machine] = this.capacityCores[machine] = 0;
    this.freeMemory[machine] = this.capacityMemory[machine] = 0;
    this.freeGpu[machine] = this.capacityGpu[machine] = 0;
    this.openCount++;
    this.setCapacity(machine, capacity, group);
  }

  /**
   * Changes a machine's capacity or group. Running jobs stay; if they take more than there is, nothing starts there
   * until some have ended.
   */
  setCapacity(machine: number, capacity: MachineCapacity, group = this.groupOf[machine]): void {
    const { coresMilli, memoryMiB, gpuMilli } = capacity;
    this.considersMemory ||= memoryMiB > 0;
    this.considersGpu ||= gpuMilli > 0;
    this.freeMemory[machine] += memoryMiB - this.capacityMemory[machine];
    this.freeGpu[machine] += gpuMilli - this.capacityGpu[machine];
    const before = this.freeCores[machine];
    const after = before + coresMilli - this.capacityCores[machine];
    this.freeCores[machine] = after;
    if (this.isInService(machine)) this.totalFreeCores += Math.max(0, after) - Math.max(0, before);
    this.capacityCores[machine] = coresMilli;
    this.capacityMemory[machine] = memoryMiB;
    this.capacityGpu[machine] = gpuMilli;
    this.groupOf[machine] = group;
    this.layout++;
    this.revision++;
    for (const watcher of this.watchers) watcher.resized(this.count);
    this.tell(machine);
  }

  /**
   * Removes a machine. Its number may be given to one that joins.
   *
   * @throws RangeError if tasks still use it
   */
  remove(machine: number): void {
    if ((this.closed[machine] & REMOVED) !== 0) return;
    if (
      this.freeCores[machine] !== this.capacityCores[machine] ||
      this.freeMemory[machine] !== this.capacityMemory[machine] ||
      this.freeGpu[machine] !== this.capacityGpu[machine]
    )
      throw new RangeError(`machine ${machine} cannot be removed while tasks use it`);
    this.close(machine, REMOVED);
    this.closed[machine] = REMOVED;
    this.layout++;
  }

  isRemoved(machine: number): boolean {
    return (this.closed[machine] & REMOVED) !== 0;
  }

  /** Whether the machine is in service: not drained, down or removed. */
  isInService(machine: number): boolean {
    return this.closed[machine] < DRAINED;
  }

  /** Takes a machine out of service: it takes no more jobs, and those on it run on. */
  close(machine: number, reason: ServiceReason | typeof REMOVED): void {
    const was = this.closed[machine];
    if ((was & (reason | REMOVED)) !== 0) return;
    this.closed[machine] = was | reason;
    if (was < DRAINED) {
      this.openCount--;
      this.totalFreeCores -= Math.max(0, this.freeCores[machine]);
    }
    this.revision++;
    this.tell(machine);
  }

  /** Removes a reason. The machine is in service again unless there is another. */
  open(machine: number, reason: ServiceReason): void {
    if ((this.closed[machine] & reason) === 0) return;
    this.closed[machine] &= ~reason;
    if (this.isInService(machine)) {
      this.openCount++;
      this.totalFreeCores += Math.max(0, this.freeCores[machine]);
    }
    this.revision++;
    this.tell(machine);
  }

  /** Closes an open machine until `unreserve`. */
  reserve(machine: number): void {
    this.closed[machine] |= RESERVED;
    this.tellOfReservation(machine);
  }

  unreserve(machine: number): void {
    this.closed[machine] &= ~RESERVED;
    this.tellOfReservation(machine);
  }

  /** Copies the state of one machine from another view. */
  copyFrom(other: MachineView, theirs: number, own: number): void {
    this.freeCores[own] = other.freeCores[theirs];
    this.freeMemory[own] = other.freeMemory[theirs];
    this.freeGpu[own] = other.freeGpu[theirs];
    this.closed[own] = other.closed[theirs];
    this.tell(own);
  }

  /** The number of tasks of this size that a machine has room for now, whether it is open or not. */
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

  /** The number of tasks of this size that a machine could hold when empty. */
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

  /** Makes room for one more machine. */
  private lengthen(): void {
    const count = this.count + 1;
    checkCount(count);
    this.count = count;
    this.capacityCores = extended(this.capacityCores, count);
    this.capacityMemory = extended(this.capacityMemory, count);
    this.capacityGpu = extended(this.capacityGpu, count);
    this.freeCores = extended(this.freeCores, count);
    this.freeMemory = extended(this.freeMemory, count);
    this.freeGpu = extended(this.freeGpu, count);
    this.groupOf = extended(this.groupOf, count);
    this.closed = extended(this.closed, count);
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

function checkCount(count: number): void {
  if (count > MAX_MACHINES)
    throw new RangeError(`a pool can have at most ${MAX_MACHINES} machines, not ${count}`);
}

/** The number of tasks that fit. What is free may be negative; a task asks for more than 0 cores. */
export function tasksWithin(
  haveCores: number,
  haveMemory: number,
  haveGpu: number,
  cores: number,
  memory: number,
  gpu: number,
): number {
  if (haveCores < cores || haveMemory < memory || haveGpu < gpu) return 0;
  let n = Math.floor(haveCores / cores);
  if (memory > 0) n = Math.min(n, Math.floor(haveMemory / memory));
  if (gpu > 0) n = Math.min(n, Math.floor(haveGpu / gpu));
  return n;
}
