import { IntList } from "../int-list.ts";
import type { EngineJobs } from "../jobs/engine-jobs.ts";

// What the current cycle has done with a job so far: `EngineJobs.mark`. 0: nothing.
const STARTED = 1;
const SUSPENDED = 2;
const RESUMED = 3;

/**
 * What the last cycle of a pool has done with jobs. While the cycle goes on, a later step may undo an earlier one: a
 * job that was started and then taken off its machine is in none of the lists.
 */
export class CycleOutcome {
  readonly started = new IntList();
  readonly suspended = new IntList();
  readonly resumed = new IntList();
  private readonly jobs: EngineJobs;

  constructor(jobs: EngineJobs) {
    this.jobs = jobs;
  }

  /** Whether a job began to run or runs again. */
  get hasStarts(): boolean {
    return this.started.length + this.resumed.length > 0;
  }

  begin(): void {
    this.started.clear();
    this.suspended.clear();
    this.resumed.clear();
  }

  /** The cycle is over: nothing of it is undone any more. */
  end(): void {
    this.unmark(this.started);
    this.unmark(this.suspended);
    this.unmark(this.resumed);
  }

  /** @param canBeUndone whether a later step may suspend the job */
  start(job: number, canBeUndone: boolean): void {
    this.started.add(job);
    if (canBeUndone) this.jobs.mark[job] = STARTED;
  }

  /** Takes back a start of this cycle. Returns false if the cycle did not start the job. */
  undoStart(job: number): boolean {
    return this.undo(job, STARTED, this.started);
  }

  /** Returns false if the cycle had resumed the job: that is undone, and the driver is told nothing. */
  suspend(job: number): boolean {
    if (this.undo(job, RESUMED, this.resumed)) return false;
    this.suspended.add(job);
    this.jobs.mark[job] = SUSPENDED;
    return true;
  }

  /** Returns false if the cycle had suspended the job: that is undone, and the driver is told nothing. */
  resume(job: number): boolean {
    if (this.undo(job, SUSPENDED, this.suspended)) return false;
    this.resumed.add(job);
    this.jobs.mark[job] = RESUMED;
    return true;
  }

  private unmark({ values, length }: IntList): void {
    const { mark } = this.jobs;
    for (let i = 0; i < length; i++) mark[values[i]] = 0;
  }

  private undo(job: number, what: number, list: IntList): boolean {
    const { mark } = this.jobs;
    if (mark[job] !== what) return false;
    mark[job] = 0;
    list.remove(job);
    return true;
  }
}
