import { DRAINED, type MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import { largest } from "../matching/indexes.ts";
import { DirtyList } from "../matching/indexes/dirty-list.ts";

const MAX_LEVELS = 4096;
const BLOCK_BITS = 6;

/**
 * Tells whether a machine is among the k, of those not drained, with the highest available memory,
 * without putting them in order: machines are counted by level of free memory,
 * and only those of the level on which the k-th falls are compared one by one.
 */
export class MemoryRank {
  private readonly machines: MachineState;
  private readonly dirty: DirtyList;
  private readonly width: number;
  private readonly levelOf: Int32Array;
  private readonly counts: Int32Array;
  private readonly blocks: Int32Array;
  /** The machines of each level, in no order: its first, and each one's neighbours. */
  private readonly first: Int32Array;
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  /** A machine that was among the first, and its free memory then: those before it in their order are as well. */
  private within = NONE;
  private withinMemory = Infinity;
  /** A machine that was not among the first so many: those after it are not either. */
  private beyond = NONE;
  private beyondMemory = 0;
  private beyondOf = NONE;

  constructor(machines: MachineState) {
    this.machines = machines;
    const most = largest(machines.capacityMemory);
    this.width = Math.ceil((most + 1) / MAX_LEVELS);
    this.levelOf = new Int32Array(machines.count).fill(NONE);
    this.counts = new Int32Array(MAX_LEVELS);
    this.blocks = new Int32Array(MAX_LEVELS >> BLOCK_BITS);
    this.first = new Int32Array(MAX_LEVELS).fill(NONE);
    this.next = new Int32Array(machines.count);
    this.previous = new Int32Array(machines.count);
    this.dirty = new DirtyList(machines.count);
    machines.watch(this.dirty, false);
  }

  /** Whether the machine is among the first k. Until `forget`, k may grow and free memory may shrink on machines beyond the k-th. */
  isAmongFirst(k: number, machine: number): boolean {
    const memory = this.machines.freeMemory[machine];
    if (memory > this.withinMemory || (memory === this.withinMemory && machine <= this.within)) return true;
    const isAfterBeyond =
      memory < this.beyondMemory || (memory === this.beyondMemory && machine >= this.beyond);
    if (isAfterBeyond && this.beyondOf === k) return false;
    const isWithin = this.countsAmongFirst(k, machine);
    if (isWithin) {
      this.within = machine;
      this.withinMemory = memory;
    } else {
      this.beyond = machine;
      this.beyondMemory = memory;
      this.beyondOf = k;
    }
    return isWithin;
  }

  /** Takes back what was promised of k and the machines. */
  forget(): void {
    this.withinMemory = Infinity;
    this.beyondOf = NONE;
  }

  private countsAmongFirst(k: number, machine: number): boolean {
    this.refresh();
    const { counts, blocks, levelOf } = this;
    const level = levelOf[machine];
    const block = level >> BLOCK_BITS;
    let before = 0;
    for (let b = block + 1; b < blocks.length; b++) before += blocks[b];
    for (let v = level + 1; v < (block + 1) << BLOCK_BITS; v++) before += counts[v];
    if (before >= k) return false;
    if (before + counts[level] <= k) return true;
    const { freeMemory } = this.machines;
    const own = freeMemory[machine];
    for (let other = this.first[level]; other !== NONE; other = this.next[other]) {
      if (freeMemory[other] > own || (freeMemory[other] === own && other < machine)) before++;
    }
    return before < k;
  }

  private refresh(): void {
    const { dirty, levelOf, machines, width } = this;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      const level =
        machines.closed[machine] === DRAINED ? NONE : Math.floor(machines.freeMemory[machine] / width);
      if (level === levelOf[machine]) continue;
      if (levelOf[machine] !== NONE) this.remove(machine, levelOf[machine]);
      if (level !== NONE) this.add(machine, level);
      levelOf[machine] = level;
    }
    dirty.clear();
  }

  private add(machine: number, level: number): void {
    const { first, next, previous } = this;
    const after = first[level];
    next[machine] = after;
    previous[machine] = NONE;
    if (after !== NONE) previous[after] = machine;
    first[level] = machine;
    this.counts[level]++;
    this.blocks[level >> BLOCK_BITS]++;
  }

  private remove(machine: number, level: number): void {
    const { first, next, previous } = this;
    const before = previous[machine];
    const after = next[machine];
    if (before === NONE) first[level] = after;
    else next[before] = after;
    if (after !== NONE) previous[after] = before;
    this.counts[level]--;
    this.blocks[level >> BLOCK_BITS]--;
  }
}
