import { doubled } from "../arrays.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { NONE } from "../none.ts";
import type { WaitQueue } from "./wait-queue.ts";

/**
 * Order of arrival, without fair share (which Shai 2014 also leaves out, section 6).
 *
 * The handles are next to each other, so that a pass over a hundred thousand waiting jobs reads memory in order. A job
 * that leaves is a gap until half of the entries are gaps; then the gaps are closed.
 */
export class ArrivalQueue implements WaitQueue {
  readonly isByArrival = true;
  length = 0;
  private readonly jobs: Jobs;
  private entries: Int32Array;
  private start = 0;
  private end = 0;
  private cursor = 0;

  /** @param capacity how many entries there is room for at first */
  constructor(jobs: Jobs, capacity = 1024) {
    this.jobs = jobs;
    this.entries = new Int32Array(capacity);
  }

  add(job: number): void {
    if (this.end === this.entries.length) this.makeRoom();
    const place = this.makePlace(this.jobs.arrival[job]);
    this.entries[place] = job;
    this.jobs.place[job] = place;
    this.length++;
  }

  /**
   * Makes a place for a job with this number of arrival. It is nearly always the last. One that could not be started
   * goes back to where it was, mostly near the front: its place is searched from both ends.
   */
  private makePlace(own: number): number {
    const { entries, start, end } = this;
    const { arrival } = this.jobs;
    let front = start;
    for (let back = end; ; back--) {
      const before = back === start ? NONE : entries[back - 1];
      if (back === start || (before !== NONE && arrival[before] < own)) {
        this.end++;
        for (let place = end; place > back; place--) this.put(entries[place - 1], place);
        return back;
      }
      if (start === 0) continue;
      const after = entries[front];
      if (after !== NONE && arrival[after] > own) {
        this.start--;
        for (let place = start; place < front; place++) this.put(entries[place], place - 1);
        return front - 1;
      }
      front++;
    }
  }

  private put(job: number, place: number): void {
    this.entries[place] = job;
    if (job !== NONE) this.jobs.place[job] = place;
  }

  remove(job: number): void {
    const { entries } = this;
    entries[this.jobs.place[job]] = NONE;
    this.length--;
    while (this.start < this.end && entries[this.start] === NONE) this.start++;
    // Gaps at the end are removed as well; otherwise the next job would search back over all of them for the one before
    // it.
    while (this.start < this.end && entries[this.end - 1] === NONE) this.end--;
  }

  /** The job that has waited longest; `NONE` if none waits. */
  first(): number {
    return this.length === 0 ? NONE : this.entries[this.start];
  }

  begin(): void {
    this.cursor = this.start;
  }

  next(): number {
    const { entries, end } = this;
    while (this.cursor < end) {
      const job = entries[this.cursor++];
      if (job !== NONE) return job;
    }
    return NONE;
  }

  placed(): void {}
  started(): void {}
  finished(): void {}

  /** Closes the gaps; if there were few, doubles the table. */
  private makeRoom(): void {
    const from = this.entries;
    if (this.length * 2 > from.length) this.entries = doubled(from);
    let place = 0;
    for (let old = this.start; old < this.end; old++) {
      const job = from[old];
      if (job === NONE) continue;
      this.entries[place] = job;
      this.jobs.place[job] = place++;
    }
    this.start = 0;
    this.end = place;
  }
}
