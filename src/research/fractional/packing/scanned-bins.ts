import { NONE } from "../../../core/none.ts";
import type { Packing } from "./packing.ts";

/** Scans all bins one by one. On a small packing this takes less time than making a `RoomOrder`. */
export class ScannedBins {
  private readonly packing: Packing;
  private readonly scale: Float64Array;
  /** Entry [bin * width + coordinate]. */
  private readonly room: Float64Array;
  /** Entry [bin]: its room in total. */
  private readonly total: Float64Array;

  constructor(packing: Packing, isScaled: boolean) {
    this.packing = packing;
    this.scale = packing.scale(isScaled);
    this.room = packing.capacity.slice();
    this.total = new Float64Array(packing.bins);
    for (let bin = 0; bin < packing.bins; bin++) this.addUp(bin);
  }

  /** The bin with the least room in total that has room for the item, of equal ones the first; -1 where there is none. */
  fullest(item: number): number {
    const { width, size } = this.packing;
    const room = this.room;
    const total = this.total;
    const at = item * width;
    let best = NONE;
    let least = Infinity;
    for (let bin = 0; bin < total.length; bin++) {
      if (total[bin] >= least) continue;
      const from = bin * width;
      let c = 0;
      while (c < width && size[at + c] <= room[from + c]) c++;
      if (c < width) continue;
      best = bin;
      least = total[bin];
    }
    return best;
  }

  /** The item takes its part of the room. */
  put(item: number, bin: number): void {
    const { width, dimensions, size } = this.packing;
    for (let d = 0; d < dimensions; d++) this.room[bin * width + d] -= size[item * width + d];
    this.addUp(bin);
  }

  private addUp(bin: number): void {
    const { width, dimensions } = this.packing;
    let total = 0;
    for (let d = 0; d < dimensions; d++) total += this.room[bin * width + d] * this.scale[d];
    this.total[bin] = total;
  }
}
