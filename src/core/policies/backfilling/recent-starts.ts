import type { Jobs } from "../../jobs/jobs.ts";

/**
 * The jobs that have started at the present time. A start may be undone in the cycle that made it: the job makes room
 * for another, and goes on waiting as if it had not been touched.
 */
export class RecentStarts {
  private readonly jobs: Jobs;
  private now = -Infinity;
  /** By job: its arrival, since its handle may have gone to another job. */
  private readonly arrivals = new Map<number, number>();

  constructor(jobs: Jobs) {
    this.jobs = jobs;
  }

  /** A pass begins. */
  begin(now: number): void {
    if (now !== this.now) this.arrivals.clear();
    this.now = now;
  }

  add(job: number): void {
    this.arrivals.set(job, this.jobs.arrival[job]);
  }

  /** A job waits. Returns whether that undoes its start. */
  undo(job: number): boolean {
    const arrival = this.arrivals.get(job);
    this.arrivals.delete(job);
    return arrival === this.jobs.arrival[job];
  }
}
