import type { Jobs } from "../jobs/jobs.ts";
import { NONE } from "../none.ts";
import { ArrivalQueue } from "../queue/arrival-queue.ts";
import type { WaitQueue } from "../queue/wait-queue.ts";

/**
 * Arrival order with a queue for each family, so that a pass can skip the rest of a family. On a saturated farm that
 * reserves nodes nearly all waiting jobs, hundreds of thousands, are ordinary ones without a machine; a pass that came
 * to each of them on its way to the next packed job took a thousand times as long.
 */
class FamilyQueue implements WaitQueue {
  readonly isByArrival = true;
  private readonly jobs: Jobs;
  private readonly queues: readonly ArrivalQueue[];
  /** By family: the pass's next job; `NONE` if there is none or the family is skipped. */
  private readonly heads: Int32Array;

  constructor(jobs: Jobs, families: number) {
    this.jobs = jobs;
    this.queues = Array.from({ length: families + 1 }, () => new ArrivalQueue(jobs));
    this.heads = new Int32Array(families + 1);
  }

  get length(): number {
    let length = 0;
    for (const queue of this.queues) length += queue.length;
    return length;
  }

  add(job: number): void {
    this.queues[this.jobs.familyOf(job)].add(job);
  }

  remove(job: number): void {
    this.queues[this.jobs.familyOf(job)].remove(job);
  }

  begin(): void {
    const { queues, heads } = this;
    for (let family = 0; family < queues.length; family++) {
      queues[family].begin();
      heads[family] = queues[family].next();
    }
  }

  next(): number {
    const { queues, heads } = this;
    const { arrival } = this.jobs;
    let first = NONE;
    let of = 0;
    for (let family = 0; family < heads.length; family++) {
      const job = heads[family];
      if (job === NONE || (first !== NONE && arrival[job] > arrival[first])) continue;
      first = job;
      of = family;
    }
    if (first !== NONE) heads[of] = queues[of].next();
    return first;
  }

  leaveOut(job: number): void {
    this.heads[this.jobs.familyOf(job)] = NONE;
  }

  placed(): void {}
  started(): void {}
  finished(): void {}
}

/** @param families the number of families, 0 if jobs are not packed */
export function queueByArrival(jobs: Jobs, families: number): WaitQueue {
  return families === 0 ? new ArrivalQueue(jobs) : new FamilyQueue(jobs, families);
}
