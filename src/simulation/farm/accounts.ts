import { doubled } from "../../core/index.ts";

/** What an attempt at a job is doing: where its time goes. */
export const NOTHING = -1;
export const WAITS = 0;
export const RUNS = 1;
export const IS_SUSPENDED = 2;
export const TRAVELS = 3;

// The fields of an account. The first four are the seconds spent on what it was doing.
/** Seconds run in vain. */
export const LOST = 4;
/** The workload's row. */
export const ROW = 5;
export const DOING = 6;
/** When it began to do it. */
export const SINCE = 7;
/** What it has done of its run time, in seconds on a machine of speed 1. */
export const PROGRESS = 8;
/** Of the machine where it is, or was last. */
export const SPEED = 9;
/** When it will have ended if nothing comes in between; NaN while it does not run. */
export const END = 10;
/** When it will be where it is going; NaN where it is not. */
export const ARRIVAL = 11;
export const SUSPENSIONS = 12;
export const MOVES = 13;
/** Of what it ran, seconds that the account of the other attempt tells as well. */
export const SHARED = 14;
/** A power of two: an account is two cache lines. */
const FIELDS = 16;

/**
 * Where the time of each job in the farm went so far, by handle, in seconds:
 * waiting, running to some purpose, suspended, in transfer, and lost, which is what
 * it ran in vain. They add up to the time since its submission.
 *
 * One array, the fields of a job next to each other: a job that ends was last
 * touched when it started, and with a column a field its end waited for a dozen
 * cache lines (a tenth of a run of 10 million jobs).
 */
export class Accounts {
  private cells = new Float64Array(1024 * FIELDS);
  private readonly checkpointSeconds: number | null;

  constructor(checkpointSeconds: number | null) {
    this.checkpointSeconds = checkpointSeconds;
  }

  get(job: number, field: number): number {
    return this.cells[job * FIELDS + field];
  }

  set(job: number, field: number, value: number): void {
    this.cells[job * FIELDS + field] = value;
  }

  open(job: number, row: number, now: number): void {
    const at = job * FIELDS;
    while (at >= this.cells.length) this.cells = doubled(this.cells);
    const { cells } = this;
    cells.fill(0, at, at + FIELDS);
    cells[at + ROW] = row;
    cells[at + DOING] = NOTHING;
    cells[at + SINCE] = now;
    cells[at + SPEED] = 1;
    cells[at + END] = NaN;
    cells[at + ARRIVAL] = NaN;
  }

  /** From now on it does something else. */
  turnTo(job: number, doing: number, now: number): void {
    const { cells } = this;
    const at = job * FIELDS;
    const before = cells[at + DOING];
    if (before !== NOTHING) {
      const seconds = now - cells[at + SINCE];
      cells[at + before] += seconds;
      if (before === RUNS) cells[at + PROGRESS] += seconds * cells[at + SPEED];
    }
    cells[at + DOING] = doing;
    cells[at + SINCE] = now;
  }

  /** It starts again from its last checkpoint, or from the beginning: what came after was in vain. */
  restart(job: number): void {
    const { cells, checkpointSeconds: step } = this;
    const at = job * FIELDS;
    const progress = cells[at + PROGRESS];
    const kept = step === null ? 0 : Math.floor(progress / step) * step;
    const lost = step === null ? cells[at + RUNS] : (progress - kept) / cells[at + SPEED];
    cells[at + RUNS] -= lost;
    cells[at + LOST] += lost;
    cells[at + PROGRESS] = kept;
  }

  /** A second attempt has behind it what the first has, but for what it ran since the last checkpoint. */
  copy(from: number, to: number, now: number): void {
    this.turnTo(from, this.get(from, DOING), now);
    this.open(to, this.get(from, ROW), now);
    const { cells } = this;
    for (const field of [WAITS, RUNS, IS_SUSPENDED, TRAVELS, LOST, PROGRESS, SPEED, SUSPENSIONS, MOVES])
      cells[to * FIELDS + field] = cells[from * FIELDS + field];
    cells[from * FIELDS + SHARED] = cells[from * FIELDS + RUNS];
    this.restart(to);
    cells[to * FIELDS + SHARED] = cells[to * FIELDS + RUNS];
  }
}
