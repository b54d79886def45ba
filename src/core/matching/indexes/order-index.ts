import type { MachineView } from "../../machines/machine-view.ts";
import { NONE } from "../../none.ts";
import { largest } from "../../arrays.ts";
import { DirtyList } from "./dirty-list.ts";

/** Machines in a leaf, which are tried one by one. */
const LEAF_BITS = 4;
const LEAF = 1 << LEAF_BITS;
const FANOUT_BITS = 3;
const FANOUT = 1 << FANOUT_BITS;
/** The largest number of sizes in a node: less than two units of cores, then 2, 4, 8 … of them. */
const MAX_SIZES = 12;
/** Thousandths of a core. Most jobs ask for this times a power of two. */
const UNIT = 125;

/**
 * The first machine in pool order on which a task fits.
 *
 * A tree over the machines in pool order. A node knows, for cores in powers of two of the unit, the most memory free on
 * a machine below it with at least so many free. One maximum of cores and one of memory would be two numbers instead of
 * a few, but they belong to different machines: where first-fit has filled the front of the pool, machines out of cores
 * stand beside machines out of memory, and the search went down and back up in every group of them (a third of the
 * speed at 3,115 machines). A request between two powers goes by the lower one, and the search turns back when that
 * promised too much.
 *
 * A node may also promise too much because machines have less than they had. It is corrected when a search finds
 * nothing there, and only for the size that was asked for. Most of what is taken or closed is given back or opened
 * before the next search: correcting the nodes at every change took a fifth of a run, and correcting all sizes at once
 * a seventh.
 */
export class OrderIndex {
  private readonly machines: MachineView;
  private readonly dirty: DirtyList;
  /** The unit of sizes. */
  private unit!: number;
  private sizes!: number;
  /** The nodes of depth d start at offsets[d]; depth 0 is the leaves. */
  private offsets!: number[];
  private widths!: number[];
  /** `sizes` numbers for each node; -1 if no machine has that many cores. */
  private mostMemory!: Int32Array;
  /** By size: the fewest cores that belong to it. */
  private leastCores!: Int32Array;
  /**
   * The last request, and a machine before which no machine fits it. Jobs come in runs that ask for the same, and most
   * machines at the front of the pool are full.
   */
  private lastCores = -1;
  private lastMemory = -1;
  private notBefore = 0;

  constructor(machines: MachineView) {
    this.machines = machines;
    this.dirty = new DirtyList(machines);
    machines.watch(this.dirty);
    this.make();
  }

  /** Makes the index without machines; all are added at the next refresh. */
  private make(): void {
    const { count, capacityCores } = this.machines;
    const mostCores = largest(capacityCores);
    // The top size must still reach the largest machines.
    this.unit = Math.max(UNIT, Math.ceil(mostCores / 2 ** (MAX_SIZES - 1)));
    this.sizes = Math.min(MAX_SIZES, 32 - Math.clz32(Math.max(1, Math.floor(mostCores / this.unit))));
    this.offsets = [];
    this.widths = [];
    let size = 0;
    for (let width = Math.ceil(count / LEAF); ; width = Math.ceil(width / FANOUT)) {
      this.offsets.push(size);
      this.widths.push(width);
      size += Math.ceil(width / FANOUT) * FANOUT;
      if (width <= 1) break;
    }
    this.mostMemory = new Int32Array(size * this.sizes).fill(-1);
    this.leastCores = Int32Array.from({ length: this.sizes }, (_, i) => (i === 0 ? 1 : this.unit * 2 ** i));
    this.lastCores = -1;
    this.notBefore = 0;
    this.dirty.markAll();
  }

  first(cores: number, memory: number): number {
    this.refresh();
    const top = this.offsets.length - 1;
    const size = this.sizeOf(cores);
    if (this.mostMemory[this.offsets[top] * this.sizes + size] < memory) return NONE;
    const isSame = cores === this.lastCores && memory === this.lastMemory;
    const machine = isSame
      ? this.searchFrom(this.notBefore, size, cores, memory)
      : this.search(top, 0, size, cores, memory);
    this.lastCores = cores;
    this.lastMemory = memory;
    this.notBefore = machine === NONE ? this.machines.count : machine;
    return machine;
  }

