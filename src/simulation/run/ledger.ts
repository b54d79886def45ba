import { NONE } from "../../core/index.ts";
import type { JobTimes } from "./job-times.ts";

/** What became of each job, by row of the workload, and of the pools' cores. */
export class Ledger {
  /** When each job was submitted in the run. */
  readonly submitSeconds: Float64Array;
  /** When each job first started; NaN where it was rejected. */
  readonly startSeconds: Float64Array;
  /** The jobs that did not just wait, run and end; by row. */
  readonly times = new Map<number, JobTimes>();
  /** When jobs ended that did not run for just their run time; NaN: the others. Null: none yet. */
  private ends: Float64Array | null = null;
  /** The pool where each job ran last; null where there is one. */
  readonly poolOf: Int32Array | null;
  /** By pool: thousandths of a core, and MiB, times seconds. */
  readonly coreSeconds: Float64Array;
  readonly memorySeconds: Float64Array;
  duplicates = 0;
  /** What attempts that another overtook ran beside it: what they had run before, the other's times tell. */
  cancelledSeconds = 0;
  /** When the last job ended that has. */
  lastEnd = -Infinity;
  private readonly runtimeSeconds: Float64Array;

  constructor(submitSeconds: Float64Array, runtimeSeconds: Float64Array, pools: number) {
    this.submitSeconds = submitSeconds;
    this.runtimeSeconds = runtimeSeconds;
    this.startSeconds = new Float64Array(submitSeconds.length).fill(NaN);
    this.poolOf = pools === 1 ? null : new Int32Array(submitSeconds.length).fill(NONE);
    this.coreSeconds = new Float64Array(pools);
    this.memorySeconds = new Float64Array(pools);
  }

  /** Whether every job just waited, ran and ended. */
  get isRegular(): boolean {
    return this.times.size === 0 && this.ends === null;
  }

  /** When a row's job ended; NaN where it was rejected. */
  endOf(row: number): number {
    const end = this.ends === null ? NaN : this.ends[row];
    return Number.isNaN(end) ? this.startSeconds[row] + this.runtimeSeconds[row] : end;
  }

  /** A row's job ended, and not just its run time after its start. */
  setEnd(row: number, end: number): void {
    this.ends ??= new Float64Array(this.startSeconds.length).fill(NaN);
    this.ends[row] = end;
  }

  /** How long a row's job waited in all. */
  waitOf(row: number): number {
    const times = this.times.get(row);
    return times === undefined ? this.startSeconds[row] - this.submitSeconds[row] : times.waiting;
  }

  /** When every job ended; undefined where that is its start plus its run time. */
  endSeconds(): Float64Array | undefined {
    return this.ends === null ? undefined : this.startSeconds.map((_, row) => this.endOf(row));
  }

  /** A job is done: all that its attempt did is known. */
  completed(times: JobTimes, now: number): void {
    this.setEnd(times.row, now);
    this.times.set(times.row, times);
  }

  /** An attempt that another one overtook, and the one that did. */
  overtaken(times: JobTimes, winner: JobTimes): void {
    this.cancelledSeconds += times.running - times.shared;
    if (winner.suspensions === 0) winner.suspensions = times.suspensions;
  }
}
