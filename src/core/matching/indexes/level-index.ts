import type { MachineView } from "../../machines/machine-view.ts";
import { NONE } from "../../none.ts";
import { commonDivisor } from "../divisor.ts";
import { largest } from "../../arrays.ts";
import { DirtyList } from "./dirty-list.ts";

/** Machines in a leaf of a level's tree: one bit for each says whether the machine belongs to the level. */
const LEAF_BITS = 5;
const LEAF = 1 << LEAF_BITS;
const FANOUT_BITS = 3;
const FANOUT = 1 << FANOUT_BITS;
/** Levels in a group of the table of roots. */
const GROUP_BITS = 5;
/** The largest number of tree nodes in all levels together: 16 MiB. A large pool gets fewer, wider levels. */
const MAX_NODES = 1 << 22;
const MAX_LEVELS = 16384;
/**
 * The number of machines that may share a level with unequal ones, and the part of all machines that may in addition
 * (one in so many); beyond that, levels are made narrower.
 */
const FEW_MIXED = 8;
const MIXED_PART = 64;

/**
 * Machines ordered by the free amount of one resource, the first, to find the machine with the least or the most of it
 * among those that also have enough of another resource, the second. Of equals it finds the first in pool order.
 *
 * The first resource is cut into levels. Each level has a tree over the machines in pool order whose nodes know the
 * most of the second resource below them, counting the level's machines only. A search takes the first level, upwards
 * or downwards, whose root has enough, and walks down to its first machine. If all machines of the level have equal
 * amounts of the first resource that is the answer; otherwise those that fit are compared one by one.
 *
 * Most jobs ask for whole cores. So levels as wide as the greatest common divisor of the free amounts are few, and
 * their machines equal. Levels begin that wide, and are made narrower when too many machines are unequal.
 */
export class LevelIndex {
  private readonly machines: MachineView;
  private readonly dirty: DirtyList;
  private readonly firstName: "cores" | "memory";
  /** The view's arrays, and the index over them. All are replaced when machines are added or resized. */
  private first!: Int32Array;
  private second!: Int32Array;
  private closed!: Uint8Array;
  private largest!: number;
  private width!: number;
  private leastWidth!: number;
  private levels!: number;
  /** As of the last refresh: each machine's level (`NONE` while it has no room) and its resources. */
  private levelOf!: Int32Array;
  private firstOf!: Int32Array;
  private secondOf!: Int32Array;
  /**
   * By level: the number of its machines, the amount of the first resource that one of them has, and how many have
   * another amount.
   */
  private counts!: Int32Array;
  private amounts!: Int32Array;
  private unequal!: Int32Array;
  private mixed!: number;
  /** Which machines of a leaf belong to a level: leaf l of level v is at v · leaves + l. */
  private members!: Int32Array;
  private leaves!: number;
  /** Nodes of level v start at v · stride; those of depth d within it at offsets[d]. */
  private nodes!: Int32Array;
  private stride!: number;
  private offsets!: number[];
  private rootOf!: Int32Array;
  private mostInGroup!: Int32Array;

  /** @param first the resource that orders the machines */
  constructor(machines: MachineView, first: "cores" | "memory") {
    this.machines = machines;
    this.firstName = first;
    this.dirty = new DirtyList(machines);
    machines.watch(this.dirty);
    this.make();
  }

  /** Makes the index without machines; all are added at the next refresh. */
  private make(): void {
    const { count, freeCores, freeMemory, capacityCores, capacityMemory, closed } = this.machines;
    const isByCores = this.firstName === "cores";
    this.first = isByCores ? freeCores : freeMemory;
    this.second = isByCores ? freeMemory : freeCores;
    this.closed = closed;
    this.largest = largest(isByCores ? capacityCores : capacityMemory);
    this.offsets = [];
    let size = 0;
    for (let width = Math.ceil(count / LEAF); ; width = Math.ceil(width / FANOUT)) {
      this.offsets.push(size);
      size += Math.ceil(width / FANOUT) * FANOUT;
      if (width <= 1) break;
    }
    this.stride = size;
    const maxLevels = Math.max(2, Math.min(MAX_LEVELS, Math.floor(MAX_NODES / size)));
    this.leastWidth = Math.ceil((this.largest + 1) / maxLevels);
    this.width = Math.max(this.leastWidth, this.divisor());
    this.levels = Math.floor(this.largest / this.width) + 1;
    this.leaves = Math.ceil(count / LEAF);
    this.levelOf = new Int32Array(this.leaves * LEAF).fill(NONE);
    this.firstOf = new Int32Array(this.levelOf.length);
    this.secondOf = new Int32Array(this.levelOf.length);
    this.counts = new Int32Array(this.levels);
    this.amounts = new Int32Array(this.levels);
    this.unequal = new Int32Array(this.levels);
    this.mixed = 0;
    this.members = new Int32Array(this.levels * this.leaves);
    this.nodes = new Int32Array(this.levels * size).fill(-1);
    this.rootOf = new Int32Array(this.levels).fill(-1);
    this.mostInGroup = new Int32Array((this.levels >> GROUP_BITS) + 1).fill(-1);
    this.dirty.markAll();
  }

