import type { Jobs } from "../../jobs/jobs.ts";

/** A job that runs beyond its estimate is expected to end within this time. */
export const OVERRUN_SECONDS = 1;

/** The largest number of jobs in a block. */
const BLOCK = 256;

/**
 * The running jobs in the order in which they are expected to end. Those without an estimate are never expected to, and
 * come last.
 *
 * They are kept in blocks, so that a change moves the jobs of one block and not all that come after: on 3,000 machines
 * with 20,000 jobs that took a quarter of EASY's time.
 */
export class RunningJobs {
  count = 0;
  /** No block is empty, unless it is the only one. */
  private readonly blocks: Int32Array[] = [new Int32Array(BLOCK)];
  private readonly counts: number[] = [0];
  /** The block in which `at` searched last, and the position of its first job. The next search is likely to be near. */
  private lookedIn = 0;
  private lookedFrom = 0;
  /**
   * As of `bringUpTo`: the number of jobs that have outlived their estimates. They are expected to end after the next
   * `sooner` jobs.
   */
  private outlived = 0;
  private sooner = 0;
  private readonly jobs: Jobs;

  constructor(jobs: Jobs) {
    this.jobs = jobs;
  }

  /** Adds a job that starts, by its own estimate. */
  add(job: number, now: number): void {
    const { estimatedEnd, estimateSeconds } = this.jobs;
    const end = now + estimateSeconds[job];
    estimatedEnd[job] = end;
    let b = this.blockOf(end);
    if (this.counts[b] === BLOCK) {
      this.split(b);
      b = this.blockOf(end);
    }
    const at = this.placeIn(b, end);
    const block = this.blocks[b];
    block.copyWithin(at + 1, at, this.counts[b]++);
    block[at] = job;
    this.changed(1);
  }

  remove(job: number): void {
    const { blocks, counts } = this;
    const end = this.jobs.estimatedEnd[job];
    let b = this.blockOf(end);
    let at = this.placeIn(b, end) - 1;
    // Some of those that end at the same time may be in the blocks before.
    for (; blocks[b][at] !== job; at--) if (at < 0) at = counts[--b];
    blocks[b].copyWithin(at, at + 1, counts[b]--);
    if (counts[b] === 0 && blocks.length > 1) {
      blocks.splice(b, 1);
      counts.splice(b, 1);
    }
    this.changed(-1);
  }

  /** Sets the time for which `jobAt` answers. */
  bringUpTo(now: number): void {
    this.outlived = this.placeAfter(now);
    this.sooner = this.outlived === 0 ? 0 : this.placeAfter(now + OVERRUN_SECONDS) - this.outlived;
  }

  /** The i-th job to end. */
  jobAt(i: number): number {
    const { outlived, sooner } = this;
    if (i < sooner) return this.at(outlived + i);
    return this.at(i < sooner + outlived ? i - sooner : i);
  }

  /** When a job is expected to end, always after `now`; `Infinity` where that is unknown. */
  expectedEnd(job: number, now: number): number {
    const end = this.jobs.estimatedEnd[job];
    return end > now ? end : now + OVERRUN_SECONDS;
  }

  /** The job at a position in the order of estimated ends. */
  at(place: number): number {
    const { counts } = this;
    while (place >= this.lookedFrom + counts[this.lookedIn]) this.lookedFrom += counts[this.lookedIn++];
    while (place < this.lookedFrom) this.lookedFrom -= counts[--this.lookedIn];
    return this.blocks[this.lookedIn][place - this.lookedFrom];
  }

  /** The first position whose job is estimated to end at `end` or later. */
  placeFrom(end: number): number {
    let place = this.placeAfter(end);
    while (place > 0 && this.jobs.estimatedEnd[this.at(place - 1)] === end) place--;
    return place;
  }

  /** The first position whose job is estimated to end after `end`. */
  placeAfter(end: number): number {
    const last = this.blockOf(end);
    let place = this.placeIn(last, end);
    for (let b = 0; b < last; b++) place += this.counts[b];
    return place;
  }

  /** The last block whose first job is estimated to end at `end` or before, or the first block. */
  private blockOf(end: number): number {
    const { blocks } = this;
    const { estimatedEnd } = this.jobs;
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (estimatedEnd[blocks[middle][0]] <= end) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The first position within a block whose job is estimated to end after `end`. */
  private placeIn(b: number, end: number): number {
    const block = this.blocks[b];
    const { estimatedEnd } = this.jobs;
    let low = 0;
    let high = this.counts[b];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (estimatedEnd[block[middle]] <= end) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private split(b: number): void {
    const { blocks, counts } = this;
    const half = BLOCK / 2;
    const rest = new Int32Array(BLOCK);
    rest.set(blocks[b].subarray(half));
    blocks.splice(b + 1, 0, rest);
    counts.splice(b, 1, half, half);
  }

  private changed(by: number): void {
    this.count += by;
    this.lookedIn = this.lookedFrom = 0;
  }
}
