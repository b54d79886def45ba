import { doubled, Jobs } from "../jobs/jobs.ts";
import { NONE } from "../none.ts";

/** Where a job of a farm is. */
export const WAITING = 1;
export const RUNNING = 2;
export const SUSPENDED = 3;
/** On its way to a pool. */
export const IN_TRANSFER = 4;

/**
 * The jobs of a farm by handle, which is the farm's: all its pools share one
 * table, and what a farm notes of a job beyond what a pool does is here.
 */
export class FarmJobs {
  readonly jobs = new Jobs();
  /** `WAITING`, `RUNNING`, `SUSPENDED`, `IN_TRANSFER`; 0: the handle is free. */
  state = new Int32Array(1024);
  /** The pool where it is, or is on its way to. */
  pool = new Int32Array(1024);
  virtualPool = new Int32Array(1024);
  /** Number of the list of pools that the job may go to. */
  candidates = new Int32Array(1024);
  /** Class of its own priority: higher is more urgent. */
  priority = new Int32Array(1024);
  /** How often it was moved. */
  restarts = new Int32Array(1024);
  /** The other attempt at the same job, or `NONE`. */
  twin = new Int32Array(1024);
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
  /** What the present cycle has done with it so far: see `PhysicalPool`. */
  mark = new Int32Array(1024);

  /** Makes room for a handle just given, and clears its row. */
  open(job: number): void {
    while (job >= this.state.length) this.grow();
    this.restarts[job] = 0;
    this.twin[job] = NONE;
    this.mark[job] = 0;
    this.timerList[job] = NONE;
    this.estimateSeconds[job] = this.jobs.estimateSeconds[job];
  }

  close(job: number): void {
    this.state[job] = 0;
    this.jobs.remove(job);
  }

  private grow(): void {
    this.state = doubled(this.state);
    this.pool = doubled(this.pool);
    this.virtualPool = doubled(this.virtualPool);
    this.candidates = doubled(this.candidates);
    this.priority = doubled(this.priority);
    this.restarts = doubled(this.restarts);
    this.twin = doubled(this.twin);
    this.waitingSince = doubled(this.waitingSince);
    this.timerNext = doubled(this.timerNext);
    this.timerPrevious = doubled(this.timerPrevious);
    this.timerList = doubled(this.timerList);
    this.virtualStart = doubled(this.virtualStart);
    this.estimateSeconds = doubled(this.estimateSeconds);
    this.mark = doubled(this.mark);
  }
}
