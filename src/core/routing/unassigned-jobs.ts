import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { UNASSIGNED } from "../jobs/job-states.ts";
import { NONE } from "../none.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";

/** All numbers of kinds of request are below this. */
const KINDS = 2 ** 26;

/**
 * The queue of the virtual pools (Zhang 2010, section 2.1): jobs for which no candidate pool has room, the more urgent
 * first, then by arrival. It is one for all virtual pools, so that none of them comes before another.
 *
 * Jobs that ask for the same and may go to the same pools are alike. When a pool cannot take one of them it can take
 * none, so a pass ends as soon as one of each was refused.
 */
export class UnassignedJobs {
  private readonly jobs: EngineJobs;
  private readonly queue: PriorityQueue;
  private readonly lists: number;
  /** The number of jobs that are alike, by what they have in common. */
  private readonly alike = new Map<number, number>();
  private readonly refused = new Set<number>();

  /**
   * @param priorities the number of priorities: all are below it
   * @param lists the number of lists of candidates
   */
  constructor(jobs: EngineJobs, priorities: number, lists: number) {
    this.jobs = jobs;
    this.queue = new PriorityQueue(jobs.jobs, priorities, (job) => jobs.priority[job]);
    this.lists = lists;
  }

  add(job: number): void {
    const { jobs, alike } = this;
    const key = this.keyOf(job);
    jobs.state[job] = UNASSIGNED;
    jobs.pool[job] = NONE;
    this.queue.add(job);
    alike.set(key, (alike.get(key) ?? 0) + 1);
    jobs.waiting++;
    jobs.unassigned++;
  }

  remove(job: number): void {
    const { jobs, alike } = this;
    const key = this.keyOf(job);
    const left = alike.get(key)! - 1;
    this.queue.remove(job);
    if (left === 0) alike.delete(key);
    else alike.set(key, left);
    jobs.waiting--;
    jobs.unassigned--;
  }

  /** Offers the jobs to a pool in order, until it has refused one of each. `offer` removes those that it accepts. */
  pass(offer: (job: number) => boolean): void {
    const { queue, refused, alike } = this;
    refused.clear();
    queue.begin();
    for (let job = queue.next(); job !== NONE; job = queue.next()) {
      const key = this.keyOf(job);
      if (refused.has(key) || offer(job)) continue;
      refused.add(key);
      if (refused.size === alike.size) return;
    }
  }

  /** What alike jobs have in common: the virtual pool, the list of candidates and the kind of request. */
  private keyOf(job: number): number {
    const { virtualPool, candidates, jobs } = this.jobs;
    return (virtualPool[job] * this.lists + candidates[job]) * KINDS + jobs.kind[job];
  }
}
