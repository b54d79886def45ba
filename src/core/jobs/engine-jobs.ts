import { doubled } from "../arrays.ts";
import { Jobs } from "./jobs.ts";
import { NONE } from "../none.ts";
import { FREE } from "./job-states.ts";

// What the books of a pool say of the cores of a job that has machines.
/** They are the job's. */
export const HOLDING = 0;
/** They are given up, and promised to others; the job has been told to stop and still uses them. */
export const STOPPING = 1;
/** They are given up: the job is suspended. */
export const STOPPED = 2;

/**
 * The jobs in the engine by handle. All pools share one table; what the engine notes of a job beyond what a pool
 * does is here.
 */
export class EngineJobs {
  readonly jobs = new Jobs();
  /** Whether no job is ever suspended or moved. */
  readonly isPlain: boolean;
  /** Jobs that wait, in all pools; and the most that did at the start of a cycle. */
  waiting = 0;
  waitingMax = 0;
  /** See `job-states.ts`. */
  state = new Int32Array(1024);
  /** The pool where it is, or is on its way to. */
  pool = new Int32Array(1024);
  virtualPool = new Int32Array(1024);
  /** Number of the list of pools that the job may go to. */
  candidates = new Int32Array(1024);
  /** Class of its own priority: higher is more urgent. */
  priority = new Int32Array(1024);
  /** Counts up with every START. An outcome that tells another attempt is late. */
  attempt = new Int32Array(1024);
  /** How often it may still start again after it was lost. */
  retriesLeft = new Int32Array(1024);
  /** How often it was moved. */
  restarts = new Int32Array(1024);
  /** The other attempt at the same job, or `NONE`. */
  twin = new Int32Array(1024).fill(NONE);
  /** While it is killed: why, and the pool that it goes to afterwards. */
  killReason = new Int32Array(1024);
  killTarget = new Int32Array(1024);
  /** The serial number of its START or RESUME that was not read yet; 0: none. */
  unread = new Float64Array(1024);
  /** A suspension or resumption of it failed: it is not tried again before. */
  retryAt = new Float64Array(1024);
  /** When it was told to suspend, or to go on. */
  toldAt = new Float64Array(1024);
  /** What of its machines' cores is free in the books: see `HOLDING`. */
  hold = new Int32Array(1024);
  /** Since when it has been waiting where it is. */
  waitingSince = new Float64Array(1024);
  /** Its neighbours among the jobs whose waiting is timed, and the list of those it is in. */
  timerNext = new Int32Array(1024);
  timerPrevious = new Int32Array(1024);
  timerList = new Int32Array(1024);
  /** When it would have started to be where it is had it never been suspended; while it is, the seconds it ran. */
  virtualStart = new Float64Array(1024);
  /** What it was expected to run when it came; `Jobs.estimateSeconds` is what is left of it. */
  estimateSeconds = new Float64Array(1024);
  /** Counts up in each pool with every job that begins to run there, where jobs may be suspended; 0: it does not run. */
  ranAs = new Float64Array(1024);
  /** What the present cycle has done with it so far: see `PoolManager`. */
  mark = new Int32Array(1024);

  constructor(isPlain: boolean) {
    this.isPlain = isPlain;
  }

  /** Makes room for a handle just given, and clears its row. */
  open(job: number): void {
    while (job >= this.state.length) this.grow();
    this.attempt[job] = 0;
    this.retriesLeft[job] = 0;
    this.unread[job] = 0;
    this.estimateSeconds[job] = this.jobs.estimateSeconds[job];
    // Every column costs a cache line: a tenth of a run of millions of jobs for those that nobody reads there.
    if (this.isPlain) return;
    this.restarts[job] = 0;
    this.twin[job] = NONE;
    this.retryAt[job] = -Infinity;
    this.mark[job] = 0;
    this.ranAs[job] = 0;
    this.hold[job] = HOLDING;
    this.timerList[job] = NONE;
  }

  close(job: number): void {
    this.state[job] = FREE;
    // What was decided of it and not read is void.
    this.unread[job] = 0;
    this.jobs.remove(job);
  }

  private grow(): void {
    this.state = doubled(this.state);
    this.pool = doubled(this.pool);
    this.virtualPool = doubled(this.virtualPool);
    this.candidates = doubled(this.candidates);
    this.priority = doubled(this.priority);
    this.attempt = doubled(this.attempt);
    this.retriesLeft = doubled(this.retriesLeft);
    this.restarts = doubled(this.restarts);
    const { length } = this.twin;
    this.twin = doubled(this.twin).fill(NONE, length);
    this.twin.fill(NONE, this.twin.length / 2);
    this.killReason = doubled(this.killReason);
    this.killTarget = doubled(this.killTarget);
    this.unread = doubled(this.unread);
    this.retryAt = doubled(this.retryAt);
    this.toldAt = doubled(this.toldAt);
    this.hold = doubled(this.hold);
    this.waitingSince = doubled(this.waitingSince);
    this.timerNext = doubled(this.timerNext);
    this.timerPrevious = doubled(this.timerPrevious);
    this.timerList = doubled(this.timerList);
    this.virtualStart = doubled(this.virtualStart);
    this.estimateSeconds = doubled(this.estimateSeconds);
    this.mark = doubled(this.mark);
    this.ranAs = doubled(this.ranAs);
  }
}
