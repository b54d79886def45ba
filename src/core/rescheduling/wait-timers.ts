import { NONE } from "../none.ts";
import type { EngineJobs } from "../jobs/engine-jobs.ts";

/** The list of jobs that have not waited too long yet; the pools' lists of overdue jobs follow. */
const PENDING = 0;

/**
 * How long jobs have been waiting where they are. Time never goes back, so the jobs are listed in the order in which
 * they become overdue, and a check costs what has become overdue, not what waits. Overdue jobs that were reconsidered
 * and stayed are kept by pool.
 */
export class WaitTimers {
  private readonly jobs: EngineJobs;
  private readonly first: Int32Array;
  private readonly last: Int32Array;
  private overdue = 0;

  constructor(jobs: EngineJobs, pools: number) {
    this.jobs = jobs;
    this.first = new Int32Array(pools + 1).fill(NONE);
    this.last = new Int32Array(pools + 1).fill(NONE);
  }

  /** Starts the timer of a job that begins to wait. */
  start(job: number, now: number): void {
    this.jobs.waitingSince[job] = now;
    this.append(job, PENDING);
  }

  /** Stops the timer of a job. */
  stop(job: number): void {
    const { timerList, timerNext, timerPrevious } = this.jobs;
    const list = timerList[job];
    if (list === NONE) return;
    const before = timerPrevious[job];
    const after = timerNext[job];
    if (before === NONE) this.first[list] = after;
    else timerNext[before] = after;
    if (after === NONE) this.last[list] = before;
    else timerPrevious[after] = before;
    timerList[job] = NONE;
    if (list !== PENDING) this.overdue--;
  }

  /** The job was reconsidered and stays. From now on it is reconsidered at every check. */
  keepAsking(job: number): void {
    this.stop(job);
    this.append(job, 1 + this.jobs.pool[job]);
    this.overdue++;
  }

  /** Since when the first job that is not overdue yet has been waiting; `Infinity` if there is none. */
  get firstSince(): number {
    const job = this.first[PENDING];
    return job === NONE ? Infinity : this.jobs.waitingSince[job];
  }

  get firstPending(): number {
    return this.first[PENDING];
  }

  get hasOverdue(): boolean {
    return this.overdue > 0;
  }

  /** The overdue job of a pool that has waited longest, or `NONE`. */
  firstOverdueIn(pool: number): number {
    return this.first[1 + pool];
  }

  /** The overdue job of the same pool that has waited longest after this one, or `NONE`. */
  after(job: number): number {
    return this.jobs.timerNext[job];
  }

  /** The jobs that are not overdue yet, then by pool the overdue ones. */
  save(placeOf: (job: number) => number): Int32Array[] {
    return Array.from(this.first, (first) => {
      const places: number[] = [];
      for (let job = first; job !== NONE; job = this.jobs.timerNext[job]) places.push(placeOf(job));
      return Int32Array.from(places);
    });
  }

  load(lists: readonly Iterable<number>[]): void {
    lists.forEach((jobs, list) => {
      for (const job of jobs) {
        this.stop(job);
        this.append(job, list);
        if (list !== PENDING) this.overdue++;
      }
    });
  }

  private append(job: number, list: number): void {
    const { timerList, timerNext, timerPrevious } = this.jobs;
    const before = this.last[list];
    timerList[job] = list;
    timerPrevious[job] = before;
    timerNext[job] = NONE;
    if (before === NONE) this.first[list] = job;
    else timerNext[before] = job;
    this.last[list] = job;
  }
}
