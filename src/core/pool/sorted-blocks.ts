/** The largest number of values in a block. */
const BLOCK = 128;

/**
 * Distinct numbers in ascending order, kept in blocks so that a change moves the values of one block and not all that
 * come after.
 */
export class SortedBlocks {
  length = 0;
  /** No block is empty, unless it is the only one. */
  private readonly blocks: Float64Array[] = [new Float64Array(BLOCK)];
  private readonly counts: number[] = [0];

  insert(value: number): void {
    const { blocks, counts } = this;
    this.length++;
    let b = this.blockOf(value);
    if (counts[b] === BLOCK) {
      this.split(b);
      if (value > blocks[b][counts[b] - 1]) b++;
    }
    const block = blocks[b];
    const at = placeIn(block, counts[b], value);
    block.copyWithin(at + 1, at, counts[b]++);
    block[at] = value;
  }

  remove(value: number): void {
    const { blocks, counts } = this;
    this.length--;
    const b = this.blockOf(value);
    const block = blocks[b];
    const at = placeIn(block, counts[b], value);
    block.copyWithin(at, at + 1, counts[b]--);
    if (counts[b] > 0 || blocks.length === 1) return;
    blocks.splice(b, 1);
    counts.splice(b, 1);
  }

  clear(): void {
    this.length = 0;
    this.blocks.length = this.counts.length = 1;
    this.counts[0] = 0;
  }

  /** The value at an index. */
  at(index: number): number {
    const { blocks, counts } = this;
    let b = 0;
    while (index >= counts[b]) index -= counts[b++];
    return blocks[b][index];
  }

  /** Copies the values above one and up to another, in order, as many as there is space for. Returns how many. */
  copy(above: number, upTo: number, into: Float64Array): number {
    const { blocks, counts } = this;
    let copied = 0;
    let b = this.blockOf(above);
    let at = placeIn(blocks[b], counts[b], above);
    if (blocks[b][at] === above) at++;
    for (; b < blocks.length; b++, at = 0) {
      const block = blocks[b];
      for (const end = counts[b]; at < end; at++) {
        if (block[at] > upTo || copied === into.length) return copied;
        into[copied++] = block[at];
      }
    }
    return copied;
  }

  /** The first block whose last value is not below this one, or the last block. */
  private blockOf(value: number): number {
    const { blocks, counts } = this;
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (blocks[middle][counts[middle] - 1] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private split(b: number): void {
    const { blocks, counts } = this;
    const half = BLOCK >> 1;
    const upper = new Float64Array(BLOCK);
    upper.set(blocks[b].subarray(half));
    blocks.splice(b + 1, 0, upper);
    counts.splice(b + 1, 0, BLOCK - half);
    counts[b] = half;
  }
}

/** The first index in a block whose value is not below this one. */
function placeIn(block: Float64Array, count: number, value: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (block[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
