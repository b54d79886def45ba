import { NONE } from "../matching/heuristic.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { JobList } from "./job-list.ts";
import type { WaitQueue } from "./wait-queue.ts";

/** Plain arrival order: fair share off (Shai 2014, section 6 skips it). */
export class ArrivalQueue implements WaitQueue {
  length = 0;
  private readonly jobs: Jobs;
  private readonly list: JobList;
  private cursor = NONE;

  constructor(jobs: Jobs) {
    this.jobs = jobs;
    this.list = new JobList(jobs);
  }

  add(job: number): void {
    this.list.add(job);
    this.length++;
  }

  remove(job: number): void {
    this.list.remove(job);
    this.length--;
  }

  begin(): void {
    this.cursor = this.list.first;
  }

  next(): number {
    const job = this.cursor;
    if (job !== NONE) this.cursor = this.jobs.next[job];
    return job;
  }

  placed(): void {}
  started(): void {}
  finished(): void {}
}
