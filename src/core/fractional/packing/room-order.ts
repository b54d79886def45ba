import type { Packing } from "./packing.ts";
import { classAt, MOST_CLASSES, type SizeClasses } from "./size-classes.ts";

/** A bit each. */
const BLOCK_BINS = 32;

/**
 * The bins in order of what remains of their capacity in total, least first: where best
 * fit looks.
 *
 * The order is kept between blocks of up to 32 bins. A block has a word of bits for each coordinate
 * and size class, which of its bins have room for the class's least size, as `OpenBins` has
 * for all bins; so a block without room is passed over in a step, and a bin that gets
 * fuller moves at the price of two blocks.
 */
export class RoomOrder {
  readonly #packing: Packing;
  readonly #classes: SizeClasses;
  readonly #scale: Float64Array;
  /** Entry [bin * width + coordinate]. */
  readonly #room: Float64Array;
  /** Entry [bin]: the sum that they are ordered by. */
  readonly #total: Float64Array;
  /** In order; each has bins with totals up to its `most`, and above the `most` of the one before. */
  readonly #blocks: Block[] = [];

  constructor(packing: Packing, isScaled: boolean) {
    const { bins, dimensions, width } = packing;
    this.#packing = packing;
    this.#classes = packing.classes();
    this.#scale = packing.scale(isScaled);
    this.#room = packing.capacity.slice();
    this.#total = new Float64Array(bins);
    for (let bin = 0; bin < bins; bin++)
      for (let d = 0; d < dimensions; d++) this.#total[bin] += this.#room[bin * width + d] * this.#scale[d];
    const order = Int32Array.from({ length: bins }, (_, bin) => bin);
    order.sort((a, b) => this.#total[a] - this.#total[b] || a - b);
    this.#blocks.push(this.#newBlock());
    // Half full: there is room for bins that move.
    for (let at = 0; at < bins; at++) {
      if (at > 0 && at % (BLOCK_BINS / 2) === 0) this.#blocks.push(this.#newBlock());
      this.#add(this.#blocks[this.#blocks.length - 1], order[at]);
    }
  }

  /** The bin with the least room in total that has room for the item, of equal ones the first; -1 where there is none. */
  fullest(item: number): number {
    const { size, width } = this.#packing;
    const { classOf } = this.#classes;
    const at = item * width;
    for (const { rows, bins } of this.#blocks) {
      let candidates = rows[classOf[at]];
      for (let c = 1; c < width; c++) candidates &= rows[c * MOST_CLASSES + classOf[at + c]];
      let best = -1;
      for (; candidates !== 0; candidates &= candidates - 1) {
        const bin = bins[31 - Math.clz32(candidates & -candidates)];
        if (best !== -1 && !this.#isBefore(bin, best)) continue;
        let c = 0;
        while (c < width && this.#room[bin * width + c] >= size[at + c]) c++;
        if (c === width) best = bin;
      }
      if (best !== -1) return best;
    }
    return -1;
  }

  /** The item takes its part of the bin's room. */
  put(item: number, bin: number): void {
    const { size, width, dimensions } = this.#packing;
    this.#remove(this.#blocks[this.#blockOf(bin)], bin);
    for (let d = 0; d < dimensions; d++) {
      this.#room[bin * width + d] -= size[item * width + d];
      this.#total[bin] -= size[item * width + d] * this.#scale[d];
    }
    const at = this.#blockOf(bin);
    if (this.#blocks[at].used === -1) {
      this.#split(at);
      this.#add(this.#blocks[this.#blockOf(bin)], bin);
    } else {
      this.#add(this.#blocks[at], bin);
    }
  }

  /** The block that the bin is in, or belongs in: the first whose last bin does not come before it, or else the last. */
  #blockOf(bin: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { most, mostBin } = this.#blocks[middle];
      if (most > this.#total[bin] || (most === this.#total[bin] && mostBin >= bin)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #add(block: Block, bin: number): void {
    const free = ~block.used;
    const bit = free & -free;
    block.used |= bit;
    block.bins[31 - Math.clz32(bit)] = bin;
    const { width } = this.#packing;
    for (let c = 0; c < width; c++) {
      const row = classAt(this.#classes.least[c], this.#room[bin * width + c]);
      for (let at = c * MOST_CLASSES + row; at >= c * MOST_CLASSES; at--) block.rows[at] |= bit;
    }
    const total = this.#total[bin];
    if (total > block.most || (total === block.most && bin > block.mostBin)) {
      block.most = total;
      block.mostBin = bin;
    }
  }

  /** The block's limit stays: what is between it and the next is its part of the order. */
  #remove(block: Block, bin: number): void {
    const bit = 1 << block.bins.indexOf(bin);
    block.used &= ~bit;
    block.bins[31 - Math.clz32(bit)] = -1;
    const { width } = this.#packing;
    for (let c = 0; c < width; c++) {
      const row = classAt(this.#classes.least[c], this.#room[bin * width + c]);
      for (let at = c * MOST_CLASSES + row; at >= c * MOST_CLASSES; at--) block.rows[at] &= ~bit;
    }
  }

  /** A full block hands its upper half on to a new one. */
  #split(at: number): void {
    const full = this.#blocks[at];
    const bins = full.bins.slice().sort((a, b) => (this.#isBefore(a, b) ? -1 : 1));
    const lower = this.#newBlock();
    for (const bin of bins.subarray(0, BLOCK_BINS / 2)) {
      this.#remove(full, bin);
      this.#add(lower, bin);
    }
    this.#blocks.splice(at, 0, lower);
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#total[a] - this.#total[b];
    return difference < 0 || (difference === 0 && a < b);
  }

  #newBlock(): Block {
    return {
      bins: new Int32Array(BLOCK_BINS).fill(-1),
      used: 0,
      rows: new Int32Array(this.#packing.width * MOST_CLASSES),
      most: -Infinity,
      mostBin: -1,
    };
  }
}

interface Block {
  /** Entry [bit], in no order; -1 where the bit is not used. */
  readonly bins: Int32Array;
  used: number;
  /** Entry [coordinate * MOST_CLASSES + class]: the bins with room for that. */
  readonly rows: Int32Array;
  /** The last place in the order that is this block's. */
  most: number;
  mostBin: number;
}
