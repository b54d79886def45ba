import { DRAINED, type MachineState } from "../machines/machine-state.ts";
import { doubled } from "../jobs/jobs.ts";
import { NONE } from "../none.ts";
import { largest } from "../matching/indexes/largest.ts";
import { DirtyList } from "../matching/indexes/dirty-list.ts";

const MAX_LEVELS = 4096;
const BLOCK_BITS = 6;
const EMPTY = new Int32Array(0);

/**
 * Tells which machines, of those not drained, are the k with the highest available
 * memory, without putting them in order: machines are counted by level of free
 * memory. Those of the levels above the one on which the k-th falls are among
 * them, and only on that one are they compared.
 *
 * Until `forget`, k may grow and free memory may shrink on machines beyond the k-th.
 */
export class MemoryRank {
  private readonly machines: MachineState;
  private readonly dirty: DirtyList;
  private readonly width: number;
  private readonly levelOf: Int32Array;
  private readonly counts: Int32Array;
  private readonly blocks: Int32Array;
  /** The machines of each level, in no order, the first `counts` of its list; and each machine's place there. */
  private readonly members: Int32Array[];
  private readonly placeOf: Int32Array;
  /** Since `forget`: the level on which the k-th falls, and how many machines are above it. */
  private boundary = MAX_LEVELS - 1;
  private above = 0;
  /** The highest level that `whole` has not told of. */
  private untold = MAX_LEVELS - 1;

  constructor(machines: MachineState) {
    this.machines = machines;
    const most = largest(machines.capacityMemory);
    this.width = Math.ceil((most + 1) / MAX_LEVELS);
    this.levelOf = new Int32Array(machines.count).fill(NONE);
    this.counts = new Int32Array(MAX_LEVELS);
    this.blocks = new Int32Array(MAX_LEVELS >> BLOCK_BITS);
    // Most levels never have a machine: a farm of a hundred pools would make 400,000 lists for nothing.
    this.members = Array.from({ length: MAX_LEVELS }, () => EMPTY);
    this.placeOf = new Int32Array(machines.count);
    this.dirty = new DirtyList(machines);
    machines.watch(this.dirty, false);
  }

  /** Whether the machine is among the first k. */
  isAmongFirst(k: number, machine: number): boolean {
    this.refresh();
    this.lower(k);
    const level = this.levelOf[machine];
    if (level !== this.boundary) return level > this.boundary;
    return this.above < k && this.above + this.before(machine, level) < k;
  }

  /** Tells of the machines above the level on which the k-th fell last, of each once until `forget`. */
  whole(tell: (machine: number) => void): void {
    const { counts, members } = this;
    for (; this.untold > this.boundary; this.untold--) {
      const ofLevel = members[this.untold];
      for (let i = 0; i < counts[this.untold]; i++) tell(ofLevel[i]);
    }
  }

  /** Takes back what was promised of k and the machines. */
  forget(): void {
    this.boundary = this.untold = MAX_LEVELS - 1;
    this.above = 0;
  }

  /** Moves the boundary down to where the k-th falls; below all levels where there are no more than k machines. */
  private lower(k: number): void {
    const { counts, blocks } = this;
    for (;;) {
      const block = this.boundary >> BLOCK_BITS;
      const isBlockWhole = (this.boundary & ((1 << BLOCK_BITS) - 1)) === (1 << BLOCK_BITS) - 1;
      if (this.boundary < 0) return;
      if (isBlockWhole && this.above + blocks[block] <= k) {
        this.above += blocks[block];
        this.boundary -= 1 << BLOCK_BITS;
      } else if (this.above + counts[this.boundary] <= k) this.above += counts[this.boundary--];
      else return;
    }
  }

  /** How many of a machine's level come before it. */
  private before(machine: number, level: number): number {
    const { freeMemory } = this.machines;
    const own = freeMemory[machine];
    const ofLevel = this.members[level];
    let before = 0;
    for (let i = 0; i < this.counts[level]; i++) {
      const other = ofLevel[i];
      if (freeMemory[other] > own || (freeMemory[other] === own && other < machine)) before++;
    }
    return before;
  }

  private refresh(): void {
    const { dirty, levelOf, machines, width } = this;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      const level =
        machines.closed[machine] >= DRAINED ? NONE : Math.floor(machines.freeMemory[machine] / width);
      if (level === levelOf[machine]) continue;
      if (levelOf[machine] !== NONE) this.remove(machine, levelOf[machine]);
      if (level !== NONE) this.add(machine, level);
      levelOf[machine] = level;
    }
    dirty.clear();
  }

  private add(machine: number, level: number): void {
    const place = this.counts[level]++;
    if (place === this.members[level].length)
      this.members[level] = place === 0 ? new Int32Array(4) : doubled(this.members[level]);
    this.members[level][place] = machine;
    this.placeOf[machine] = place;
    this.blocks[level >> BLOCK_BITS]++;
  }

  private remove(machine: number, level: number): void {
    const place = this.placeOf[machine];
    const last = this.members[level][--this.counts[level]];
    this.members[level][place] = last;
    this.placeOf[last] = place;
    this.blocks[level >> BLOCK_BITS]--;
  }
}
