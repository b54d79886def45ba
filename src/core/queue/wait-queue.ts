/** The order in which a pass takes the waiting jobs. */
export interface PassOrder {
  /** Starts a pass from the first job. */
  begin(): void;
  /** The pass's next job, or `NONE`. */
  next(): number;
  /** The job that `next` just gave was placed in this pass. */
  placed(job: number): void;
  /** For the rest of this pass no job of this one's family need be given: none can be placed, or changes anything. */
  leaveOut?(job: number): void;
}

/**
 * The jobs that wait in a pool, and the order in which a cycle takes them.
 *
 * A pass over the queue is begun, then asked for one job after the other; it is
 * told of each job it gave that was placed, since under fair share that decides
 * who is next. Passes leave the queue as it is: jobs are added and removed
 * between passes.
 */
export interface WaitQueue extends PassOrder {
  readonly length: number;
  /** Whether a pass takes the jobs in order of arrival, whatever is placed. */
  readonly isByArrival: boolean;
  add(job: number): void;
  remove(job: number): void;
  /** A job starts to hold its resources, or gives them back. */
  started(job: number): void;
  finished(job: number): void;
}
