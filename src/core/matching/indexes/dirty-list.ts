import { extended } from "../../arrays.ts";
import type { MachineView, MachineWatcher } from "../../machines/machine-view.ts";

/**
 * The machines that changed since an index was last brought up to date.
 *
 * That happens when the index is next searched, not at every change. So a machine that gives up one job and takes
 * another between two searches is moved once, and an index that is not in use (under Max-Jobs there are five, of which
 * one is) costs a flag.
 */
export class DirtyList implements MachineWatcher {
  machines: Int32Array;
  count = 0;
  /** Whether machines were added or resized, so that the index must be made anew, with `markAll`. */
  isResized = false;
  private marked: Uint8Array;

  /** Marks all machines of the view as changed. */
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

  /** Marks all machines as changed, for an index that was made anew and is empty. */
  markAll(): void {
    this.isResized = false;
    for (let machine = 0; machine < this.machines.length; machine++) this.changed(machine);
  }

  clear(): void {
    for (let i = 0; i < this.count; i++) this.marked[this.machines[i]] = 0;
    this.count = 0;
  }
}