  /** The greatest common divisor of what the open machines have free of the first resource. */
  private divisor(): number {
    let divisor = 0;
    for (let machine = 0; machine < this.machines.count && divisor !== 1; machine++)
      if (this.closed[machine] === 0) divisor = commonDivisor(divisor, this.first[machine]);
    return Math.max(1, divisor);
  }

  /** The open machine with the least of the first resource, at least `need` of it, and `needSecond` of the second. */
  least(need: number, needSecond: number): number {
    this.refresh();
    const { levels, rootOf, mostInGroup } = this;
    for (let level = Math.floor(need / this.width); level < levels; level++) {
      if (rootOf[level] < needSecond) {
        // Skip the rest of a group in which no level has enough.
        if (mostInGroup[level >> GROUP_BITS] < needSecond) level |= (1 << GROUP_BITS) - 1;
        continue;
      }
      const machine = this.bestOfLevel(level, need, needSecond, 1);
      if (machine !== NONE) return machine;
    }
    return NONE;
  }

  /** The open machine with the most of the first resource, at least `need` of it, and `needSecond` of the second. */
  most(need: number, needSecond: number): number {
    this.refresh();
    const lowest = Math.floor(need / this.width);
    for (
      let level = this.nextDown(this.levels - 1, needSecond);
      level >= lowest;
      level = this.nextDown(level - 1, needSecond)
    ) {
      const machine = this.bestOfLevel(level, need, needSecond, -1);
      if (machine !== NONE) return machine;
    }
    return NONE;
  }

  /** The highest level not above `level` whose root has enough, or below 0. */
  private nextDown(level: number, needSecond: number): number {
    const { rootOf, mostInGroup } = this;
    while (level >= 0 && rootOf[level] < needSecond) {
      if (mostInGroup[level >> GROUP_BITS] < needSecond) level = ((level >> GROUP_BITS) << GROUP_BITS) - 1;
      else level--;
    }
    return level;
  }

  /** The fitting machine of a level with the least (`sign` 1) or the most (-1) of the first resource. */
  private bestOfLevel(level: number, need: number, needSecond: number, sign: number): number {
    let machine = this.nextInLevel(level, needSecond, 0);
    if (this.unequal[level] === 0) return this.amounts[level] >= need ? machine : NONE;
    let best = NONE;
    let bestAmount = Infinity;
    // No machine of the level is better than this: empty machines, of which there may be thousands, are all equal.
    const limit =
      sign > 0 ? Math.max(need, level * this.width) : -Math.min((level + 1) * this.width - 1, this.largest);
    for (; machine !== NONE; machine = this.nextInLevel(level, needSecond, machine + 1)) {
      const amount = this.first[machine];
      if (amount >= need && amount * sign < bestAmount) {
        bestAmount = amount * sign;
        best = machine;
        if (bestAmount === limit) break;
      }
    }
    return best;
  }

  /** The level's first machine, not before `from`, with enough of the second resource. */
  private nextInLevel(level: number, needSecond: number, from: number): number {
    const { nodes, offsets } = this;
    const base = level * this.stride;
    const top = offsets.length - 1;
    let node = 0;
    let depth = top;
    if (from > 0) {
      const found = this.inLeaf(level, needSecond, from, ((from - 1) | (LEAF - 1)) + 1);
      if (found !== NONE) return found;
      // Climb until a node to the right has enough.
      node = (from - 1) >> LEAF_BITS;
      depth = 0;
      for (;;) {
        const groupEnd = (node | (FANOUT - 1)) + 1;
        node++;
        while (node < groupEnd && nodes[base + offsets[depth] + node] < needSecond) node++;
        if (node < groupEnd) break;
        if (depth === top) return NONE;
        node = (groupEnd - 1) >> FANOUT_BITS;
        depth++;
      }
    } else if (nodes[base + offsets[top]] < needSecond) return NONE;
    while (depth > 0) {
      depth--;
      node <<= FANOUT_BITS;
      while (nodes[base + offsets[depth] + node] < needSecond) node++;
    }
    return this.inLeaf(level, needSecond, node << LEAF_BITS, (node + 1) << LEAF_BITS);
  }

