import type { MachineState, MachineWatcher } from "../machines/machine-state.ts";
import type { MachineView } from "../machines/machine-view.ts";

/** Why a subset's machine is closed that the pool has open: it is not a member. */
const OUTSIDE = 3;

/**
 * Some of a pool's machines, to be searched by themselves: what is free is the
 * pool's own, and a machine that is not a member is closed. Members come and go
 * one by one, so that an index over the subset moves one machine at a time.
 */
export class MachineSubset implements MachineView, MachineWatcher {
  readonly count: number;
  readonly capacityCores: Int32Array;
  readonly capacityMemory: Int32Array;
  readonly capacityGpu: Int32Array;
  readonly freeCores: Int32Array;
  readonly freeMemory: Int32Array;
  readonly freeGpu: Int32Array;
  readonly closed: Uint8Array;
  readonly considersGpu: boolean;
  private readonly machines: MachineState;
  private readonly watchers: MachineWatcher[] = [];

  /** Without members yet. */
  constructor(machines: MachineState) {
    this.machines = machines;
    this.count = machines.count;
    this.capacityCores = machines.capacityCores;
    this.capacityMemory = machines.capacityMemory;
    this.capacityGpu = machines.capacityGpu;
    this.freeCores = machines.freeCores;
    this.freeMemory = machines.freeMemory;
    this.freeGpu = machines.freeGpu;
    this.considersGpu = machines.considersGpu;
    this.closed = new Uint8Array(machines.count).fill(OUTSIDE);
    machines.watch(this);
  }

  watch(watcher: MachineWatcher): void {
    this.watchers.push(watcher);
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

  private tell(machine: number): void {
    const { watchers } = this;
    for (let i = 0; i < watchers.length; i++) watchers[i].changed(machine);
  }
}
