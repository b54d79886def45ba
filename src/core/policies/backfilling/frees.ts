/**
 * What became free of what was planned, in the order in which it did. A job that fits at no time before some `limit`
 * fits at none before it later on, but for times before the end of what was freed meanwhile: only there is more free
 * than when it was looked for.
 */
export class Frees {
  /** Counts up with everything that is freed. */
  count = 0;
  /** The frees behind which no other lasts as long: their numbers rise and their ends fall. */
  private number: number[] = [];
  private until: number[] = [];

  /** For a snapshot. */
  get saved(): number[] {
    return [this.count, ...this.number, ...this.until];
  }

  set saved([count, ...rest]: number[]) {
    this.count = count;
    this.number = rest.slice(0, rest.length / 2);
    this.until = rest.slice(rest.length / 2);
  }

  add(until: number): void {
    const { number, until: ends } = this;
    while (ends.length > 0 && ends[ends.length - 1] <= until) {
      ends.pop();
      number.pop();
    }
    number.push(++this.count);
    ends.push(until);
  }

  /** The latest end of what was freed after so many frees; -Infinity if nothing was. */
  latestSince(count: number): number {
    const { number, until } = this;
    let low = 0;
    let high = number.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (number[middle] <= count) low = middle + 1;
      else high = middle;
    }
    return low < until.length ? until[low] : -Infinity;
  }

  /** Forgets what ended before `now`. */
  forget(now: number): void {
    const { number, until } = this;
    while (until.length > 0 && until[until.length - 1] <= now) {
      until.pop();
      number.pop();
    }
  }
}
