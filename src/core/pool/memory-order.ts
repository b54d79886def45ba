import { DRAINED, MAX_MACHINES, type MachineState } from "../machines/machine-state.ts";
import { DirtyList } from "../matching/indexes/dirty-list.ts";
import { NONE } from "../none.ts";
import { SortedBlocks } from "./sorted-blocks.ts";

const MAX_MEMORY = 2 ** 31;

/**
 * The machines in service by available memory, highest first; of equals, the first in pool order.
 *
 * A machine's place in the order is a number, lower for those that come first. `refresh` brings the order up to date.
 * Until then a change costs a flag, and before the first call nothing: most pools never reserve machines in this order.
 */
export class MemoryOrder {
  /** The places of all machines, and of those with free cores. */
  readonly all = new SortedBlocks();
  readonly roomy = new SortedBlocks();
  private readonly machines: MachineState;
  /** By machine: its place in each order as of the last refresh, or `NONE`. */
  private placeInAll = new Float64Array(0);
  private placeInRoomy = new Float64Array(0);
  /** Null before the first refresh. */
  private dirty: DirtyList | null = null;

  constructor(machines: MachineState) {
    this.machines = machines;
  }

  refresh(): void {
    const { machines } = this;
    const dirty = this.dirty ?? this.follow();
    if (dirty.isResized || this.placeInAll.length !== machines.count) this.begin(dirty);
    const { closed, freeCores } = machines;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      const place = closed[machine] >= DRAINED ? NONE : this.placeOf(machine);
      move(this.all, this.placeInAll, machine, place);
      move(this.roomy, this.placeInRoomy, machine, freeCores[machine] <= 0 ? NONE : place);
    }
    dirty.clear();
  }

  private follow(): DirtyList {
    const dirty = new DirtyList(this.machines);
    this.machines.watch(dirty, false);
    return (this.dirty = dirty);
  }

  /** Puts all machines in order anew. */
  private begin(dirty: DirtyList): void {
    const { count } = this.machines;
    this.all.clear();
    this.roomy.clear();
    this.placeInAll = new Float64Array(count).fill(NONE);
    this.placeInRoomy = new Float64Array(count).fill(NONE);
    dirty.markAll();
  }

  /** A machine's place from its present state. */
  placeOf(machine: number): number {
    return (MAX_MEMORY - this.machines.freeMemory[machine]) * MAX_MACHINES + machine;
  }
}

function move(places: SortedBlocks, placeIn: Float64Array, machine: number, place: number): void {
  const before = placeIn[machine];
  if (place === before) return;
  if (before !== NONE) places.remove(before);
  if (place !== NONE) places.insert(place);
  placeIn[machine] = place;
}

/** The machine with this place. */
export function machineAt(place: number): number {
  return place - Math.floor(place / MAX_MACHINES) * MAX_MACHINES;
}
