import {
  IS_SUSPENDED,
  LOST,
  MOVES,
  ROW,
  RUNS,
  SHARED,
  SUSPENSIONS,
  TRAVELS,
  WAITS,
  type Accounts,
} from "./accounts.ts";

/** Where the time of one job went, in seconds; they add up to its time in the farm. */
export interface JobAccount {
  readonly row: number;
  readonly completedSeconds: number;
  readonly waitingSeconds: number;
  readonly runningSeconds: number;
  readonly suspendedSeconds: number;
  readonly transferSeconds: number;
  /** What it ran in vain. */
  readonly lostSeconds: number;
  readonly suspensions: number;
  readonly moves: number;
}

/** What became of each row, and of the pools' cores: filled as jobs finish. */
export class Ledger {
  /** By row: when it first started, and when it was done; NaN where it was rejected. */
  readonly startSeconds: Float64Array;
  readonly completedSeconds: Float64Array;
  readonly waitingSeconds: Float64Array;
  readonly suspendedSeconds: Float64Array;
  readonly lostSeconds: Float64Array;
  readonly transferSeconds: Float64Array;
  /** By row: how often it was suspended and moved; both stop at 255. */
  readonly suspensions: Uint8Array;
  readonly moves: Uint8Array;
  /** By pool: thousandths of a core, and MiB, times seconds. */
  readonly coreSeconds: Float64Array;
  readonly memorySeconds: Float64Array;
  duplicates = 0;
  /** What attempts that another overtook ran beside it: what they had run before, the other accounts for. */
  cancelledSeconds = 0;
  lastEvent = -Infinity;
  /** Each account as it is closed, where they are wanted. */
  readonly accounts: JobAccount[] | null;

  constructor(count: number, pools: number, keepAccounts: boolean) {
    this.startSeconds = new Float64Array(count).fill(NaN);
    this.completedSeconds = new Float64Array(count).fill(NaN);
    this.waitingSeconds = new Float64Array(count);
    this.suspendedSeconds = new Float64Array(count);
    this.lostSeconds = new Float64Array(count);
    this.transferSeconds = new Float64Array(count);
    this.suspensions = new Uint8Array(count);
    this.moves = new Uint8Array(count);
    this.coreSeconds = new Float64Array(pools);
    this.memorySeconds = new Float64Array(pools);
    this.accounts = keepAccounts ? [] : null;
  }

  started(row: number, now: number): void {
    if (Number.isNaN(this.startSeconds[row])) this.startSeconds[row] = now;
  }

  used(pool: number, coresMilli: number, memoryMiB: number, seconds: number): void {
    this.coreSeconds[pool] += coresMilli * seconds;
    this.memorySeconds[pool] += memoryMiB * seconds;
  }

  completed(accounts: Accounts, job: number, now: number): void {
    const row = accounts.get(job, ROW);
    const waiting = accounts.get(job, WAITS);
    const suspensions = accounts.get(job, SUSPENSIONS);
    const moves = accounts.get(job, MOVES);
    this.completedSeconds[row] = now;
    if (now > this.lastEvent) this.lastEvent = now;
    // Most jobs have nothing to tell: what is 0 is not written, and its memory not fetched.
    if (waiting !== 0) this.waitingSeconds[row] = waiting;
    if (suspensions !== 0) {
      this.suspendedSeconds[row] = accounts.get(job, IS_SUSPENDED);
      this.suspensions[row] = Math.min(255, suspensions);
    }
    if (moves !== 0) {
      this.lostSeconds[row] = accounts.get(job, LOST);
      this.moves[row] = Math.min(255, moves);
    }
    const transfer = accounts.get(job, TRAVELS);
    if (transfer !== 0) this.transferSeconds[row] = transfer;
    this.accounts?.push({
      row,
      completedSeconds: now,
      waitingSeconds: waiting,
      runningSeconds: accounts.get(job, RUNS),
      suspendedSeconds: accounts.get(job, IS_SUSPENDED),
      transferSeconds: transfer,
      lostSeconds: accounts.get(job, LOST),
      suspensions,
      moves,
    });
  }

  /** An attempt that another one overtook. */
  cancelled(accounts: Accounts, job: number, winner: number): void {
    this.cancelledSeconds += accounts.get(job, RUNS) - accounts.get(job, SHARED);
    const row = accounts.get(winner, ROW);
    if (this.suspensions[row] === 0) this.suspensions[row] = Math.min(255, accounts.get(job, SUSPENSIONS));
  }
}
