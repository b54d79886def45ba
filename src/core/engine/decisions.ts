import { doubled } from "../arrays.ts";

/** A waiting job starts on the machines of its placement. Answer: `started`, `startFailed`. */
export const START = 1;
/** A running job stops in favour of another, and stays on its machines. Answer: `suspended`, `suspendFailed`. */
export const SUSPEND = 2;
/** A suspended job goes on, on its machines. Answer: `resumed`, `resumeFailed`. */
export const RESUME = 3;
/** A job that has machines is ended. Answer: `killed`, or `exited` where it came to its own end before. `other`: why. */
export const KILL = 4;
/** A job has left a pool (`other`; `NONE`: it was just submitted) and goes to another, to start there from the beginning. */
export const MOVE = 5;
/** A second attempt, `other`, at a job, at another pool; both are the same job's. */
export const DUPLICATE = 6;
/** The other attempt, `other`, has ended: this one, which had no machines, is over and its handle void. */
export const CANCEL = 7;
/** The attempt at a job was lost with its machine. `other` 1: it waits again; 0: it is over and its handle void. */
export const LOST = 8;
/** A machine (`other`) of a pool takes no more jobs, since too many starts in a row have failed on it. `job`: the last. */
export const DRAIN = 9;

export const decisionNames = [
  "",
  "START",
  "SUSPEND",
  "RESUME",
  "KILL",
  "MOVE",
  "DUPLICATE",
  "CANCEL",
  "LOST",
  "DRAIN",
] as const;

/** One decision, as the driver reads it: `Engine.next` and `Engine.take` fill it anew. */
export interface Decision {
  kind: number;
  job: number;
  /** The pool in which it happens, or to which the job goes. */
  pool: number;
  /** `KILL`: the reason. `MOVE`: the pool left. `DUPLICATE`, `CANCEL`: the other attempt. `LOST`, `DRAIN`: see there. */
  other: number;
  /** `MOVE`, `DUPLICATE`: seconds that the way takes; the driver reports `arrived` where they are not 0. */
  seconds: number;
}

/** Decisions in the order in which they were made, a row each, until they are read. */
export class DecisionQueue {
  private length = 0;
  private cursor = 0;
  private kind = new Int32Array(256);
  private job = new Int32Array(256);
  private pool = new Int32Array(256);
  private other = new Int32Array(256);
  private seconds = new Float64Array(256);
  /** Of a START or RESUME: tells whether the job's claim is still this one. */
  private serial = new Float64Array(256);

  add(kind: number, job: number, pool: number, other = 0, seconds = 0, serial = 0): void {
    if (this.length === this.kind.length) this.grow();
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

  /** Reads the next row into `into`; returns its serial. Not to be called when empty. */
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

  private grow(): void {
    this.kind = doubled(this.kind);
    this.job = doubled(this.job);
    this.pool = doubled(this.pool);
    this.other = doubled(this.other);
    this.seconds = doubled(this.seconds);
    this.serial = doubled(this.serial);
  }
}