  private inLeaf(level: number, needSecond: number, from: number, end: number): number {
    if (from === end) return NONE;
    const { secondOf } = this;
    const leaf = from >> LEAF_BITS;
    let bits = this.members[level * this.leaves + leaf] & (-1 << (from & (LEAF - 1)));
    while (bits !== 0) {
      const machine = (leaf << LEAF_BITS) + lowestBit(bits);
      if (secondOf[machine] >= needSecond) return machine;
      bits &= bits - 1;
    }
    return NONE;
  }

  private refresh(): void {
    const { dirty } = this;
    if (dirty.count === 0) return;
    if (dirty.isResized) this.make();
    this.moveDirty();
    const few = FEW_MIXED + this.machines.count / MIXED_PART;
    if (this.mixed > few && this.width > this.leastWidth) {
      this.make();
      this.moveDirty();
    }
    dirty.clear();
  }

  /** Moves the machines that changed to their levels. */
  private moveDirty(): void {
    const { dirty, levelOf, firstOf, secondOf, width } = this;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      const first = this.first[machine];
      const second = this.second[machine];
      const hasRoom = this.closed[machine] === 0 && first >= 0 && second >= 0;
      const level = hasRoom ? Math.floor(first / width) : NONE;
      const oldLevel = levelOf[machine];
      const oldFirst = firstOf[machine];
      const oldSecond = secondOf[machine];
      if (level === oldLevel && second === oldSecond && first === oldFirst) continue;
      levelOf[machine] = level;
      firstOf[machine] = first;
      secondOf[machine] = second;
      if (oldLevel !== NONE) this.countOut(oldLevel, oldFirst);
      if (level !== NONE) this.countIn(level, first);
      if (oldLevel !== level) {
        const leaf = machine >> LEAF_BITS;
        const bit = 1 << (machine & (LEAF - 1));
        if (oldLevel !== NONE) this.members[oldLevel * this.leaves + leaf] &= ~bit;
        if (level !== NONE) this.members[level * this.leaves + leaf] |= bit;
      }
      if (oldLevel !== NONE && (oldLevel !== level || second < oldSecond))
        this.lower(oldLevel, machine, oldSecond);
      if (level !== NONE) this.raise(level, machine, second);
    }
  }

  /** Adds a machine with this much of the first resource to its level. */
  private countIn(level: number, first: number): void {
    if (this.counts[level]++ === 0) this.amounts[level] = first;
    else if (this.amounts[level] !== first) {
      this.unequal[level]++;
      this.mixed++;
    }
  }

  /** Removes a machine from its level. */
  private countOut(level: number, first: number): void {
    this.counts[level]--;
    if (this.amounts[level] === first) return;
    this.unequal[level]--;
    this.mixed--;
  }

  private raise(level: number, machine: number, second: number): void {
    const { nodes, offsets } = this;
    const base = level * this.stride;
    let node = machine >> LEAF_BITS;
    for (let depth = 0; depth < offsets.length; depth++) {
      const at = base + offsets[depth] + node;
      if (nodes[at] >= second) return;
      nodes[at] = second;
      node >>= FANOUT_BITS;
    }
    this.rootOf[level] = second;
    if (this.mostInGroup[level >> GROUP_BITS] < second) this.mostInGroup[level >> GROUP_BITS] = second;
  }

  /** A machine that had `was` left the level or has less. Corrects the nodes in which it was the largest. */
  private lower(level: number, machine: number, was: number): void {
    const { nodes, offsets, secondOf } = this;
    const base = level * this.stride;
    let node = machine >> LEAF_BITS;
    if (nodes[base + node] > was) return;
    let most = -1;
    for (let bits = this.members[level * this.leaves + node]; bits !== 0; bits &= bits - 1) {
      const second = secondOf[(node << LEAF_BITS) + lowestBit(bits)];
      if (second > most) most = second;
    }
    nodes[base + node] = most;
    if (most === was) return;
    for (let depth = 1; depth < offsets.length; depth++) {
      const start = base + offsets[depth - 1] + ((node >> FANOUT_BITS) << FANOUT_BITS);
      node >>= FANOUT_BITS;
      const at = base + offsets[depth] + node;
      if (nodes[at] > was) return;
      most = -1;
      for (let child = start; child < start + FANOUT; child++) if (nodes[child] > most) most = nodes[child];
      nodes[at] = most;
      if (most === was) return;
    }
    const { rootOf, mostInGroup } = this;
    rootOf[level] = most;
    const group = level >> GROUP_BITS;
    if (mostInGroup[group] > was) return;
    const end = Math.min((group + 1) << GROUP_BITS, this.levels);
    let groupMost = -1;
    for (let v = group << GROUP_BITS; v < end; v++) if (rootOf[v] > groupMost) groupMost = rootOf[v];
    mostInGroup[group] = groupMost;
  }
}

/** The place of the lowest bit that is set. */
function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
