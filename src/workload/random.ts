import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** A seeded stream of random numbers, the same on every machine. */
export class Random {
  private readonly generator: { next(): number };

  constructor(seed: number) {
    const generator = xoroshiro128plus(seed);
    // Small seeds start with few bits set, which would show in the first numbers.
    generator.jump();
    this.generator = generator;
  }

  /** From 0 to below 1, in steps of 2^-32. */
  unit(): number {
    return (this.generator.next() >>> 0) * 2.3283064365386963e-10;
  }

  /** A whole number from 0 to below the argument. */
  index(below: number): number {
    return Math.floor(this.unit() * below);
  }
}

/** Draws an index by weights. */
export class Weighted {
  private readonly cumulative: Float64Array;

  constructor(weights: readonly number[]) {
    this.cumulative = new Float64Array(weights.length);
    let sum = 0;
    weights.forEach((weight, i) => {
      sum += weight;
      this.cumulative[i] = sum;
    });
  }

  draw(random: Random): number {
    const cumulative = this.cumulative;
    const at = random.unit() * cumulative[cumulative.length - 1]!;
    let low = 0;
    let high = cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle]! > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/**
 * Draws indices by weights for items of very different sizes, so that the sizes of what is drawn, not the numbers of
 * items, are in proportion to the weights: of four draws it takes the index that is furthest behind its weight.
 */
export class Balanced {
  private readonly weights: readonly number[];
  private readonly credited: Float64Array;
  private readonly weighted: Weighted;

  constructor(weights: readonly number[]) {
    this.weights = weights;
    this.credited = new Float64Array(weights.length);
    this.weighted = new Weighted(weights);
  }

  draw(random: Random): number {
    let best = this.weighted.draw(random);
    for (let i = 1; i < 4; i++) {
      const other = this.weighted.draw(random);
      if (this.filled(other) < this.filled(best)) best = other;
    }
    return best;
  }

  credit(index: number, size: number): void {
    this.credited[index]! += size;
  }

  private filled(index: number): number {
    return this.credited[index]! / this.weights[index]!;
  }
}
