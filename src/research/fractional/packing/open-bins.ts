import { classAt, type SizeClasses } from "./size-classes.ts";
import type { Packing } from "./packing.ts";

/**
 * The bins in some order, in which the first is found with room for an item.
 *
 * For each coordinate and size class there is a row of bits: which bins have room for the class's least size. The
 * bitwise AND of the rows of an item's classes gives its candidates, 32 bins a step. Only bins of the item's own
 * class may still be too small, so candidates are compared exactly. With two or more dimensions this is several times
 * as fast as a tree of maxima, where the maxima of a node can come from different bins.
 */
export class OpenBins {
  private readonly packing: Packing;
  private readonly classes: SizeClasses;
  private readonly words: number;
  /** Entry [coordinate]: where its rows begin. */
  private readonly rowsAt: Int32Array;
  /** Entry [rowsAt[coordinate] + class * words + position / 32]. */
  private readonly rows: Int32Array;
  /** Entry [position * width + coordinate]. */
  private readonly room: Float64Array;
  /** The two as they are while all bins are empty. */
  private readonly emptyRows: Int32Array;
  private readonly emptyRoom: Float64Array;
  /**
   * Entry [class in the first coordinate * classes.most + class in the second]: the words before
   * this one have no candidates, and as room only shrinks never will.
   */
  private readonly from: Int32Array;
  /** Entry [coordinate]: where the row of the item asked for begins. */
  private readonly rowAt: Int32Array;

  constructor(packing: Packing, order: Int32Array) {
    const { width, bins, capacity } = packing;
    const { least, most } = packing.classes();
    this.packing = packing;
    this.classes = packing.classes();
    this.words = (bins + 31) >> 5;
    this.from = new Int32Array(most * most);
    this.rowAt = new Int32Array(width);
    this.rowsAt = new Int32Array(width);
    let rows = 0;
    for (let c = 0; c < width; c++) {
      this.rowsAt[c] = rows * this.words;
      rows += least[c].length;
    }
    this.rows = new Int32Array(rows * this.words);
    this.room = new Float64Array(bins * width);
    for (let position = 0; position < bins; position++) {
      for (let c = 0; c < width; c++) {
        const room = capacity[order[position] * width + c];
        this.room[position * width + c] = room;
        this.rows[this.rowsAt[c] + classAt(least[c], room) * this.words + (position >> 5)] |= 1 << position;
      }
    }
    // So far each bin is in its own class's row only; it belongs in all below, too.
    for (let c = 0; c < width; c++) {
      const first = this.rowsAt[c];
      for (let at = first + (least[c].length - 1) * this.words - 1; at >= first; at--)
        this.rows[at] |= this.rows[at + this.words];
    }
    this.emptyRows = this.rows.slice();
    this.emptyRoom = this.room.slice();
  }

  /** All bins are empty again. */
  reset(): void {
    this.rows.set(this.emptyRows);
    this.room.set(this.emptyRoom);
    this.from.fill(0);
  }

  /** The position of the first bin with room for the item; -1 where there is none. */
  first(item: number): number {
    const { width, size } = this.packing;
    const { classOf, most } = this.classes;
    const rows = this.rows;
    const rowAt = this.rowAt;
    const words = this.words;
    const at = item * width;
    for (let c = 0; c < width; c++) rowAt[c] = this.rowsAt[c] + classOf[at + c] * words;
    const room = this.room;
    const second = width > 1 ? 1 : 0;
    const pair = classOf[at] * most + classOf[at + second];
    let word = this.from[pair];
    while (word < words && (rows[rowAt[0] + word] & rows[rowAt[second] + word]) === 0) word++;
    this.from[pair] = word;
    for (; word < words; word++) {
      let candidates = rows[rowAt[0] + word] & rows[rowAt[second] + word];
      for (let c = 2; c < width; c++) candidates &= rows[rowAt[c] + word];
      while (candidates !== 0) {
        const position = (word << 5) + 31 - Math.clz32(candidates & -candidates);
        let c = 0;
        while (c < width && room[position * width + c] >= size[at + c]) c++;
        if (c === width) return position;
        candidates &= candidates - 1;
      }
    }
    return -1;
  }

  /** The item takes its part of the room. */
  put(item: number, position: number): void {
    const { width, dimensions, size } = this.packing;
    for (let c = 0; c < dimensions; c++) {
      const least = this.classes.least[c];
      const at = position * width + c;
      let row = classAt(least, this.room[at]);
      this.room[at] -= size[item * width + c];
      for (; row >= 0 && least[row] > this.room[at]; row--)
        this.rows[this.rowsAt[c] + row * this.words + (position >> 5)] &= ~(1 << position);
    }
  }
}
