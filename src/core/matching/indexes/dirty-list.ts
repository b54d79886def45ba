import type { MachineWatcher } from "../../machines/machine-state.ts";

/**
 * The machines that changed since an index last looked.
 *
 * An index is brought up to date when it is next asked, not at every change: a
 * machine that gives up one job and takes another between two searches is moved
 * once, and an index that nobody asks (five of them under Max-Jobs, one at a
 * time) costs a flag.
 */
export class DirtyList implements MachineWatcher {
  readonly machines: Int32Array;
  count = 0;
  private readonly marked: Uint8Array;

  constructor(machineCount: number) {
    this.machines = new Int32Array(machineCount);
    this.marked = new Uint8Array(machineCount);
    for (let machine = 0; machine < machineCount; machine++) this.changed(machine);
  }

  changed(machine: number): void {
    if (this.marked[machine] !== 0) return;
    this.marked[machine] = 1;
    this.machines[this.count++] = machine;
  }

  clear(): void {
    for (let i = 0; i < this.count; i++) this.marked[this.machines[i]] = 0;
    this.count = 0;
  }
}
