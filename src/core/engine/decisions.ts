import { doubleColumns } from "../arrays.ts";

/** A waiting job starts on the machines of its placement. The driver answers `started` or `startFailed`. */
export const START = 1;
/**
 * A running job stops in favour of another and stays on its machines. The driver answers `suspended` or
 * `suspendFailed`.
 */
export const SUSPEND = 2;
/** A suspended job resumes on its machines. The driver answers `resumed` or `resumeFailed`. */
export const RESUME = 3;
/**
 * A job that has machines is to be ended, for the reason in `other`. The driver answers `killed`, or `exited` if the
 * job ended by itself before; or, where it was to make room for another and may not be ended, `suspendFailed`.
 */
export const KILL = 4;
/**
 * A job has left pool `other` and goes to another, to start there from the beginning. `NONE`: it comes from its virtual
 * pool, where it was just submitted or has waited.
 */
export const MOVE = 5;
/** A second attempt at the job, with handle `other`, goes to another pool. */
export const DUPLICATE = 6;
/** The other attempt, `other`, has ended. This one, which had no machines, is over and its handle void. */
export const CANCEL = 7;
/**
 * The attempt at a job was lost with its machine. `other` says what becomes of the job:
 *
 * - 0: it is over and its handle void. If it had another attempt, that goes on under a handle of its own.
 * - 1: it waits again, which takes one of its retries.
 * - 2: it waits again or is moved. The attempt was being ended for that, so it takes no retry.
 */
export const LOST = 8;
/**
 * Machine `other` of a pool is drained, since too many starts in a row have failed on it. `job` is the last of them.
 */
export const DRAIN = 9;

/** One decision, as the driver reads it. `Engine.next` and `Engine.take` reuse the object. */
export interface Decision {
  kind: number;
  job: number;
  /** The pool of the job, or the pool that the job goes to. */
  pool: number;
  /** `KILL`: the reason. `MOVE`: the pool left. `DUPLICATE`, `CANCEL`: the other attempt. `LOST`, `DRAIN`: see there. */
  other: number;
  /** `MOVE`, `DUPLICATE`: how long the transfer takes, in seconds. If it is not 0 the driver reports `arrived`. */
  seconds: number;
}

/** Decisions in the order in which they were made, one row each, until they are read. */
export class DecisionQueue {
  private length = 0;
  private cursor = 0;
  private kind = new Int32Array(256);
  private job = new Int32Array(256);
  private pool = new Int32Array(256);
  private other = new Int32Array(256);
  private seconds = new Float64Array(256);
  /** For a START or RESUME: tells whether the job's claim is still this one. */
  private serial = new Float64Array(256);

  add(kind: number, job: number, pool: number, other = 0, seconds = 0, serial = 0): void {
    if (this.length === this.kind.length) doubleColumns(this);
    const at = this.length++;
    this.kind[at] = kind;
    this.job[at] = job;
    this.pool[at] = pool;
    this.other[at] = other;
    this.seconds[at] = seconds;
    this.serial[at] = serial;
  }

  get isEmpty(): boolean {
    return this.cursor === this.length;
  }

  /** Reads the next row into `into` and returns its serial. Must not be called on an empty queue. */
  read(into: Decision): number {
    const at = this.cursor++;
    into.kind = this.kind[at];
    into.job = this.job[at];
    into.pool = this.pool[at];
    into.other = this.other[at];
    into.seconds = this.seconds[at];
    const serial = this.serial[at];
    if (this.cursor === this.length) this.cursor = this.length = 0;
    return serial;
  }
}
