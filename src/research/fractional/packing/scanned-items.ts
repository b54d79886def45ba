import { NONE } from "../../../core/none.ts";
import type { Packing } from "./packing.ts";

/** An item that waits no more. */
const GONE = -2;

/**
 * Items in some order, of which the first that fits is found by scanning a chain of those that wait. On a small
 * packing this takes less time than making `WaitingItems`.
 */
export class ScannedItems {
  private readonly count: number;
  private readonly dimensions: number;
  private readonly width: number;
  /** Entry [position * width + coordinate]: copied, as they are then found a step sooner. */
  private readonly size: Float64Array;
  /** Entry [coordinate]: no item is smaller. */
  private readonly least: Float64Array;
  /** Entry [position]: the positions of its neighbours in the chain, which ends and begins at `items.length`. */
  private readonly next: Int32Array;
  private readonly before: Int32Array;

  constructor(packing: Packing, items: Int32Array) {
    const { dimensions, width, size } = packing;
    this.count = items.length;
    this.dimensions = dimensions;
    this.width = width;
    this.size = new Float64Array(items.length * width);
    this.least = new Float64Array(width).fill(Infinity);
    for (let position = 0; position < items.length; position++) {
      for (let c = 0; c < width; c++) {
        const amount = size[items[position] * width + c];
        this.size[position * width + c] = amount;
        if (amount < this.least[c]) this.least[c] = amount;
      }
    }
    this.next = new Int32Array(items.length + 1);
    this.before = new Int32Array(items.length + 1);
    this.reset();
  }

  /** All items wait again. */
  reset(): void {
    const end = this.count;
    for (let position = 0; position < end; position++) {
      this.next[position] = position + 1;
      this.before[position + 1] = position;
    }
    this.next[end] = 0;
    this.before[0] = end;
  }

  /** The position of the first item from `from` on that fits; -1 where there is none. */
  first(room: Float64Array, _classes: Int32Array, from: number): number {
    const width = this.width;
    const least = this.least;
    for (let c = 0; c < width; c++) if (room[c] < least[c]) return NONE;
    const size = this.size;
    const next = this.next;
    const end = this.count;
    // Mostly the first or the last dimension decides.
    const last = this.dimensions - 1;
    const firstRoom = room[0];
    const lastRoom = room[last];
    let position = from === 0 ? next[end] : this.before[from] === GONE ? next[from] : from;
    for (; position !== end; position = next[position]) {
      const at = position * width;
      if (size[at] > firstRoom || size[at + last] > lastRoom) continue;
      let c = 1;
      while (c < width && size[at + c] <= room[c]) c++;
      if (c === width) return position;
    }
    return NONE;
  }

  remove(position: number): void {
    const next = this.next[position];
    const before = this.before[position];
    this.next[before] = next;
    this.before[next] = before;
    this.before[position] = GONE;
  }
}
