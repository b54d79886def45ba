/** The largest number of steps in a block. */
export const BLOCK = 16;

/** The free amounts of one resource on the steps of a profile. */
export class Amounts {
  /** By step, without what was added to its whole block. */
  at = new Float64Array(BLOCK);
  /** By block: the least and the most on its steps, and what was added to all of them. */
  least = new Float64Array(1);
  most = new Float64Array(1);
  added = new Float64Array(1);

  clear(block: number): void {
    this.least[block] = Infinity;
    this.most[block] = -Infinity;
    this.added[block] = 0;
  }

  of(block: number, step: number): number {
    return this.at[step] + this.added[block];
  }

  /** Sets the last step of a block to which nothing was added. */
  set(block: number, step: number, amount: number): void {
    this.at[step] = amount;
    if (amount < this.least[block]) this.least[block] = amount;
    if (amount > this.most[block]) this.most[block] = amount;
  }

  /** Inserts a step behind another, with the same amount. The steps from there to `end` move up. */
  repeat(step: number, end: number): void {
    this.at.copyWithin(step + 1, step, end);
  }

  /** Subtracts an amount from a block's steps between `from` and `to`. */
  take(block: number, from: number, to: number, length: number, amount: number): void {
    const { at, least, most, added } = this;
    if (to - from === length) {
      added[block] -= amount;
      least[block] -= amount;
      most[block] -= amount;
      return;
    }
    for (let step = from; step < to; step++) at[step] -= amount;
    this.findExtremes(block, length);
  }

  /** Finds the least and the most on a block's steps. */
  private findExtremes(block: number, length: number): void {
    const { at } = this;
    const start = block * BLOCK;
    let least = at[start];
    let most = at[start];
    for (let step = start + 1; step < start + length; step++) {
      const amount = at[step];
      if (amount < least) least = amount;
      else if (amount > most) most = amount;
    }
    this.least[block] = least + this.added[block];
    this.most[block] = most + this.added[block];
  }

  split(block: number, half: number, to: number): void {
    const from = block * BLOCK + half;
    this.at.copyWithin(to * BLOCK, from, block * BLOCK + BLOCK);
    this.added[to] = this.added[block];
    this.findExtremes(block, half);
    this.findExtremes(to, BLOCK - half);
  }
}
