import type { Packing } from "./packing.ts";
import { classAt, type SizeClasses } from "./size-classes.ts";

/** A bit each. */
const BLOCK_BINS = 32;

/**
 * The bins in ascending order of the total room left in them, for best fit.
 *
 * The order is kept between blocks of up to 32 bins. For each coordinate and size class there is a row of words, one
 * a block: which of its bins have room for the class's least size, as `OpenBins` has for all bins. So a block without
 * room is skipped in one step, and moving a bin that got fuller changes two blocks only.
 */
export class RoomOrder {
  private readonly packing: Packing;
  private readonly classes: SizeClasses;
  private readonly scale: Float64Array;
  /** Entry [bin * width + coordinate]. */
  private readonly room: Float64Array;
  /** Entry [bin]: the sum that they are ordered by. */
  private readonly total: Float64Array;
  /** In order; each has bins up to its `last` place, and after the `last` of the one before. */
  private readonly blocks: Block[] = [];
  /** Entry [(coordinate * classes.most + class) * #stride + block]. */
  private rows: Int32Array;
  private stride: number;

  constructor(packing: Packing, isScaled: boolean) {
    const { bins, dimensions, width } = packing;
    this.packing = packing;
    this.classes = packing.classes();
    this.scale = packing.scale(isScaled);
    this.room = packing.capacity.slice();
    this.total = new Float64Array(bins);
    for (let bin = 0; bin < bins; bin++)
      for (let d = 0; d < dimensions; d++) this.total[bin] += this.room[bin * width + d] * this.scale[d];
    const order = Int32Array.from({ length: bins }, (_, bin) => bin);
    order.sort((a, b) => this.total[a] - this.total[b] || a - b);
    // Half full: there is room for bins that move.
    const blocks = Math.ceil(bins / (BLOCK_BINS / 2));
    this.stride = 2 * blocks;
    this.rows = new Int32Array(width * this.classes.most * this.stride);
    for (let at = 0; at < blocks; at++) {
      this.blocks.push(newBlock());
      for (const bin of order.subarray((at * BLOCK_BINS) / 2, ((at + 1) * BLOCK_BINS) / 2)) this.add(at, bin);
    }
  }

  /** The bin with the least room in total that has room for the item, of equal ones the first; -1 where there is none. */
  fullest(item: number): number {
    const { size, width } = this.packing;
    const { classOf, most } = this.classes;
    const rows = this.rows;
    const stride = this.stride;
    const at = item * width;
    const first = classOf[at] * stride;
    const second = width > 1 ? (most + classOf[at + 1]) * stride : first;
    const count = this.blocks.length;
    for (let block = 0; block < count; block++) {
      let candidates = rows[first + block] & rows[second + block];
      for (let c = 2; c < width && candidates !== 0; c++)
        candidates &= rows[(c * most + classOf[at + c]) * stride + block];
      if (candidates === 0) continue;
      const { bins } = this.blocks[block];
      let best = -1;
      for (; candidates !== 0; candidates &= candidates - 1) {
        const bin = bins[31 - Math.clz32(candidates & -candidates)];
        if (best !== -1 && !this.isBefore(bin, best)) continue;
        let c = 0;
        while (c < width && this.room[bin * width + c] >= size[at + c]) c++;
        if (c === width) best = bin;
      }
      if (best !== -1) return best;
    }
    return -1;
  }

  /** The item takes its part of the bin's room. */
  put(item: number, bin: number): void {
    const { size, width, dimensions } = this.packing;
    this.remove(this.blockOf(bin), bin);
    // Summed anew: subtracting would accumulate rounding errors, which would then decide ties.
    let total = 0;
    for (let d = 0; d < dimensions; d++) {
      this.room[bin * width + d] -= size[item * width + d];
      total += this.room[bin * width + d] * this.scale[d];
    }
    this.total[bin] = total;
    const at = this.blockOf(bin);
    if (this.blocks[at].used === -1) {
      this.split(at);
      this.add(this.blockOf(bin), bin);
    } else {
      this.add(at, bin);
    }
  }

  /** The block that the bin is in, or belongs in: the first whose last place is not before it, or else the last. */
  private blockOf(bin: number): number {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { lastTotal, lastBin } = this.blocks[middle];
      if (lastTotal > this.total[bin] || (lastTotal === this.total[bin] && lastBin >= bin)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private add(at: number, bin: number): void {
    const block = this.blocks[at];
    const free = ~block.used;
    const bit = free & -free;
    block.used |= bit;
    block.bins[31 - Math.clz32(bit)] = bin;
    const { width } = this.packing;
    for (let c = 0; c < width; c++)
      for (let row = this.lastRow(bin, c); row >= c * this.classes.most; row--)
        this.rows[row * this.stride + at] |= bit;
    const total = this.total[bin];
    if (total > block.lastTotal || (total === block.lastTotal && bin > block.lastBin)) {
      block.lastTotal = total;
      block.lastBin = bin;
    }
  }

  /** The block's last place stays: what is between it and the one before is its part of the order. */
  private remove(at: number, bin: number): void {
    const block = this.blocks[at];
    const bit = 1 << block.bins.indexOf(bin);
    block.used &= ~bit;
    block.bins[31 - Math.clz32(bit)] = -1;
    const { width } = this.packing;
    for (let c = 0; c < width; c++)
      for (let row = this.lastRow(bin, c); row >= c * this.classes.most; row--)
        this.rows[row * this.stride + at] &= ~bit;
  }

  /** The row of the largest class in that coordinate that the bin has room for. */
  private lastRow(bin: number, c: number): number {
    const room = this.room[bin * this.packing.width + c];
    return c * this.classes.most + classAt(this.classes.least[c], room);
  }

  /** A full block hands its lower half on to a new one before it. */
  private split(at: number): void {
    const bins = this.blocks[at].bins.slice().sort((a, b) => (this.isBefore(a, b) ? -1 : 1));
    this.makeRoomAt(at);
    this.blocks.splice(at, 0, newBlock());
    for (const bin of bins.subarray(0, BLOCK_BINS / 2)) {
      this.remove(at + 1, bin);
      this.add(at, bin);
    }
  }

  /** Moves the words of the blocks from that one on by one. */
  private makeRoomAt(at: number): void {
    const rows = this.packing.width * this.classes.most;
    const count = this.blocks.length;
    if (count === this.stride) {
      const wider = new Int32Array(rows * 2 * count);
      for (let row = 0; row < rows; row++)
        wider.set(this.rows.subarray(row * count, (row + 1) * count), row * 2 * count);
      this.rows = wider;
      this.stride = 2 * count;
    }
    for (let row = 0; row < rows; row++) {
      const start = row * this.stride;
      this.rows.copyWithin(start + at + 1, start + at, start + count);
      this.rows[start + at] = 0;
    }
  }

  private isBefore(a: number, b: number): boolean {
    const difference = this.total[a] - this.total[b];
    return difference < 0 || (difference === 0 && a < b);
  }
}

interface Block {
  /** Entry [bit], in no order; -1 where the bit is not used. */
  readonly bins: Int32Array;
  used: number;
  /** The last place in the order that is this block's: a total, and of equal ones a bin. */
  lastTotal: number;
  lastBin: number;
}

function newBlock(): Block {
  return { bins: new Int32Array(BLOCK_BINS).fill(-1), used: 0, lastTotal: -Infinity, lastBin: -1 };
}
