/** The largest number of steps kept. When there are more, neighbours are joined and the step doubles. */
const MAX_STEPS = 4096;
const HOUR = 3600;

/** Exact means, over equal steps of time, of what holds from one instant to the next. */
export class StepMeans {
  private step = HOUR;
  private readonly begin: number;
  private readonly sums = new Float64Array(MAX_STEPS);
  private end: number;

  constructor(begin: number) {
    this.begin = begin;
    this.end = begin;
  }

  /** Adds a value that held for `seconds` until `to`. Calls come in order of time. */
  add(value: number, seconds: number, to: number): void {
    while (to - this.begin > this.step * MAX_STEPS) this.join();
    this.end = to;
    for (let from = to - seconds; from < to;) {
      const at = Math.min(MAX_STEPS - 1, Math.floor((from - this.begin) / this.step));
      const until = Math.min(to, this.begin + (at + 1) * this.step);
      // Rounding of a sum may keep a step from ending exactly where it should.
      this.sums[at] += value * ((until > from ? until : to) - from);
      from = until > from ? until : to;
    }
  }

  /** The means of the whole steps so far. */
  means(): { readonly stepSeconds: number; readonly means: readonly number[] } {
    const { step, sums } = this;
    const count = Math.floor((this.end - this.begin) / step);
    return { stepSeconds: step, means: Array.from(sums.subarray(0, count), (sum) => sum / step) };
  }

  private join(): void {
    const { sums } = this;
    for (let i = 0; i < MAX_STEPS / 2; i++) sums[i] = sums[2 * i] + sums[2 * i + 1];
    sums.fill(0, MAX_STEPS / 2);
    this.step *= 2;
  }
}
