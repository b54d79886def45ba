import { NONE } from "../none.ts";
import type { Jobs } from "../jobs/jobs.ts";

/** Jobs in order of arrival: a list linked through the job table. A job is in one list at a time. */
export class JobList {
  first = NONE;
  private last = NONE;
  private readonly jobs: Jobs;

  constructor(jobs: Jobs) {
    this.jobs = jobs;
  }

  /** Inserts a job by its arrival: nearly always last; one that could not be started goes back to its place. */
  add(job: number): void {
    const { arrival, next, previous } = this.jobs;
    let before = this.last;
    while (before !== NONE && arrival[before] > arrival[job]) before = previous[before];
    const after = before === NONE ? this.first : next[before];
    previous[job] = before;
    next[job] = after;
    if (before === NONE) this.first = job;
    else next[before] = job;
    if (after === NONE) this.last = job;
    else previous[after] = job;
  }

  remove(job: number): void {
    const { next, previous } = this.jobs;
    const before = previous[job];
    const after = next[job];
    if (before === NONE) this.first = after;
    else next[before] = after;
    if (after === NONE) this.last = before;
    else previous[after] = before;
  }
}
