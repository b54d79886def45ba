import type { MachineState } from "../../machines/machine-state.ts";
import { NONE } from "../heuristic.ts";
import { DirtyList } from "./dirty-list.ts";

const FANOUT_BITS = 3;
const FANOUT = 1 << FANOUT_BITS;

/**
 * The first machine in pool order on which a task fits.
 *
 * A tree over the machines in pool order; every node knows the most cores and
 * the most memory free below it. The two maxima may belong to different
 * machines, so a node is a promise only of what is *not* below it: the search
 * goes down and comes back where the promise fails.
 */
export class OrderIndex {
  private readonly machines: MachineState;
  private readonly dirty: DirtyList;
  /** The nodes of depth d start at offsets[d]; depth 0 is the machines themselves. */
  private readonly offsets: number[] = [];
  private readonly widths: number[] = [];
  private readonly mostCores: Int32Array;
  private readonly mostMemory: Int32Array;

  constructor(machines: MachineState) {
    this.machines = machines;
    this.dirty = new DirtyList(machines.count);
    machines.watch(this.dirty);
    let size = 0;
    for (let width = machines.count; ; width = Math.ceil(width / FANOUT)) {
      this.offsets.push(size);
      this.widths.push(width);
      size += Math.ceil(width / FANOUT) * FANOUT;
      if (width === 1) break;
    }
    this.mostCores = new Int32Array(size).fill(-1);
    this.mostMemory = new Int32Array(size).fill(-1);
  }

  first(cores: number, memory: number): number {
    this.refresh();
    const top = this.offsets.length - 1;
    return this.search(top, 0, cores, memory);
  }

  /** The first fitting machine below one node, or `NONE`. */
  private search(depth: number, node: number, cores: number, memory: number): number {
    const at = this.offsets[depth] + node;
    if (this.mostCores[at] < cores || this.mostMemory[at] < memory) return NONE;
    if (depth === 0) return node;
    const start = node << FANOUT_BITS;
    const end = Math.min(start + FANOUT, this.widths[depth - 1]);
    for (let child = start; child < end; child++) {
      const found = this.search(depth - 1, child, cores, memory);
      if (found !== NONE) return found;
    }
    return NONE;
  }

  private refresh(): void {
    const { dirty, machines } = this;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      const isOpen = machines.closed[machine] === 0;
      this.set(
        machine,
        isOpen ? machines.freeCores[machine] : -1,
        isOpen ? machines.freeMemory[machine] : -1,
      );
    }
    dirty.clear();
  }

  private set(machine: number, cores: number, memory: number): void {
    const { offsets, mostCores, mostMemory } = this;
    mostCores[machine] = cores;
    mostMemory[machine] = memory;
    let node = machine;
    for (let depth = 1; depth < offsets.length; depth++) {
      node >>= FANOUT_BITS;
      // Children beyond the width stay at -1, so a full group can be read.
      const start = offsets[depth - 1] + (node << FANOUT_BITS);
      let topCores = -1;
      let topMemory = -1;
      for (let child = start; child < start + FANOUT; child++) {
        if (mostCores[child] > topCores) topCores = mostCores[child];
        if (mostMemory[child] > topMemory) topMemory = mostMemory[child];
      }
      const at = offsets[depth] + node;
      if (mostCores[at] === topCores && mostMemory[at] === topMemory) return;
      mostCores[at] = topCores;
      mostMemory[at] = topMemory;
    }
  }
}
