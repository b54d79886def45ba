import { doubled } from "../jobs/jobs.ts";

/** What a farm decides about a job. */
export const START = 1;
export const SUSPEND = 2;
/** A suspended job goes on, on its machines. */
export const RESUME = 3;
/** A job goes to a pool: the first time (`from` is `NONE`), or to start again there. */
export const MOVE = 4;
/** A second attempt, `other`, at a job, at another pool; both are the same job's. */
export const DUPLICATE = 5;
/** The other attempt, `other`, has finished: this one is over, and its handle void. */
export const CANCEL = 6;

/** Decisions in the order in which they were made, a row each. The driver reads and clears them. */
export class Decisions {
  length = 0;
  kind = new Int32Array(256);
  job = new Int32Array(256);
  /** The pool in which it happens, or to which the job goes. */
  pool = new Int32Array(256);
  /** `MOVE`: the pool that it leaves. `DUPLICATE`, `CANCEL`: the other attempt. */
  other = new Int32Array(256);
  /** `MOVE`, `DUPLICATE`: seconds that the way takes; the driver reports `arrived` where they are not 0. */
  seconds = new Float64Array(256);

  add(kind: number, job: number, pool: number, other: number, seconds: number): void {
    if (this.length === this.kind.length) {
      this.kind = doubled(this.kind);
      this.job = doubled(this.job);
      this.pool = doubled(this.pool);
      this.other = doubled(this.other);
      this.seconds = doubled(this.seconds);
    }
    const at = this.length++;
    this.kind[at] = kind;
    this.job[at] = job;
    this.pool[at] = pool;
    this.other[at] = other;
    this.seconds[at] = seconds;
  }

  clear(): void {
    this.length = 0;
  }
}
