import { doubled } from "../arrays.ts";
import { Handles } from "../handles.ts";
import { NONE } from "../none.ts";
import { RequestKinds } from "./request-kinds.ts";

/** What a job asks for. Everything it needs to be scheduled; nothing about how long it really runs. */
export interface JobRequest {
  /** Thousandths of a core, MiB and thousandths of a GPU that one task asks for. */
  cores: number;
  memory: number;
  gpu: number;
  /** Tasks that start together, each on any machine where it fits. */
  tasks: number;
  /** Number of the share-tree leaf that its use counts against; 0 where there is no fair share. */
  project: number;
  /** Number of the family that the job is packed with; 0, or absent: an ordinary job. */
  family?: number;
  /** Number of the heuristic that the job names for itself, or `NONE`: the pool's. */
  heuristic: number;
  /** How long it is expected to run, in seconds; only backfilling asks. */
  estimateSeconds: number;
  /** Number of the requirement that its machines must meet; 0, or absent: none. */
  requirement?: number;
  /** Number of the group that it belongs to, where that owns machines; 0, or absent: none that does. */
  owner?: number;
}

/**
 * The jobs that are in the pool, waiting or running, by handle.
 *
 * A handle is given at submission and taken back when the job leaves, so the
 * table is as large as the most jobs ever in the pool at one time, however many
 * passed through it.
 */
export class Jobs {
  cores: Int32Array;
  memory: Int32Array;
  gpu: Int32Array;
  tasks: Int32Array;
  /** 1 or more; equal for jobs that ask for the same: see `RequestKinds`. */
  kind: Int32Array;
  project: Int32Array;
  family: Int32Array;
  heuristic: Int32Array;
  requirement: Int32Array;
  owner: Int32Array;
  /** Not 0 for a job that may not use some machines for a while: see `exclude`. */
  exclusion: Int32Array;
  estimateSeconds: Float64Array;
  /** When the job is expected to end; a policy that plans with it sets it as it places the job. */
  estimatedEnd: Float64Array;
  /** Counts up with every submission: what arrival order means. */
  arrival: Float64Array;
  /** Neighbours in a list of waiting jobs. */
  next: Int32Array;
  previous: Int32Array;
  /** Where a waiting job stands in its queue. */
  place: Int32Array;
  /** First entry of the job's placement, `NONE` while it waits. */
  placement: Int32Array;
  readonly kinds: RequestKinds;
  private readonly handles: Handles;
  arrivals = 0;

  constructor(kinds = new RequestKinds()) {
    const capacity = 1024;
    this.kinds = kinds;
    this.cores = new Int32Array(capacity);
    this.memory = new Int32Array(capacity);
    this.gpu = new Int32Array(capacity);
    this.tasks = new Int32Array(capacity);
    this.kind = new Int32Array(capacity);
    this.project = new Int32Array(capacity);
    this.family = new Int32Array(capacity);
    this.heuristic = new Int32Array(capacity);
    this.requirement = new Int32Array(capacity);
    this.owner = new Int32Array(capacity);
    this.exclusion = new Int32Array(capacity);
    this.estimateSeconds = new Float64Array(capacity);
    this.estimatedEnd = new Float64Array(capacity);
    this.arrival = new Float64Array(capacity);
    this.next = new Int32Array(capacity);
    this.previous = new Int32Array(capacity);
    this.place = new Int32Array(capacity);
    this.placement = new Int32Array(capacity);
    this.handles = new Handles(capacity);
  }

  /** The number that handles stay below: what a driver sizes its own columns by. */
  get capacity(): number {
    return this.cores.length;
  }

  add(request: JobRequest): number {
    if (this.handles.isFull) this.grow();
    const job = this.handles.take();
    this.cores[job] = request.cores;
    this.memory[job] = request.memory;
    this.gpu[job] = request.gpu;
    this.tasks[job] = request.tasks;
    this.requirement[job] = request.requirement ?? 0;
    this.owner[job] = request.owner ?? 0;
    this.family[job] = request.family ?? 0;
    this.exclusion[job] = 0;
    this.kind[job] = this.kindOf(job);
    this.project[job] = request.project;
    this.heuristic[job] = request.heuristic;
    this.estimateSeconds[job] = request.estimateSeconds;
    this.estimatedEnd[job] = Infinity;
    this.arrival[job] = this.arrivals++;
    this.placement[job] = NONE;
    return job;
  }

  /** The job joins another queue: it is its last arrival. */
  arriveAgain(job: number): void {
    this.arrival[job] = this.arrivals++;
  }

  remove(job: number): void {
    this.kinds.give(this.kind[job]);
    this.handles.give(job);
  }

  /**
   * Gives a job a kind of its own, or takes that back: what is known of the jobs
   * that ask for the same does not hold for one that may not use all of their
   * machines. The job must not be waiting: queues know it by its kind.
   */
  exclude(job: number, isExcluded: boolean): void {
    if (isExcluded === (this.exclusion[job] !== 0)) return;
    const before = this.kind[job];
    this.exclusion[job] = isExcluded ? job + 1 : 0;
    this.kind[job] = this.kindOf(job);
    this.kinds.give(before);
  }

  private kindOf(job: number): number {
    return this.kinds.take({
      cores: this.cores[job],
      memory: this.memory[job],
      gpu: this.gpu[job],
      tasks: this.tasks[job],
      requirement: this.requirement[job],
      owner: this.owner[job],
      family: this.family[job],
      exclusion: this.exclusion[job],
    });
  }

  private grow(): void {
    this.cores = doubled(this.cores);
    this.memory = doubled(this.memory);
    this.gpu = doubled(this.gpu);
    this.tasks = doubled(this.tasks);
    this.kind = doubled(this.kind);
    this.project = doubled(this.project);
    this.family = doubled(this.family);
    this.heuristic = doubled(this.heuristic);
    this.requirement = doubled(this.requirement);
    this.owner = doubled(this.owner);
    this.exclusion = doubled(this.exclusion);
    this.estimateSeconds = doubled(this.estimateSeconds);
    this.estimatedEnd = doubled(this.estimatedEnd);
    this.arrival = doubled(this.arrival);
    this.next = doubled(this.next);
    this.previous = doubled(this.previous);
    this.place = doubled(this.place);
    this.placement = doubled(this.placement);
    this.handles.double();
  }
}
