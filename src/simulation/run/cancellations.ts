import { NONE, TimeHeap } from "../../core/index.ts";
import type { Workload } from "../../workload/index.ts";

/** When users cancel jobs, by row: each so long after its submission. */
export class Cancellations {
  private readonly rows = new TimeHeap();
  private readonly afterSeconds: Float64Array;
  /** The handle of a row's job; `NONE` once it is over. */
  private readonly jobs = new Map<number, number>();

  /** @param afterSeconds by row; NaN: never */
  constructor(afterSeconds: NonNullable<Workload["cancelAfterSeconds"]>) {
    this.afterSeconds = afterSeconds;
  }

  get nextTime(): number {
    return this.rows.firstTime;
  }

  submitted(row: number, job: number, now: number): void {
    const after = this.afterSeconds[row];
    if (Number.isNaN(after)) return;
    this.jobs.set(row, job);
    this.rows.add(row, now + after);
  }

  over(row: number): void {
    this.jobs.delete(row);
  }

  /** The next job that is cancelled at this time, and is not over; `NONE`: there is none. */
  take(now: number): number {
    while (this.rows.firstTime <= now) {
      const row = this.rows.take();
      const job = this.jobs.get(row);
      this.jobs.delete(row);
      if (job !== undefined) return job;
    }
    return NONE;
  }
}
