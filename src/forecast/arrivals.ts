const DAY = 86_400;
const WEEK = 7 * DAY;
/** Weeks longer ago say little of the next days. */
const WEEKS = 8;

/** A past submission that is taken for a coming one. */
export interface Arrival {
  readonly submitSeconds: number;
  /** The past job's place in the order of submissions. */
  readonly like: number;
}

/**
 * Coming submissions as one of the past weeks had them from the same weekday and hour on: they keep the rhythm of days
 * and weeks, the users' sessions, and who asks for what. A farm younger than a week repeats past days, one younger than a
 * day is expected to get none: forecasts then are too early.
 */
export class ArrivalModel {
  /** When each job was submitted, ascending: of those that are remembered. */
  private readonly times: number[] = [];
  private readonly most: number;
  /** How many of the first submissions are not remembered any more. */
  forgotten = 0;

  /** @param most about how many are remembered, the last ones */
  constructor(most = Infinity) {
    this.most = most;
  }

  /** Jobs are told in the order of their submission. */
  learn(submitSeconds: number): void {
    this.times.push(submitSeconds);
    if (this.times.length < 2 * this.most) return;
    this.forgotten += this.most;
    this.times.splice(0, this.most);
  }

  /** How many days the past offers. */
  pastDays(now: number): number {
    return this.times.length === 0 ? 0 : Math.floor((now - this.times[0]!) / DAY);
  }

  /**
   * Submissions after `now`, in order, for as long as they are asked for.
   *
   * @param draw a number in [0, 1), which says what past is repeated
   */
  *from(now: number, draw: number): Generator<Arrival> {
    const days = this.pastDays(now);
    if (days === 0) return;
    const period = days < 7 ? DAY : WEEK;
    const periods = Math.min(days < 7 ? days : WEEKS, Math.floor((now - this.times[0]!) / period));
    const shift = period * (1 + Math.floor(draw * periods));
    const first = this.firstAfter(now - shift);
    // Nothing has come since then, so that nothing comes: to look for it again would never end.
    if (!(this.times[first]! <= now)) return;
    // What comes later than the past is long begins with it again.
    for (let again = shift; ; again += shift)
      for (let like = first; like < this.times.length; like++) {
        if (this.times[like]! > now) break;
        yield { submitSeconds: this.times[like]! + again, like: this.forgotten + like };
      }
  }

  private firstAfter(time: number): number {
    let [low, high] = [0, this.times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
