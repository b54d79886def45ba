import { doubleColumns } from "../arrays.ts";
import { Handles } from "../handles.ts";
import { NONE } from "../none.ts";
import { RequestKinds, type KindRequest } from "./request-kinds.ts";

/** What a job asks for: all that is needed to schedule it, but not how long it really runs. */
export interface JobRequest extends KindRequest {
  /** The number of the share-tree leaf that its use counts against; 0 without fair share. */
  project: number;
  /** The number of the heuristic that the job names, or `NONE` for the pool's. */
  heuristic: number;
  /** The estimated run time in seconds; null, or infinite: it is unknown. Only backfilling uses it. */
  estimateSeconds: number | null;
}

/** What one task of a job asks for: see `KindRequest`. */
export type JobSize = Pick<KindRequest, "cores" | "memory" | "gpu">;

/**
 * The jobs in the pool, waiting or running, by handle.
 *
 * A handle is given at submission and taken back when the job leaves, so the table is as large as the most jobs ever in
 * the pool at one time, however many passed through it.
 */
export class Jobs {
  /** The kind of the job's request, 1 or more: see `RequestKinds`. */
  kind = new Int32Array(1024);
  project = new Int32Array(1024);
  heuristic = new Int32Array(1024);
  estimateSeconds = new Float64Array(1024);
  /** When the job is expected to end. Set when the job is placed, by policies that plan with it. */
  estimatedEnd = new Float64Array(1024);
  /** When the job was submitted. */
  submittedAt = new Float64Array(1024);
  /** Counts up with every submission; defines the order of arrival. */
  arrival = new Float64Array(1024);
  /** The job's neighbours in a list of waiting jobs. */
  next = new Int32Array(1024);
  previous = new Int32Array(1024);
  /** The position of a waiting job in its queue. */
  place = new Int32Array(1024);
  /** The first entry of the job's placement; `NONE` while it waits. */
  placement = new Int32Array(1024);
  readonly kinds: RequestKinds;
  private readonly handles = new Handles(1024);
  arrivals = 0;

  constructor(kinds = new RequestKinds()) {
    this.kinds = kinds;
  }

  /** All handles are below this number. Drivers size their own columns by it. */
  get capacity(): number {
    return this.kind.length;
  }

  get count(): number {
    return this.handles.count;
  }

  /** @param now when it is submitted, for policies that go by it */
  add(request: JobRequest, now = 0): number {
    if (this.handles.isFull) this.grow();
    const job = this.handles.take();
    this.kind[job] = this.kinds.take(request);
    this.project[job] = request.project;
    this.heuristic[job] = request.heuristic;
    this.estimateSeconds[job] = request.estimateSeconds ?? Infinity;
    this.estimatedEnd[job] = Infinity;
    this.submittedAt[job] = now;
    this.arrival[job] = this.arrivals++;
    this.placement[job] = NONE;
    return job;
  }

  /** Makes the job the last arrival, since it joins another queue. */
  arriveAgain(job: number): void {
    this.arrival[job] = this.arrivals++;
  }

  remove(job: number): void {
    const kind = this.kind[job];
    // Exclusions name a job by its arrival; without one, those left of this job match no other.
    if (this.kinds.exclusion[kind] !== 0) this.arrival[job] = NONE;
    this.kinds.give(kind);
    this.handles.give(job);
  }

  /**
   * Gives a job a kind of its own, or takes that back: what is known of other jobs with the same request does not hold
   * for one that may not use all of their machines. The job must not be waiting, since queues know it by its kind.
   */
  exclude(job: number, isExcluded: boolean): void {
    if (isExcluded === (this.exclusionOf(job) !== 0)) return;
    const before = this.kind[job];
    this.kind[job] = this.kinds.take(this.kinds.request(before), isExcluded ? job + 1 : 0);
    this.kinds.give(before);
  }

  /** Changes what a job asks for. As for `exclude`, it must not be waiting. */
  setRequest(job: number, request: KindRequest): void {
    const before = this.kind[job];
    this.kind[job] = this.kinds.take(request, this.kinds.exclusion[before]);
    this.kinds.give(before);
  }

  /** Whether a condition would hold if the job asked for this. The job stays as it is, and may be waiting. */
  wouldHoldWith(job: number, request: KindRequest, condition: () => boolean): boolean {
    const before = this.kind[job];
    const other = this.kinds.take(request, this.kinds.exclusion[before]);
    this.kind[job] = other;
    const answer = condition();
    this.kind[job] = before;
    this.kinds.give(other);
    return answer;
  }

  // The job's request: see `KindRequest`. Kept by kind, because the kinds are few and stay in the processor's caches,
  // while the columns of a hundred thousand running jobs do not.

  coresOf(job: number): number {
    return this.kinds.cores[this.kind[job]];
  }

  memoryOf(job: number): number {
    return this.kinds.memory[this.kind[job]];
  }

  gpuOf(job: number): number {
    return this.kinds.gpu[this.kind[job]];
  }

  tasksOf(job: number): number {
    return this.kinds.tasks[this.kind[job]];
  }

  requirementOf(job: number): number {
    return this.kinds.requirement[this.kind[job]];
  }

  ownerOf(job: number): number {
    return this.kinds.owner[this.kind[job]];
  }

  familyOf(job: number): number {
    return this.kinds.family[this.kind[job]];
  }

  /** Not 0 for a job that must not use some machines for a while: see `exclude`. */
  exclusionOf(job: number): number {
    return this.kinds.exclusion[this.kind[job]];
  }

  private grow(): void {
    doubleColumns(this);
    this.handles.double();
  }
}
