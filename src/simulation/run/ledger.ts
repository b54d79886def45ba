import { NONE } from "../../core/index.ts";
import type { JobTimes } from "./job-times.ts";

/** How often attempts at a job were lost to failed machines, and for how long they had run in vain. */
export interface Losses {
  readonly count: number;
  readonly seconds: number;
}

/** What became of each job, by row of the workload, and of the pools' cores. */
export class Ledger {
  /** When each job was submitted in the run. */
  readonly submitSeconds: Float64Array;
  /** When each job first started; NaN where it was rejected. */
  readonly startSeconds: Float64Array;
  private readonly times = new Map<number, JobTimes>();
  /** By row: 1 for those that have times, so that all others need no look into the map. Null while no row has. */
  private hasTimes: Uint8Array | null = null;
  /** The ends that are not start + run time, by row; NaN for all other jobs. Null while there are none. */
  private ends: Float64Array | null = null;
  /** The pool where each job ran last; null where there is one. */
  readonly poolOf: Int32Array | null;
  /** By pool: thousandths of a core, and MiB, times seconds. */
  readonly coreSeconds: Float64Array;
  readonly memorySeconds: Float64Array;
  /** The jobs that lost attempts to failed machines, by row. They stay lost whichever attempt finishes. */
  readonly losses = new Map<number, Losses>();
  duplicates = 0;
  /**
   * Run by overtaken attempts beside the winning one. What they ran before the second attempt began is in the
   * winner's times.
   */
  cancelledSeconds = 0;
  /**
   * When the first job was submitted that was not rejected; NaN until then. Figures over time begin here: a rejected job
   * is no more the beginning of a run than its end.
   */
  openedSeconds = NaN;
  /** The latest end of a job so far. */
  lastEnd = -Infinity;
  /** By row, on a machine of speed 1. */
  readonly runtimeSeconds: Float64Array;

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
    return this.hasTimes === null && this.ends === null;
  }

  /** When a row's job ended; NaN where it was rejected. */
  endOf(row: number): number {
    const end = this.ends === null ? NaN : this.ends[row];
    return Number.isNaN(end) ? this.startSeconds[row] + this.runtimeSeconds[row] : end;
  }

  /** Notes an end that is not start + run time. */
  setEnd(row: number, end: number): void {
    this.ends ??= new Float64Array(this.startSeconds.length).fill(NaN);
    this.ends[row] = end;
  }

  /** The times of a job that did not just wait, run and end; undefined for any other. */
  timesOf(row: number): JobTimes | undefined {
    return this.hasTimes === null || this.hasTimes[row] === 0 ? undefined : this.times.get(row);
  }

  setTimes(row: number, times: JobTimes): void {
    this.hasTimes ??= new Uint8Array(this.startSeconds.length);
    this.hasTimes[row] = 1;
    this.times.set(row, times);
  }

  /** How long a row's job waited in all, transfers included: to the one who waits it is all the same. */
  waitOf(row: number): number {
    const times = this.timesOf(row);
    return times === undefined
      ? this.startSeconds[row] - this.submitSeconds[row]
      : times.waiting + times.transfer;
  }

  /** When every job ended; undefined where that is its start plus its run time. */
  endSeconds(): Float64Array | undefined {
    if (this.ends === null) return undefined;
    return this.ends.map((_, row) => this.endOf(row));
  }

  /** Takes the final times of a job that is done. */
  completed(times: JobTimes, now: number): void {
    this.setEnd(times.row, now);
    this.setTimes(times.row, times);
  }

  /**
   * A failed machine took an attempt with it, which had run for this long in vain. Returns how often that has happened
   * to the job.
   */
  lost(row: number, seconds: number): number {
    const before = this.losses.get(row);
    const count = (before?.count ?? 0) + 1;
    this.losses.set(row, { count, seconds: (before?.seconds ?? 0) + seconds });
    return count;
  }

  /** Takes the times of an overtaken attempt, and those of the attempt that finished first. */
  overtaken(times: JobTimes, winner: JobTimes): void {
    this.cancelledSeconds += times.running - times.shared;
    if (winner.suspensions === 0) winner.suspensions = times.suspensions;
  }
}
