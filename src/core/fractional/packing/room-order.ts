import type { Packing } from "./packing.ts";

/**
 * The bins in order of what remains of their capacity in total, least first: where best
 * fit looks.
 *
 * Kept in blocks of about √bins, each with the componentwise maximum of its bins: most
 * blocks are passed over at a glance, and a bin that gets fuller moves at the price
 * of one block.
 */
export class RoomOrder {
  readonly #packing: Packing;
  readonly #scale: Float64Array;
  /** Entry [bin * width + coordinate]. */
  readonly #room: Float64Array;
  /** Entry [bin]: the sum that they are ordered by. */
  readonly #total: Float64Array;
  readonly #blocks: Block[] = [];
  readonly #blockSize: number;

  constructor(packing: Packing, isScaled: boolean) {
    const { bins, dimensions, width } = packing;
    this.#packing = packing;
    this.#scale = packing.scale(isScaled);
    this.#room = packing.capacity.slice();
    this.#total = new Float64Array(bins);
    for (let bin = 0; bin < bins; bin++)
      for (let d = 0; d < dimensions; d++) this.#total[bin] += this.#room[bin * width + d] * this.#scale[d];
    this.#blockSize = Math.max(16, Math.ceil(Math.sqrt(bins)));
    const order = packing.binOrder("ascending-sum", isScaled);
    for (let at = 0; at < bins; at += this.#blockSize) {
      const members = order.subarray(at, at + this.#blockSize);
      const block = {
        bins: new Int32Array(2 * this.#blockSize),
        count: members.length,
        max: new Float64Array(width),
      };
      block.bins.set(members);
      this.#measure(block);
      this.#blocks.push(block);
    }
  }

  /** The bin with the least room in total that has room for the item; -1 where there is none. */
  fullest(item: number): number {
    const { size, width } = this.#packing;
    const at = item * width;
    for (const block of this.#blocks) {
      if (!covers(block.max, 0, size, at, width)) continue;
      for (let i = 0; i < block.count; i++) {
        const bin = block.bins[i];
        if (covers(this.#room, bin * width, size, at, width)) return bin;
      }
    }
    return -1;
  }

  /** The item takes its part of the bin's room. */
  put(item: number, bin: number): void {
    const { size, width, dimensions } = this.#packing;
    this.#remove(bin);
    for (let d = 0; d < dimensions; d++) {
      this.#room[bin * width + d] -= size[item * width + d];
      this.#total[bin] -= size[item * width + d] * this.#scale[d];
    }
    this.#insert(bin);
  }

  #remove(bin: number): void {
    const block = this.#blocks[this.#blockOf(bin)];
    const at = block.bins.indexOf(bin);
    block.bins.copyWithin(at, at + 1, block.count);
    block.count--;
    this.#measure(block);
  }

  #insert(bin: number): void {
    const at = this.#blockOf(bin);
    const block = this.#blocks[at];
    let position = block.count;
    while (position > 0 && this.#isBefore(bin, block.bins[position - 1])) position--;
    block.bins.copyWithin(position + 1, position, block.count);
    block.bins[position] = bin;
    block.count++;
    const { width } = this.#packing;
    for (let c = 0; c < width; c++) block.max[c] = Math.max(block.max[c], this.#room[bin * width + c]);
    if (block.count === 2 * this.#blockSize) this.#split(at);
  }

  #split(at: number): void {
    const block = this.#blocks[at];
    const half = block.count >> 1;
    const upper = {
      bins: new Int32Array(2 * this.#blockSize),
      count: block.count - half,
      max: new Float64Array(this.#packing.width),
    };
    upper.bins.set(block.bins.subarray(half, block.count));
    block.count = half;
    this.#measure(block);
    this.#measure(upper);
    this.#blocks.splice(at + 1, 0, upper);
  }

  /** The block that the bin is in, or belongs in: the first whose last bin does not come before it. */
  #blockOf(bin: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { bins, count } = this.#blocks[middle];
      if (count > 0 && !this.#isBefore(bins[count - 1], bin)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#total[a] - this.#total[b];
    return difference < 0 || (difference === 0 && a < b);
  }

  #measure(block: Block): void {
    const { width } = this.#packing;
    block.max.fill(-Infinity);
    for (let i = 0; i < block.count; i++) {
      const at = block.bins[i] * width;
      for (let c = 0; c < width; c++)
        if (this.#room[at + c] > block.max[c]) block.max[c] = this.#room[at + c];
    }
  }
}

interface Block {
  /** In order; with room for twice as many as there are at first. */
  readonly bins: Int32Array;
  count: number;
  /** Entry [coordinate]: the most room that one of the bins has. */
  readonly max: Float64Array;
}

function covers(
  room: Float64Array,
  roomAt: number,
  size: Float64Array,
  sizeAt: number,
  width: number,
): boolean {
  for (let c = 0; c < width; c++) if (room[roomAt + c] < size[sizeAt + c]) return false;
  return true;
}
