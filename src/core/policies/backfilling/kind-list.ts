import { doubled } from "../../arrays.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { TryOrder } from "./candidates.ts";

const FIRST_LENGTH = 8;
const KEPT_LENGTH = 64;

/** Waiting jobs of one kind, in the order in which backfilling tries them. */
export class KindList {
  private readonly jobs: Jobs;
  private readonly comesBefore: TryOrder;
  private job = new Int32Array(FIRST_LENGTH);
  private start = 0;
  private end = 0;
  /** No estimate is below this. It is exact only after a search that went through all of them. */
  private leastEstimate = Infinity;

  constructor(jobs: Jobs, comesBefore: TryOrder) {
    this.jobs = jobs;
    this.comesBefore = comesBefore;
  }

  get length(): number {
    return this.end - this.start;
  }

  at(place: number): number {
    return this.job[this.start + place];
  }

  add(job: number): void {
    if (this.end === this.job.length) this.makeRoom();
    const at = this.start + this.placeAfter(job);
    this.job.copyWithin(at + 1, at, this.end);
    this.job[at] = job;
    this.end++;
    this.leastEstimate = Math.min(this.leastEstimate, this.jobs.estimateSeconds[job]);
  }

  remove(job: number): void {
    const at = this.start + this.placeAfter(job) - 1;
    // Most jobs leave near the front, so the shorter side moves up.
    if (at - this.start < this.end - at) {
      this.job.copyWithin(this.start + 1, this.start, at);
      this.start++;
    } else {
      this.job.copyWithin(at, at + 1, this.end);
      this.end--;
    }
    if (this.start === this.end) this.clear();
  }

  /** The first position whose job comes after this one, which need not be in the list. */
  placeAfter(job: number): number {
    let low = this.start;
    let high = this.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.comesBefore(job, this.job[middle])) high = middle;
      else low = middle + 1;
    }
    return low - this.start;
  }

  /**
   * The first position from `place` on of a job that would end by `until` if it started now; `length` if there is none.
   */
  nextWithin(place: number, now: number, until: number): number {
    const { estimateSeconds } = this.jobs;
    if (now + this.leastEstimate > until) return this.length;
    let least = Infinity;
    for (let at = this.start + place; at < this.end; at++) {
      const estimate = estimateSeconds[this.job[at]];
      if (now + estimate <= until) return at - this.start;
      if (estimate < least) least = estimate;
    }
    for (let at = this.start; at < this.start + place; at++)
      least = Math.min(least, estimateSeconds[this.job[at]]);
    this.leastEstimate = least;
    return this.length;
  }

  /** Empties the list. A table made for thousands of jobs is not kept for a kind that may not come again. */
  private clear(): void {
    this.start = this.end = 0;
    this.leastEstimate = Infinity;
    if (this.job.length > KEPT_LENGTH) this.job = new Int32Array(FIRST_LENGTH);
  }

  /** Moves the jobs to the front of the table. The table doubles if more than half is in use. */
  private makeRoom(): void {
    const { start, end } = this;
    if ((end - start) * 2 > this.job.length) this.job = doubled(this.job);
    this.job.copyWithin(0, start, end);
    this.end = end - start;
    this.start = 0;
  }
}
