import { doubleColumns } from "../arrays.ts";
import { Jobs } from "./jobs.ts";
import { NONE } from "../none.ts";
import { FREE, RUNNING, UNASSIGNED, WAITING } from "./job-states.ts";
import { StateCounts, transition } from "./transition.ts";

// How a pool counts the cores of a job that has machines.
/** The job holds them. */
export const HOLDING = 0;
/** They are given up and promised to others, but the job, which has been told to stop, still uses them. */
export const STOPPING = 1;
/** They are given up, since the job is suspended. */
export const STOPPED = 2;

/**
 * The jobs in the engine by handle. All pools share one table. Its columns hold what the engine knows of a job beyond
 * what a pool needs.
 */
export class EngineJobs {
  readonly jobs = new Jobs();
  /** Whether no job is ever suspended or moved, nor waits at its virtual pool. */
  readonly isPlain: boolean;
  /** The only pool, if every job is in that; null: there are others, or jobs that wait at virtual pools. */
  onlyPool: number | null;
  readonly counts: StateCounts;
  /** The largest number of waiting jobs at the start of a cycle. */
  waitingMax = 0;
  /** The jobs in the queue of the virtual pools. */
  unassigned = 0;
  /** See `job-states.ts`. Written by `transition.ts` alone, and so is `pool`. */
  state = new Uint8Array(1024);
  /** The pool where the job is, or is on its way to; `NONE` while it has none. */
  pool = new Int32Array(1024);
  virtualPool = new Int32Array(1024);
  /** The number of the list of pools that the job may go to. */
  candidates = new Int32Array(1024);
  /** The job's own priority; a higher one is more urgent. */
  priority = new Int32Array(1024);
  /** Counts up with every START. An outcome with another attempt's number is late. */
  attempt = new Int32Array(1024);
  /** How often the job may still start again after it was lost. */
  retriesLeft = new Int32Array(1024);
  /** How often it was moved. */
  restarts = new Int32Array(1024);
  /** The other attempt at the same job, or `NONE`. */
  twin = new Int32Array(1024).fill(NONE);
  /** While the job is being killed: why, and the pool that it goes to afterwards. */
  killReason = new Uint8Array(1024);
  killTarget = new Int32Array(1024);
  /** The serial number of a START or RESUME that was not read yet; 0 if there is none. */
  unread = new Float64Array(1024);
  /** The time before which a failed suspension or resumption of the job is not repeated, or it is spared. */
  retryAt = new Float64Array(1024);
  /** When the job was told to suspend or resume. */
  toldAt = new Float64Array(1024);
  /** How the books count its machines' cores: see `HOLDING`. */
  hold = new Uint8Array(1024);
  /**
   * 1: while it is suspended, or told to stop, it holds its memory. Noted when it is suspended, since its pool may
   * suspend in another way later, and what is stopped stays as it is.
   */
  keepsMemory = new Uint8Array(1024);
  /** Since when the job has been waiting where it is. */
  waitingSince = new Float64Array(1024);
  /** The job's neighbours in the list of timed jobs that it is in, and the number of that list. */
  timerNext = new Int32Array(1024);
  timerPrevious = new Int32Array(1024);
  timerList = new Int32Array(1024);
  /** When the job would have started if it had never been suspended; while it is suspended, the seconds that it ran. */
  virtualStart = new Float64Array(1024);
  /** The estimate of the whole run time at submission; `Jobs.estimateSeconds` is what is left of it. */
  estimateSeconds = new Float64Array(1024);
  /**
   * Counts up in each pool with every job that begins to run there, if jobs may be suspended; 0 while it does not run.
   */
  ranAs = new Float64Array(1024);
  /** What the current cycle has done with the job so far: see `CycleOutcome`. */
  mark = new Uint8Array(1024);

  /** @param hasQueue whether jobs may wait at virtual pools */
  constructor(isPlain: boolean, pools: number, hasQueue: boolean) {
    this.isPlain = isPlain;
    this.onlyPool = pools === 1 && !hasQueue ? 0 : null;
    this.counts = new StateCounts(pools);
  }

  /** The jobs that wait, in pools and at virtual pools. */
  get waiting(): number {
    return this.counts.of(WAITING) + this.counts.of(UNASSIGNED);
  }

  /** Makes room for a new handle and clears its row. */
  open(job: number): void {
    while (job >= this.state.length) this.grow();
    this.attempt[job] = 0;
    this.retriesLeft[job] = 0;
    this.unread[job] = 0;
    this.estimateSeconds[job] = this.jobs.estimateSeconds[job];
    // Every column costs a cache line: clearing those that are not in use took a tenth of a run of millions of jobs.
    if (this.isPlain) return;
    this.restarts[job] = 0;
    this.twin[job] = NONE;
    this.retryAt[job] = -Infinity;
    this.mark[job] = 0;
    this.ranAs[job] = 0;
    this.hold[job] = HOLDING;
    this.keepsMemory[job] = 0;
    this.timerList[job] = NONE;
  }

  close(job: number): void {
    // Decisions about it that were not read are void. About a running job there are none, and its column is out of the
    // processor's cache when it ends.
    if (this.state[job] !== RUNNING) this.unread[job] = 0;
    transition(this, job, FREE);
    this.jobs.remove(job);
  }

  private grow(): void {
    const { length } = this.twin;
    doubleColumns(this);
    this.twin.fill(NONE, length);
  }
}
