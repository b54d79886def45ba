/**
 * Hands out small numbers and takes them back. They serve as rows of a table, whose size is four thirds of the most
 * rows ever in use at one time.
 *
 * Free numbers are given out in turn, round and round, so that rows made one after the other are next to each other in
 * memory. Jobs are also tried and started nearly in the order in which they came. When the number freed last was given
 * out first, their rows lay anywhere, and first-fit took a third longer.
 */
export class Handles {
  private isUsed: Uint8Array;
  private used = 0;
  private cursor = 0;

  constructor(capacity: number) {
    this.isUsed = new Uint8Array(capacity);
  }

  /** A quarter of the table is kept free, so that a free number is found soon. The caller grows the table first. */
  get isFull(): boolean {
    return this.used * 4 >= this.isUsed.length * 3;
  }

  /** Doubles the table. */
  double(): void {
    const wider = new Uint8Array(this.isUsed.length * 2);
    wider.set(this.isUsed);
    this.isUsed = wider;
  }

  take(): number {
    const { isUsed } = this;
    let handle = this.cursor;
    while (isUsed[handle] !== 0) handle = handle + 1 === isUsed.length ? 0 : handle + 1;
    isUsed[handle] = 1;
    this.used++;
    this.cursor = handle + 1 === isUsed.length ? 0 : handle + 1;
    return handle;
  }

  give(handle: number): void {
    this.isUsed[handle] = 0;
    this.used--;
  }
}
