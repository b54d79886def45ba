import { NONE } from "../../none.ts";
import type { Packing } from "./packing.ts";

/**
 * The bins in some order, looked at one by one: what `OpenBins` and `RoomOrder` are for a small packing,
 * which takes less time than it takes to make those.
 */
export class ScannedBins {
  readonly #packing: Packing;
  readonly #order: Int32Array;
  readonly #scale: Float64Array;
  /** Entry [bin * width + coordinate]. */
  readonly #room: Float64Array;

  constructor(packing: Packing, order: Int32Array, isScaled: boolean) {
    this.#packing = packing;
    this.#order = order;
    this.#scale = packing.scale(isScaled);
    this.#room = packing.capacity.slice();
  }

  /** All bins are empty again. */
  reset(): void {
    this.#room.set(this.#packing.capacity);
  }

  /** The position of the first bin with room for the item; -1 where there is none. */
  first(item: number): number {
    const { width, size } = this.#packing;
    const order = this.#order;
    const room = this.#room;
    const at = item * width;
    for (let position = 0; position < order.length; position++) {
      const bin = order[position] * width;
      let c = 0;
      while (c < width && size[at + c] <= room[bin + c]) c++;
      if (c === width) return position;
    }
    return NONE;
  }

  /** The position of the bin with the least room in total that has room for the item, of equal ones the first. */
  fullest(item: number): number {
    const { width, dimensions, size } = this.#packing;
    const order = this.#order;
    const room = this.#room;
    const scale = this.#scale;
    const at = item * width;
    let best = NONE;
    let least = Infinity;
    for (let position = 0; position < order.length; position++) {
      const bin = order[position] * width;
      let c = 0;
      while (c < width && size[at + c] <= room[bin + c]) c++;
      if (c < width) continue;
      let total = 0;
      for (let d = 0; d < dimensions; d++) total += room[bin + d] * scale[d];
      if (total >= least) continue;
      best = position;
      least = total;
    }
    return best;
  }

  /** The item takes its part of the room. */
  put(item: number, position: number): void {
    const { width, dimensions, size } = this.#packing;
    const bin = this.#order[position] * width;
    for (let d = 0; d < dimensions; d++) this.#room[bin + d] -= size[item * width + d];
  }
}
