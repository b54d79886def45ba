/** Where a number is split: both parts of 4 million jobs' work then add up below 2^53. */
const SPLIT = 2 ** 31;

/** An estimate above this, 68 years, counts as this. */
const MAX_SECONDS = 2 ** 31;

/**
 * What the waiting jobs of a pool will take by their estimates: cores in thousandths, times seconds. A job may ask for
 * more than fits beside others' in a double, so there are two sums of whole numbers. The total does not depend on the
 * order in which jobs came and went, and a restored engine has the same.
 */
export class WaitingWork {
  private high = 0;
  private low = 0;

  /** @param sign 1: the job comes; -1: it goes, and asks for the same as when it came */
  count(coresMilli: number, seconds: number, sign: number): void {
    const work = Math.round(coresMilli * Math.min(seconds, MAX_SECONDS));
    const high = Math.floor(work / SPLIT);
    this.high += sign * high;
    this.low += sign * (work - high * SPLIT);
  }

  get total(): number {
    return this.high * SPLIT + this.low;
  }
}
