import { doubled } from "../../arrays.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";
import type { WaitQueue } from "../../queue/wait-queue.ts";
import type { PromisesByKind } from "./promises-by-kind.ts";

/** The order in which a pass promises the waiting jobs their times. */
export interface PromiseOrder {
  /** Starts a pass. */
  begin(): PromiseWalk;
  /** Starts a walk over the jobs that the pass has left out so far, up to the one it returned last. */
  beginLeftOut(): PromiseWalk;
}

/** A walk over waiting jobs in the order in which they are promised their times. */
export interface PromiseWalk {
  /** Whether the walk has left jobs out. */
  readonly hasLeftOut: boolean;
  /**
   * The job to promise next, or `NONE`; the same until it is promised or left out. Leaves out those that are known to
   * be late.
   */
  next(known: PromisesByKind): number;
  promised(): void;
  leaveOut(): void;
}

/** The queue's own order, and a walk over the waiting jobs in it. */
export class QueueOrder implements PromiseOrder, PromiseWalk {
  private readonly jobs: Jobs;
  private readonly queue: WaitQueue;
  private readonly leftOut: LeftOutJobs;
  private given = NONE;

  constructor(jobs: Jobs, queue: WaitQueue) {
    this.jobs = jobs;
    this.queue = queue;
    this.leftOut = new LeftOutJobs(jobs);
  }

  begin(): PromiseWalk {
    this.queue.begin();
    this.given = NONE;
    this.leftOut.clear();
    return this;
  }

  beginLeftOut(): PromiseWalk {
    this.leftOut.begin();
    return this.leftOut;
  }

  get hasLeftOut(): boolean {
    return this.leftOut.length > 0;
  }

  next(known: PromisesByKind): number {
    const { queue, leftOut } = this;
    const { kind, estimateSeconds } = this.jobs;
    if (this.given !== NONE) return this.given;
    let job = queue.next();
    while (job !== NONE && known.isLate(kind[job], estimateSeconds[job])) {
      leftOut.push(job);
      job = queue.next();
    }
    return (this.given = job);
  }

  promised(): void {
    this.given = NONE;
  }

  leaveOut(): void {
    this.leftOut.push(this.given);
    this.given = NONE;
  }
}

/** The jobs that a walk over a queue has left out. A walk over them leaves out those that it does not promise. */
class LeftOutJobs implements PromiseWalk {
  length = 0;
  hasLeftOut = false;
  private readonly jobs: Jobs;
  private list = new Int32Array(1024);
  private place = 0;

  constructor(jobs: Jobs) {
    this.jobs = jobs;
  }

  clear(): void {
    this.length = 0;
  }

  push(job: number): void {
    if (this.length === this.list.length) this.list = doubled(this.list);
    this.list[this.length++] = job;
  }

  begin(): void {
    const { list, length } = this;
    let kept = 0;
    for (let place = 0; place < length; place++) if (list[place] !== NONE) list[kept++] = list[place];
    this.length = kept;
    this.place = 0;
    this.hasLeftOut = false;
  }

  next(known: PromisesByKind): number {
    const { list, length } = this;
    const { kind, estimateSeconds } = this.jobs;
    for (; this.place < length; this.place++) {
      const job = list[this.place];
      if (!known.isLate(kind[job], estimateSeconds[job])) return job;
      this.hasLeftOut = true;
    }
    return NONE;
  }

  promised(): void {
    this.list[this.place++] = NONE;
  }

  leaveOut(): void {
    this.place++;
    this.hasLeftOut = true;
  }
}
