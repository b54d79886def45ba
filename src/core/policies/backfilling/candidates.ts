import type { Jobs } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";
import type { PolicyContext } from "../../pool/policy.ts";
import type { WaitQueue } from "../../queue/wait-queue.ts";
import type { CycleNotes } from "../../reasons/cycle-notes.ts";

/** The jobs behind the first waiting job, in the order in which a pass tries them. */
export interface Candidates {
  /** A job begins to wait, or stops. */
  add?(job: number): void;
  remove?(job: number): void;
  /** Starts a pass at a time. `head` is the first job that cannot start; the pass tries the jobs behind it. */
  begin(head: number, now: number): void;
  /** The next job to try, or `NONE`. */
  next(): number;
  /** Whether the pass would try one waiting job before another; while jobs are asked about, and after `begin`. */
  comesBefore: TryOrder;
  /** The job that `next` returned found no machine, and neither will others of its kind in this pass. */
  leaveOutKind?(): void;
  /**
   * The job that `next` returned must not start, and neither must others of its kind that would end after `until`,
   * until the machines change.
   */
  leaveOutLong?(until: number): void;
  /** The job that `next` returned starts. */
  started?(): void;
  /** The reasons that kept jobs out in earlier passes no longer hold. */
  forget?(): void;
}

/**
 * The queue's own order. Under fair share it changes with every job that starts or ends, so nothing can be kept from
 * one pass to the next.
 */
export class CandidatesOfQueue implements Candidates {
  private readonly jobs: Jobs;
  private readonly queue: WaitQueue;
  private readonly notes: CycleNotes;
  private readonly mayFit: (kind: number) => boolean;
  private readonly order: TryOrder | null;
  private readonly found: number[] = [];
  /** All behind the head, in the queue's order, while somebody asks why jobs wait. */
  private readonly queued: number[] = [];
  private places: Map<number, number> | null = null;
  private place = 0;

  /** @param order null for the queue's own order */
  constructor(
    { jobs, queue, notes }: Pick<PolicyContext, "jobs" | "queue" | "notes">,
    mayFit: (kind: number) => boolean,
    order: TryOrder | null,
  ) {
    this.jobs = jobs;
    this.queue = queue;
    this.notes = notes;
    this.mayFit = mayFit;
    this.order = order;
  }

  /** The queue has just returned the head. */
  begin(): void {
    const { jobs, queue, found, queued, order } = this;
    found.length = queued.length = 0;
    this.places = null;
    this.place = 0;
    const { isAsked } = this.notes;
    for (let job = queue.next(); job !== NONE; job = queue.next()) {
      if (isAsked) queued.push(job);
      if (this.mayFit(jobs.kind[job])) found.push(job);
    }
    if (order !== null) found.sort((one, other) => (order(one, other) ? -1 : 1));
  }

  comesBefore(one: number, other: number): boolean {
    if (this.order !== null) return this.order(one, other);
    const places = (this.places ??= new Map(this.queued.map((job, place) => [job, place])));
    // Jobs that are not behind the head come before it.
    return (places.get(one) ?? -1) < (places.get(other) ?? -1);
  }

  next(): number {
    const { jobs, found } = this;
    while (this.place < found.length) {
      const job = found[this.place++];
      if (this.mayFit(jobs.kind[job])) return job;
    }
    return NONE;
  }
}

/** Whether one job is tried before another: a strict order. */
export type TryOrder = (one: number, other: number) => boolean;

/** In order of arrival. */
export function earliestFirst(jobs: Jobs): TryOrder {
  return (one, other) => jobs.arrival[one] < jobs.arrival[other];
}

/** By estimate, with unknown ones last; equal ones in order of arrival. */
export function shortestFirst(jobs: Jobs): TryOrder {
  return (one, other) => {
    const { estimateSeconds, arrival } = jobs;
    const seconds = estimateSeconds[one];
    const otherSeconds = estimateSeconds[other];
    return seconds === otherSeconds ? arrival[one] < arrival[other] : seconds < otherSeconds;
  };
}
