import { extended } from "../arrays.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type { MachineView, MachineWatcher } from "../machines/machine-view.ts";

/** Why a machine is closed in a subset, whatever its state in the pool: it is not a member. */
const OUTSIDE = 255;

/**
 * Some of a pool's machines, to be searched by themselves. What is free is the pool's own, and a machine that is not a
 * member is closed. Members come and go one by one, so that an index over the subset moves one machine at a time.
 */
export class MachineSubset implements MachineView, MachineWatcher {
  count!: number;
  capacityCores!: Int32Array;
  capacityMemory!: Int32Array;
  capacityGpu!: Int32Array;
  freeCores!: Int32Array;
  freeMemory!: Int32Array;
  freeGpu!: Int32Array;
  closed = new Uint8Array(0);
  private readonly machines: MachineState;
  private readonly watchers: MachineWatcher[] = [];

  /** A new subset has no members. */
  constructor(machines: MachineState) {
    this.machines = machines;
    this.takeOver();
    machines.watch(this);
  }

  get considersGpu(): boolean {
    return this.machines.considersGpu;
  }

  watch(watcher: MachineWatcher): void {
    this.watchers.push(watcher);
  }

  unwatch(watcher: MachineWatcher): void {
    const at = this.watchers.indexOf(watcher);
    if (at >= 0) this.watchers.splice(at, 1);
  }

  has(machine: number): boolean {
    return this.closed[machine] !== OUTSIDE;
  }

  put(machine: number, isMember: boolean): void {
    if (isMember === this.has(machine)) return;
    this.closed[machine] = isMember ? this.machines.closed[machine] : OUTSIDE;
    this.tell(machine);
  }

  changed(machine: number): void {
    if (!this.has(machine)) return;
    this.closed[machine] = this.machines.closed[machine];
    this.tell(machine);
  }

  /** New machines are not members. */
  resized(count: number): void {
    this.takeOver();
    for (const watcher of this.watchers) watcher.resized(count);
  }

  private takeOver(): void {
    const { machines } = this;
    const before = this.closed.length;
    this.count = machines.count;
    this.capacityCores = machines.capacityCores;
    this.capacityMemory = machines.capacityMemory;
    this.capacityGpu = machines.capacityGpu;
    this.freeCores = machines.freeCores;
    this.freeMemory = machines.freeMemory;
    this.freeGpu = machines.freeGpu;
    this.closed = extended(this.closed, machines.count).fill(OUTSIDE, before);
  }

  private tell(machine: number): void {
    const { watchers } = this;
    for (let i = 0; i < watchers.length; i++) watchers[i].changed(machine);
  }
}
