/** Limits the rate of events by name: a burst at once, and a number per second after that. */
export class Rates {
  private readonly burst: number;
  private readonly perSecond: number;
  private readonly left = new Map<string, { count: number; at: number }>();

  constructor(burst: number, perSecond: number) {
    this.burst = burst;
    this.perSecond = perSecond;
  }

  /** Whether one more event exceeds the limit; if not, it is counted. */
  isAbove(name: string, seconds: number): boolean {
    const before = this.left.get(name);
    const count =
      before === undefined
        ? this.burst
        : Math.min(this.burst, before.count + (seconds - before.at) * this.perSecond);
    this.left.delete(name);
    this.left.set(name, { count: count < 1 ? count : count - 1, at: seconds });
    // Forgets the name that was seen longest ago; by then it has its whole burst again.
    if (this.left.size > MAX_NAMES) this.left.delete(this.left.keys().next().value!);
    return count < 1;
  }
}

const MAX_NAMES = 10_000;
