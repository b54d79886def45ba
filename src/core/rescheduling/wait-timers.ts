import { NONE } from "../none.ts";
import type { EngineJobs } from "../jobs/engine-jobs.ts";

/** The list of the jobs whose time has not come; the pools' lists of overdue jobs follow. */
const PENDING = 0;

/**
 * How long waiting jobs have waited where they are. Time only goes on, so the jobs
 * stand in the order in which their time comes, and a look at them costs what has
 * come due, not what waits. Those that were asked and stayed are kept by pool.
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

  /** A job begins to wait. */
  start(job: number, now: number): void {
    this.jobs.waitingSince[job] = now;
    this.append(job, PENDING);
  }

  /** A job waits no more, or is timed no more. */
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

  /** It was asked, and is to be asked at every look. */
  keepAsking(job: number): void {
    this.stop(job);
    this.append(job, 1 + this.jobs.pool[job]);
    this.overdue++;
  }

  /** Since when the first of those that were not asked yet has been waiting; `Infinity` where there is none. */
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

  /** The overdue jobs of a pool, those that have waited longest first. */
  overdueIn(pool: number): number[] {
    const jobs: number[] = [];
    for (let job = this.first[1 + pool]; job !== NONE; job = this.jobs.timerNext[job]) jobs.push(job);
    return jobs;
  }

  /** The lists of jobs, for a snapshot: those whose time has not come, then by pool the overdue ones. */
  get lists(): number[][] {
    return Array.from(this.first, (first) => {
      const jobs: number[] = [];
      for (let job = first; job !== NONE; job = this.jobs.timerNext[job]) jobs.push(job);
      return jobs;
    });
  }

  set lists(lists: readonly (readonly number[])[]) {
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
