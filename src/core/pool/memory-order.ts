import { DRAINED, MAX_MACHINES, type MachineState } from "../machines/machine-state.ts";
import { DirtyList } from "../matching/indexes/dirty-list.ts";
import { NONE } from "../none.ts";
import { SortedNumbers } from "./sorted-numbers.ts";

const MAX_MEMORY = 2 ** 31;
/** The machines that are kept in order at least, if there are as many. */
const LEAST_KEPT = 64;

/**
 * The machines in service by available memory, highest first; of equals, the first in pool order.
 *
 * A machine's place in the order is a number, lower for those that come first. `refresh` brings the order up to date.
 * Until then a change costs a flag, and before the first call nothing: most pools never reserve machines in this order.
 *
 * Only machines at the front of the order are kept sorted, up to four times as many as a caller needs. A pass reserves
 * few machines, and most machines that change between two passes are not among those.
 */
export class MemoryOrder {
  /** The places of the machines up to `last`, all of them if that is `Infinity`. */
  readonly places = new SortedNumbers();
  /** Buffers: the places that change in a refresh, as they were and as they are. */
  private out = new Float64Array(64);
  private into = new Float64Array(64);
  private readonly machines: MachineState;
  private readonly leavesOutFull: boolean;
  /** By machine: its place as of the last refresh, or `NONE`. */
  private placeIn = new Float64Array(0);
  private last = -1;
  /** Null before the first refresh. */
  private dirty: DirtyList | null = null;

  /** @param leavesOutFull whether machines without a free core are left out */
  constructor(machines: MachineState, leavesOutFull: boolean) {
    this.machines = machines;
    this.leavesOutFull = leavesOutFull;
  }

  /** Whether all machines are kept in order. */
  get isWhole(): boolean {
    return this.last === Infinity;
  }

  /** Brings at least so many of the first machines up to date; by default all. */
  refresh(least = Infinity): void {
    const dirty = this.dirty ?? this.follow();
    if (dirty.isResized || this.placeIn.length !== this.machines.count) this.begin(dirty);
    this.update(dirty);
    if (this.places.length >= least || this.last === Infinity) return;
    this.begin(dirty);
    this.last = this.placeAfter(Math.max(LEAST_KEPT, least * 4));
    this.update(dirty);
  }

  private update(dirty: DirtyList): void {
    const { places, placeIn, last } = this;
    if (this.out.length < dirty.count) {
      this.out = new Float64Array(dirty.count * 2);
      this.into = new Float64Array(dirty.count * 2);
    }
    const { out, into } = this;
    let outCount = 0;
    let intoCount = 0;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      const now = this.isIn(machine) ? this.placeOf(machine) : NONE;
      const place = now > last ? NONE : now;
      const before = placeIn[machine];
      if (place === before) continue;
      if (before !== NONE) out[outCount++] = before;
      if (place !== NONE) into[intoCount++] = place;
      placeIn[machine] = place;
    }
    places.update(out, outCount, into, intoCount);
    dirty.clear();
  }

  /** Whether it is known without a refresh that at least so many machines come before this place. */
  isBehind(place: number, count: number): boolean {
    const { dirty, places } = this;
    if (dirty === null || dirty.isResized || this.placeIn.length !== this.machines.count) return false;
    const index = count + dirty.count - 1;
    return index < places.length && places.values[index] < place;
  }

  private isIn(machine: number): boolean {
    const { closed, freeCores } = this.machines;
    return closed[machine] < DRAINED && (!this.leavesOutFull || freeCores[machine] > 0);
  }

  /** The place of the machine at this index of the order; `Infinity` if there are fewer machines. */
  private placeAfter(index: number): number {
    const { count } = this.machines;
    if (index >= count) return Infinity;
    const all = new Float64Array(count);
    for (let machine = 0; machine < count; machine++)
      all[machine] = this.isIn(machine) ? this.placeOf(machine) : Infinity;
    return all.sort()[index];
  }

  private follow(): DirtyList {
    const dirty = new DirtyList(this.machines);
    this.machines.watch(dirty, false);
    return (this.dirty = dirty);
  }

  /** Puts all machines in order anew. */
  private begin(dirty: DirtyList): void {
    this.places.clear();
    this.placeIn = new Float64Array(this.machines.count).fill(NONE);
    dirty.markAll();
  }

  /** A machine's place from its present state. */
  placeOf(machine: number): number {
    return (MAX_MEMORY - this.machines.freeMemory[machine]) * MAX_MACHINES + machine;
  }
}

/** The machine with this place. */
export function machineAt(place: number): number {
  return place - Math.floor(place / MAX_MACHINES) * MAX_MACHINES;
}
