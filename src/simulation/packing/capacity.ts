import { firstNotBelow } from "../ascending.ts";

/**
 * The smallest number of machines that could hold an amount of one resource: the largest machines are counted first.
 */
export class CapacityLadder {
  /** Entry [n]: the capacity of the n largest machines together. */
  private readonly together: Float64Array;

  constructor(capacities: Int32Array) {
    const largestFirst = Float64Array.from(capacities).sort().toReversed();
    this.together = new Float64Array(capacities.length + 1);
    largestFirst.forEach((capacity, i) => {
      this.together[i + 1] = this.together[i] + capacity;
    });
  }

  machinesFor(amount: number): number {
    return Math.min(firstNotBelow(this.together, amount), this.together.length - 1);
  }
}
