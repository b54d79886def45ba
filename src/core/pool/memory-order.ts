import { DRAINED, type MachineState, type MachineWatcher } from "../machines/machine-state.ts";
import { DirtyList } from "../matching/indexes/dirty-list.ts";
import { NONE } from "../none.ts";
import { SortedBlocks } from "./sorted-blocks.ts";

const MOST_MACHINES = 2 ** 20;
const MOST_MEMORY = 2 ** 31;

/**
 * The machines that are not drained by available memory, highest first; among
 * equals, the first in pool order.
 *
 * A machine's place in the order is a number, lower for those that come first.
 * The order is brought up to date by `refresh`; until then a change costs a flag.
 */
export class MemoryOrder implements MachineWatcher {
  /** The places of all machines, and of those with free cores. */
  readonly all = new SortedBlocks();
  readonly roomy = new SortedBlocks();
  private readonly machines: MachineState;
  /** By machine: its place as of the last refresh, or `NONE`, in each. */
  private placeInAll!: Float64Array;
  private placeInRoomy!: Float64Array;
  private dirty!: DirtyList;

  constructor(machines: MachineState) {
    this.machines = machines;
    this.resize();
    machines.watch(this, false);
  }

  /** Machines were added: all are put in order anew. */
  resize(): void {
    const { count } = this.machines;
    this.all.clear();
    this.roomy.clear();
    this.placeInAll = new Float64Array(count).fill(NONE);
    this.placeInRoomy = new Float64Array(count).fill(NONE);
    this.dirty = new DirtyList(count);
  }

  changed(machine: number): void {
    this.dirty.changed(machine);
  }

  refresh(): void {
    const { dirty, machines } = this;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      const place = machines.closed[machine] === DRAINED ? NONE : this.placeOf(machine);
      move(this.all, this.placeInAll, machine, place);
      move(this.roomy, this.placeInRoomy, machine, machines.freeCores[machine] === 0 ? NONE : place);
    }
    dirty.clear();
  }

  /** A machine's place, as it is now. */
  placeOf(machine: number): number {
    return (MOST_MEMORY - this.machines.freeMemory[machine]) * MOST_MACHINES + machine;
  }
}

function move(places: SortedBlocks, placeIn: Float64Array, machine: number, place: number): void {
  const before = placeIn[machine];
  if (place === before) return;
  if (before !== NONE) places.remove(before);
  if (place !== NONE) places.insert(place);
  placeIn[machine] = place;
}

/** The machine that has a place. */
export function machineAt(place: number): number {
  return place - Math.floor(place / MOST_MACHINES) * MOST_MACHINES;
}