  /** The first fitting machine, if none before `from` fits, or `NONE`. */
  private searchFrom(from: number, size: number, cores: number, memory: number): number {
    const { mostMemory, sizes, offsets, widths } = this;
    if (from === this.machines.count) return NONE;
    let node = from >> LEAF_BITS;
    const found = this.inLeaf(node, from, size, cores, memory);
    if (found !== NONE) return found;
    // Climb, and try what is to the right.
    for (let depth = 0; depth < offsets.length - 1; depth++) {
      const end = Math.min((node | (FANOUT - 1)) + 1, widths[depth]);
      for (let next = node + 1; next < end; next++) {
        if (mostMemory[(offsets[depth] + next) * sizes + size] < memory) continue;
        const machine = this.search(depth, next, size, cores, memory);
        if (machine !== NONE) return machine;
      }
      node >>= FANOUT_BITS;
    }
    return NONE;
  }

  /** The largest size not above an amount of cores; 0 if that is less than a unit. */
  private sizeOf(cores: number): number {
    const units = Math.floor(cores / this.unit);
    return units < 2 ? 0 : Math.min(this.sizes - 1, 31 - Math.clz32(units));
  }

  /** The first fitting machine below a node that promises one, or `NONE`. */
  private search(depth: number, node: number, size: number, cores: number, memory: number): number {
    if (depth === 0) return this.inLeaf(node, node << LEAF_BITS, size, cores, memory);
    const { mostMemory, sizes } = this;
    const below = depth - 1;
    const offset = this.offsets[below];
    const start = node << FANOUT_BITS;
    const end = Math.min(start + FANOUT, this.widths[below]);
    for (let child = start; child < end; child++) {
      if (mostMemory[(offset + child) * sizes + size] < memory) continue;
      const found = this.search(below, child, size, cores, memory);
      if (found !== NONE) return found;
    }
    return NONE;
  }

  /** The leaf's first fitting machine, if none of its machines before `start` fits, or `NONE`. */
  private inLeaf(leaf: number, start: number, size: number, cores: number, memory: number): number {
    const { freeCores, freeMemory, closed, count } = this.machines;
    const end = Math.min((leaf + 1) << LEAF_BITS, count);
    for (let machine = start; machine < end; machine++) {
      if (freeCores[machine] >= cores && freeMemory[machine] >= memory && closed[machine] === 0)
        return machine;
    }
    this.lower(leaf, size);
    return NONE;
  }

  private refresh(): void {
    const { dirty, machines } = this;
    if (dirty.count === 0) return;
    if (dirty.isResized) this.make();
    const { lastCores, lastMemory } = this;
    const { freeCores, freeMemory, closed } = machines;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      if (closed[machine] !== 0) continue;
      this.raise(machine);
      if (machine < this.notBefore && freeCores[machine] >= lastCores && freeMemory[machine] >= lastMemory)
        this.notBefore = machine;
    }
    dirty.clear();
  }

  /** Raises the nodes above an open machine to what it has, at least. */
  private raise(machine: number): void {
    const { mostMemory, offsets, sizes, machines } = this;
    const cores = machines.freeCores[machine];
    if (cores <= 0) return;
    const size = this.sizeOf(cores);
    const memory = machines.freeMemory[machine];
    let node = machine >> LEAF_BITS;
    for (let depth = 0; depth < offsets.length; depth++) {
      const at = (offsets[depth] + node) * sizes;
      // For a smaller size a node never has less than for a larger one.
      if (mostMemory[at + size] >= memory) return;
      for (let s = size; s >= 0 && mostMemory[at + s] < memory; s--) mostMemory[at + s] = memory;
      node >>= FANOUT_BITS;
    }
  }

  /** Finds anew what a leaf has for one size, then corrects the nodes above it as far as they change. */
  private lower(leaf: number, size: number): void {
    const { sizes, mostMemory, offsets, machines } = this;
    const { freeCores, freeMemory, closed } = machines;
    const least = this.leastCores[size];
    let most = -1;
    const end = Math.min((leaf + 1) << LEAF_BITS, machines.count);
    for (let machine = leaf << LEAF_BITS; machine < end; machine++) {
      if (freeMemory[machine] > most && freeCores[machine] >= least && closed[machine] === 0)
        most = freeMemory[machine];
    }
    let node = leaf;
    for (let depth = 0; ; depth++) {
      const at = (offsets[depth] + node) * sizes;
      if (mostMemory[at + size] === most) return;
      mostMemory[at + size] = most;
      // A larger size never has more: `raise` relies on it.
      for (let larger = size + 1; larger < sizes && mostMemory[at + larger] > most; larger++)
        mostMemory[at + larger] = most;
      if (depth === offsets.length - 1) return;
      node >>= FANOUT_BITS;
      most = -1;
      const start = (offsets[depth] + (node << FANOUT_BITS)) * sizes + size;
      for (let child = start; child < start + FANOUT * sizes; child += sizes)
        if (mostMemory[child] > most) most = mostMemory[child];
    }
  }
}
