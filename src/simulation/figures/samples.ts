/** The largest number of samples kept. When there are more, every other one is dropped and the step doubles. */
const MAX_SAMPLES = 512;

/** Rows of figures taken at equal steps of time. */
export class Samples {
  /** When the next one is due. */
  nextTime: number;
  private readonly start: number;
  private step: number;
  private readonly rows: (readonly number[])[] = [];
  /** Samples that were left out before the first of the rows. */
  private leftOut = 0;

  /** @param spanSeconds how long the run is expected to take */
  constructor(start: number, spanSeconds: number) {
    this.start = start;
    this.step = Math.max(1, spanSeconds) / (MAX_SAMPLES / 2);
    this.nextTime = start;
  }

  /** Takes the samples due at or before `now`: all are the same, as nothing has happened since the last event. */
  take(now: number, row: readonly number[]): void {
    while (this.nextTime <= now) {
      this.rows.push(row);
      if (this.rows.length === MAX_SAMPLES) {
        for (let i = 0; i < MAX_SAMPLES / 2; i++) this.rows[i] = this.rows[i * 2];
        this.rows.length = MAX_SAMPLES / 2;
        this.step *= 2;
      }
      this.nextTime = this.start + this.rows.length * this.step;
    }
  }

  /**
   * Leaves out the samples taken before one time and after another; one stays. To be called when all have been taken.
   *
   * @param from NaN: none is too early
   */
  limit(from: number, until: number): void {
    const { rows, start, step } = this;
    while (rows.length > 1 && start + (rows.length - 1) * step > until) rows.pop();
    while (this.leftOut < rows.length - 1 && start + this.leftOut * step < from) this.leftOut++;
    rows.splice(0, this.leftOut);
  }

  /** Seconds since the start, by sample. */
  times(): number[] {
    return this.rows.map((_, i) => (this.leftOut + i) * this.step);
  }

  /** One figure, by sample. */
  column(i: number): number[] {
    return this.rows.map((row) => row[i]);
  }
}
