import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { UNASSIGNED } from "../jobs/job-states.ts";
import { go } from "../jobs/transition.ts";
import { NONE } from "../none.ts";
import { ArrivalQueue } from "../queue/arrival-queue.ts";

/** All numbers of kinds of request are below this. */
const KINDS = 2 ** 26;
/** The first length of a queue of like jobs: there may be as many queues as kinds of request. */
const FEW = 16;

/**
 * The queue of the virtual pools (Zhang 2010, section 2.1): jobs for which no candidate pool has room, the more urgent
 * first, then by arrival. It is one for all virtual pools, so that none of them comes before another.
 *
 * Jobs of one priority that ask for the same and may go to the same pools are alike: a pool that cannot take the first
 * of them can take none. So they have a queue of their own, and a pass looks at the first of each. One queue for all
 * would be walked over to its end whenever a pool has room that no job fits.
 */
export class UnassignedJobs {
  private readonly jobs: EngineJobs;
  private readonly lists: number;
  private readonly virtualPools: number;
  /** The jobs by what they have in common. No queue is empty. */
  private readonly queues = new Map<number, ArrivalQueue>();

  /** @param lists the number of lists of candidates */
  constructor(jobs: EngineJobs, virtualPools: number, lists: number) {
    this.jobs = jobs;
    this.virtualPools = virtualPools;
    this.lists = lists;
  }

  add(job: number): void {
    const { jobs, queues } = this;
    const key = this.keyOf(job);
    go(jobs, job, UNASSIGNED, NONE);
    let queue = queues.get(key);
    if (queue === undefined) queues.set(key, (queue = new ArrivalQueue(jobs.jobs, FEW)));
    queue.add(job);
    jobs.unassigned++;
  }

  remove(job: number): void {
    const { jobs, queues } = this;
    const key = this.keyOf(job);
    const queue = queues.get(key)!;
    queue.remove(job);
    if (queue.length === 0) queues.delete(key);
    jobs.unassigned--;
  }

  /** Offers the jobs to a pool in order. `take` is called for those that it can take, and removes them from here. */
  pass(canTake: (job: number) => boolean, take: (job: number) => void): void {
    const open = [...this.queues.values()].filter((queue) => canTake(queue.first()));
    while (open.length > 0) {
      let best = 0;
      for (let i = 1; i < open.length; i++)
        if (this.comesBefore(open[i].first(), open[best].first())) best = i;
      const queue = open[best];
      const job = queue.first();
      const isTaken = canTake(job);
      if (isTaken) take(job);
      if (!isTaken || queue.length === 0) {
        open[best] = open[open.length - 1];
        open.pop();
      }
    }
  }

  private comesBefore(a: number, b: number): boolean {
    const { priority, jobs } = this.jobs;
    return priority[a] === priority[b] ? jobs.arrival[a] < jobs.arrival[b] : priority[a] > priority[b];
  }

  /** What like jobs have in common: priority, virtual pool, list of candidates and kind of request. */
  private keyOf(job: number): number {
    const { priority, virtualPool, candidates, jobs } = this.jobs;
    const place = (priority[job] * this.virtualPools + virtualPool[job]) * this.lists + candidates[job];
    return place * KINDS + jobs.kind[job];
  }
}
