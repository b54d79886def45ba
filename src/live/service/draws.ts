/** Random numbers from a seed. Seed and count are the whole state. */
export class Draws {
  private readonly seed: number;
  /** How many have been drawn. */
  count: number;

  constructor(seed: number, count = 0) {
    this.seed = seed;
    this.count = count;
  }

  /** A whole number from 0 to below `below`: SplitMix32, a counter that is mixed. */
  readonly below = (below: number): number => {
    this.count++;
    let mixed = (this.seed + Math.imul(this.count, 0x9e3779b9)) >>> 0;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * below);
  };
}
