import { TimeHeap } from "../../core/index.ts";
import type { Workload } from "../../workload/index.ts";

/**
 * The order in which rows are submitted: as the log has them or, where users react, each follower a think time after
 * the end of the job before it.
 */
export class Submissions {
  private readonly follows: Int32Array | null;
  private readonly thinkSeconds: Float64Array | null;
  private readonly submitSeconds: Float64Array;
  private row = 0;
  private submitted = 0;
  /** Followers whose time is known. */
  private readonly ready = new TimeHeap();
  /** By row: the rows that follow it. */
  private readonly followers = new Map<number, number[]>();

  /** @param submitSeconds by row; that of a follower is set when it is known */
  constructor({ follows, thinkSeconds }: Workload, submitSeconds: Float64Array) {
    this.submitSeconds = submitSeconds;
    this.follows = follows ?? null;
    this.thinkSeconds = thinkSeconds ?? null;
    follows?.forEach((before, row) => {
      if (before < 0) return;
      const known = this.followers.get(before);
      if (known === undefined) this.followers.set(before, [row]);
      else known.push(row);
    });
    this.skipFollowers();
  }

  /** When the next row is submitted; `Infinity` if none is, or none before another job has ended. */
  get nextTime(): number {
    return this.follows === null ? this.nextOfLog : Math.min(this.nextOfLog, this.ready.firstTime);
  }

  /** The next row of the log. */
  get nextRow(): number {
    return this.row;
  }

  get isDone(): boolean {
    return this.submitted === this.submitSeconds.length;
  }

  /** The next row. */
  take(): number {
    this.submitted++;
    if (this.ready.firstTime < this.nextOfLog) return this.ready.take();
    const row = this.row++;
    this.skipFollowers();
    return row;
  }

  /** A row's job is over, or was never taken: those that follow it come so much later. */
  over(row: number, now: number): void {
    if (this.follows === null) return;
    for (const follower of this.followers.get(row) ?? []) {
      const think = this.thinkSeconds![follower];
      // After a longer pause users come when they came, but not before.
      const at = Number.isNaN(think) ? Math.max(now, this.submitSeconds[follower]) : now + think;
      this.submitSeconds[follower] = at;
      this.ready.add(follower, at);
    }
    this.followers.delete(row);
  }

  private get nextOfLog(): number {
    return this.row < this.submitSeconds.length ? this.submitSeconds[this.row] : Infinity;
  }

  private skipFollowers(): void {
    if (this.follows !== null) while (this.follows[this.row] >= 0) this.row++;
  }
}
