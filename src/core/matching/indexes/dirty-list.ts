import { extended } from "../../arrays.ts";
import type { MachineView, MachineWatcher } from "../../machines/machine-view.ts";

/**
 * The machines that changed since an index last looked.
 *
 * An index is brought up to date when it is next asked, not at every change: a
 * machine that gives up one job and takes another between two searches is moved
 * once, and an index that nobody asks (five of them under Max-Jobs, one at a
 * time) costs a flag.
 */
export class DirtyList implements MachineWatcher {
  machines: Int32Array;
  count = 0;
  /** Whether machines were added or resized: what is by machine or by capacity is to be made anew, with `markAll`. */
  isResized = false;
  private marked: Uint8Array;

  /** All machines of the view count as changed. */
  constructor(view: Pick<MachineView, "count">) {
    this.machines = new Int32Array(view.count);
    this.marked = new Uint8Array(view.count);
    this.markAll();
  }

  changed(machine: number): void {
    if (this.marked[machine] !== 0) return;
    this.marked[machine] = 1;
    this.machines[this.count++] = machine;
  }

  resized(count: number): void {
    this.machines = extended(this.machines, count);
    this.marked = extended(this.marked, count);
    this.isResized = true;
  }

  /** All machines count as changed: the index is made anew, and knows none yet. */
  markAll(): void {
    this.isResized = false;
    for (let machine = 0; machine < this.machines.length; machine++) this.changed(machine);
  }

  clear(): void {
    for (let i = 0; i < this.count; i++) this.marked[this.machines[i]] = 0;
    this.count = 0;
  }
}
