import { doubled } from "../../arrays.ts";
import type { Jobs } from "../../jobs/jobs.ts";

/** A job that runs beyond its estimate is expected to end within this time. */
export const OVERRUN_SECONDS = 1;

/** The running jobs in the order in which they are expected to end; last those without an estimate, which never are. */
export class RunningJobs {
  count = 0;
  private job = new Int32Array(256);
  /** As of `bringUpTo`: the first jobs have outlived their estimates, and are expected to end after the next `sooner` ones. */
  private outlived = 0;
  private sooner = 0;
  private readonly jobs: Jobs;

  constructor(jobs: Jobs) {
    this.jobs = jobs;
  }

  /** A job starts, with its own estimate. */
  add(job: number, now: number): void {
    const { estimatedEnd, estimateSeconds } = this.jobs;
    const end = now + estimateSeconds[job];
    estimatedEnd[job] = end;
    if (this.count === this.job.length) this.job = doubled(this.job);
    const at = this.placeAfter(end);
    this.job.copyWithin(at + 1, at, this.count);
    this.job[at] = job;
    this.count++;
  }

  remove(job: number): void {
    let at = this.placeAfter(this.jobs.estimatedEnd[job]) - 1;
    while (this.job[at] !== job) at--;
    this.job.copyWithin(at, at + 1, this.count);
    this.count--;
  }

  /** Says at which time `jobAt` is asked. */
  bringUpTo(now: number): void {
    this.outlived = this.placeAfter(now);
    this.sooner = this.outlived === 0 ? 0 : this.placeAfter(now + OVERRUN_SECONDS) - this.outlived;
  }

  /** The i-th job to end. */
  jobAt(i: number): number {
    const { outlived, sooner } = this;
    if (i < sooner) return this.job[outlived + i];
    return this.job[i < sooner + outlived ? i - sooner : i];
  }

  /** When a job is expected to end, always after `now`; `Infinity` where that is unknown. */
  expectedEnd(job: number, now: number): number {
    const end = this.jobs.estimatedEnd[job];
    return end > now ? end : now + OVERRUN_SECONDS;
  }

  /** The job at a place in the order of estimated ends. */
  at(place: number): number {
    return this.job[place];
  }

  /** The first place whose job is estimated to end at `end` or later. */
  placeFrom(end: number): number {
    let place = this.placeAfter(end);
    while (place > 0 && this.jobs.estimatedEnd[this.job[place - 1]] === end) place--;
    return place;
  }

  /** The first place whose job is estimated to end after `end`. */
  placeAfter(end: number): number {
    const { estimatedEnd } = this.jobs;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (estimatedEnd[this.job[middle]] <= end) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
