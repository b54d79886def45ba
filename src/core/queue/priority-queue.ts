import type { Jobs } from "../jobs/jobs.ts";
import { WaitingKinds } from "../jobs/waiting-kinds.ts";
import { NONE } from "../none.ts";
import { ArrivalQueue } from "./arrival-queue.ts";
import type { WaitQueue } from "./wait-queue.ts";

/** The more urgent class first; within a class, by arrival. */
export class PriorityQueue implements WaitQueue {
  readonly isByArrival = false;
  length = 0;
  readonly classCount: number;
  private readonly jobs: Jobs;
  /** A job's class, waiting or not. */
  readonly classOf: (job: number) => number;
  /** By class: made when a job of that class first waits. */
  private readonly queues: (ArrivalQueue | undefined)[];
  private readonly kinds: (WaitingKinds | undefined)[];
  private cursor = 0;

  /**
   * @param classCount the number of classes: all are below it, and a higher one is more urgent
   * @param classOf a job's class; must stay the same while it waits
   */
  constructor(jobs: Jobs, classCount: number, classOf: (job: number) => number) {
    this.jobs = jobs;
    this.classCount = classCount;
    this.classOf = classOf;
    this.queues = Array.from({ length: classCount });
    this.kinds = Array.from({ length: classCount });
  }

  add(job: number): void {
    const level = this.classOf(job);
    (this.queues[level] ??= new ArrivalQueue(this.jobs)).add(job);
    (this.kinds[level] ??= new WaitingKinds()).wait(this.jobs.kind[job]);
    this.length++;
  }

  remove(job: number): void {
    const level = this.classOf(job);
    this.queues[level]!.remove(job);
    this.kinds[level]!.leave(this.jobs.kind[job]);
    this.length--;
  }

  begin(): void {
    this.cursor = this.classCount;
    this.nextClass();
  }

  next(): number {
    while (this.cursor >= 0) {
      const job = this.queues[this.cursor]!.next();
      if (job !== NONE) return job;
      this.nextClass();
    }
    return NONE;
  }

  placed(): void {}
  started(): void {}
  finished(): void {}

  /** The jobs of one class, in order; undefined if none has ever waited. */
  ofClass(level: number): ArrivalQueue | undefined {
    return this.queues[level];
  }

  /** The kinds of request that wait in a class. */
  kindsOfClass(level: number): WaitingKinds | undefined {
    return this.kinds[level];
  }

  /** Moves the cursor down to the next class with a waiting job. */
  private nextClass(): void {
    do this.cursor--;
    while (this.cursor >= 0 && (this.queues[this.cursor]?.length ?? 0) === 0);
    if (this.cursor >= 0) this.queues[this.cursor]!.begin();
  }
}
