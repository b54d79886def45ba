/** So many at once, and so many in a second after that, for each name. */
export class Rates {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #left = new Map<string, { count: number; at: number }>();

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Whether one more is too many; it counts if it is not. */
  isAbove(name: string, seconds: number): boolean {
    const before = this.#left.get(name);
    const count =
      before === undefined
        ? this.#burst
        : Math.min(this.#burst, before.count + (seconds - before.at) * this.#perSecond);
    this.#left.delete(name);
    this.#left.set(name, { count: count < 1 ? count : count - 1, at: seconds });
    // Who has not been heard of for long has all of it again.
    if (this.#left.size > MOST_NAMES) this.#left.delete(this.#left.keys().next().value!);
    return count < 1;
  }
}

const MOST_NAMES = 10_000;
