import { TimeHeap } from "../../core/index.ts";
import { EndBuckets } from "./end-buckets.ts";

/** With no more jobs than this, a heap of all stays in the processor's cache. */
const FEW = 2048;
/** Into so many buckets of equal length a stretch of time is divided. */
const BUCKETS = 4096;
/** The bucket of those that end after all others. */
const LATE = BUCKETS;

/**
 * Running jobs by when they end. Those that end at the same time come out in the order in which they were put in.
 *
 * Only those that end soon are in a heap. The others lie in buckets, each for a short stretch of time, until theirs is
 * the next; those that end after the last bucket wait together, and are divided when all buckets are empty. In a heap
 * of 250,000 jobs most steps down miss the processor's cache, which took a tenth of a run.
 */
export class EndQueue {
  /** Those of the buckets before `next`. */
  private readonly soon = new TimeHeap();
  private soonCount = 0;
  private next = 1;
  private readonly buckets = new EndBuckets(BUCKETS + 1);
  private inBuckets = 0;
  private lateCount = 0;
  /** When the first bucket begins, and how many there are to a second; 0: all jobs are in the first. */
  private start = 0;
  private perSecond = 0;
  /** With more jobs than this in the first bucket they are divided. */
  private most = FEW;

  /** When the first job ends; `Infinity` if there is none. */
  get firstTime(): number {
    if (this.soonCount === 0) this.fillSoon();
    return this.soon.firstTime;
  }

  add(job: number, time: number): void {
    const bucket = Math.min(this.bucketOf(time), LATE);
    if (bucket >= this.next) {
      this.buckets.add(bucket, job, time);
      if (bucket === LATE) this.lateCount++;
      else this.inBuckets++;
    } else {
      this.soon.add(job, time);
      if (++this.soonCount > this.most && this.perSecond === 0) this.divideSoon();
    }
  }

  /** Removes the first job and returns it. To be called after `firstTime`, and only if there is a job. */
  take(): number {
    this.soonCount--;
    return this.soon.take();
  }

  /** Removes all, in no particular order. */
  drain(visit: (job: number, time: number) => void): void {
    this.soon.drain(visit);
    for (let bucket = 0; bucket <= LATE; bucket++) this.buckets.empty(bucket, visit);
    this.soonCount = this.inBuckets = this.lateCount = 0;
  }

  /** A later time never has a lower number, whatever is rounded. */
  private bucketOf(time: number): number {
    return Math.floor((time - this.start) * this.perSecond);
  }

  private fillSoon(): void {
    if (this.inBuckets === 0 && this.lateCount > 0) this.divide();
    while (this.inBuckets > 0 && this.soonCount === 0) {
      this.soonCount = this.buckets.empty(this.next++, this.addSoon);
      this.inBuckets -= this.soonCount;
    }
  }

  private readonly addSoon = (job: number, time: number): void => this.soon.add(job, time);

  private divideSoon(): void {
    while (this.soonCount > 0) {
      const time = this.soon.firstTime;
      this.buckets.add(LATE, this.take(), time);
      this.lateCount++;
    }
    this.divide();
  }

  /**
   * Divides the late jobs into buckets. These end at twice the mean time from the first end on, so that at least half
   * of the jobs find one.
   */
  private divide(): void {
    const { buckets, lateCount } = this;
    let first = Infinity;
    let sum = 0;
    buckets.visit(LATE, (_, time) => {
      first = Math.min(first, time);
      sum += time;
    });
    const mean = sum / lateCount - first;
    this.lateCount = 0;
    this.most = Math.max(FEW, lateCount * 2);
    this.start = first;
    this.perSecond = lateCount > FEW / 2 ? BUCKETS / (mean * 2) : 0;
    this.next = 0;
    // Few jobs, or all with the same end: a heap will do.
    if (!(this.perSecond > 0 && this.perSecond < Infinity)) {
      this.start = this.perSecond = 0;
      this.next = 1;
    }
    buckets.empty(LATE, (job, time) => this.add(job, time));
  }
}
