import type { Jobs } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";
import type { WaitQueue } from "../../queue/wait-queue.ts";

/** The jobs that wait behind the first, in the order in which a pass tries them. */
export interface Candidates {
  /** A job begins to wait, or waits no more. */
  add?(job: number): void;
  remove?(job: number): void;
  /** Starts a pass over the jobs that wait behind `head`, the first that cannot start, at a time. */
  begin(head: number, now: number): void;
  /** The next job to try, or `NONE`. */
  next(): number;
  /** The job that `next` just gave finds no machine, nor does any other of its kind in this pass. */
  leaveOutKind?(): void;
  /**
   * The job that `next` just gave must not start, nor may any other of its kind
   * that will not have ended by a time, until the machines change.
   */
  leaveOutLong?(until: number): void;
  /** The job that `next` just gave starts. */
  started?(): void;
  /** What kept jobs out in earlier passes holds no more. */
  forget?(): void;
}

/**
 * The queue's own order, whatever it is: under fair share it changes with every
 * job that starts or ends, so nothing can be kept from one pass to the next.
 */
export class CandidatesOfQueue implements Candidates {
  private readonly queue: WaitQueue;
  private readonly mayFit: (job: number) => boolean;
  private readonly comesBefore: TryOrder | null;
  private readonly jobs: number[] = [];
  private place = 0;

  /** @param comesBefore null: as the queue has them */
  constructor(queue: WaitQueue, mayFit: (job: number) => boolean, comesBefore: TryOrder | null) {
    this.queue = queue;
    this.mayFit = mayFit;
    this.comesBefore = comesBefore;
  }

  /** The queue has just given the head. */
  begin(): void {
    const { queue, jobs, comesBefore } = this;
    jobs.length = 0;
    this.place = 0;
    for (let job = queue.next(); job !== NONE; job = queue.next()) if (this.mayFit(job)) jobs.push(job);
    if (comesBefore !== null) jobs.sort((one, other) => (comesBefore(one, other) ? -1 : 1));
  }

  next(): number {
    const { jobs } = this;
    while (this.place < jobs.length) {
      const job = jobs[this.place++];
      if (this.mayFit(job)) return job;
    }
    return NONE;
  }
}

/** Whether one job is tried before another; never both ways, and never of a job and itself. */
export type TryOrder = (one: number, other: number) => boolean;

/** In order of arrival. */
export function earliestFirst(jobs: Jobs): TryOrder {
  return (one, other) => jobs.arrival[one] < jobs.arrival[other];
}

/** By estimate, those without one last; equal ones in order of arrival. */
export function shortestFirst(jobs: Jobs): TryOrder {
  return (one, other) => {
    const { estimateSeconds, arrival } = jobs;
    const seconds = estimateSeconds[one];
    const otherSeconds = estimateSeconds[other];
    return seconds === otherSeconds ? arrival[one] < arrival[other] : seconds < otherSeconds;
  };
}
