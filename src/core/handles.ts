import { doubled } from "./arrays.ts";

/**
 * Hands out small numbers and takes them back. They serve as rows of a table, whose size is four thirds of the most
 * rows ever in use at one time.
 *
 * Free numbers are given out in turn, round and round, so that rows made one after the other are next to each other in
 * memory. Jobs are also tried and started nearly in the order in which they came. When the number freed last was given
 * out first, their rows lay anywhere, and first-fit took a third longer.
 */
export class Handles {
  /** A bit for each number, 32 to an entry: whether it is in use. */
  private words: Int32Array;
  private used = 0;
  private cursor = 0;

  /** @param capacity a multiple of 32 */
  constructor(capacity: number) {
    this.words = new Int32Array(capacity >> 5);
  }

  /** A quarter of the table is kept free, so that a free number is found soon. The caller grows the table first. */
  get isFull(): boolean {
    return this.used * 4 >= this.words.length * 96;
  }

  /** How many are in use. */
  get count(): number {
    return this.used;
  }

  /** Doubles the table. */
  double(): void {
    this.words = doubled(this.words);
  }

  take(): number {
    const { words, cursor } = this;
    let at = cursor >> 5;
    // The bits below the cursor have their turn last.
    let free = ~words[at] & (-1 << cursor);
    while (free === 0) {
      at = at + 1 === words.length ? 0 : at + 1;
      free = ~words[at];
    }
    const bit = 31 - Math.clz32(free & -free);
    words[at] |= 1 << bit;
    this.used++;
    const handle = (at << 5) | bit;
    this.cursor = handle + 1 === words.length << 5 ? 0 : handle + 1;
    return handle;
  }

  give(handle: number): void {
    this.words[handle >> 5] &= ~(1 << handle);
    this.used--;
  }
}
