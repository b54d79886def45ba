/** The order in which a pass takes the waiting jobs. */
export interface PassOrder {
  /** Starts a pass from the first job. */
  begin(): void;
  /** The pass's next job, or `NONE`. */
  next(): number;
  /** The job that `next` returned was placed in this pass. */
  placed(job: number): void;
  /**
   * Tells the queue that it may skip this job's family for the rest of the pass: no such job can be placed, or changes
   * anything.
   */
  leaveOut?(job: number): void;
}

/**
 * The jobs that wait in a pool, and the order in which a cycle takes them.
 *
 * A pass begins with `begin` and asks for one job after the other. It reports each job that it placed, since under fair
 * share that decides which job is next. Passes do not change the queue: jobs are added and removed between them.
 */
export interface WaitQueue extends PassOrder {
  readonly length: number;
  /** Whether a pass takes the jobs in order of arrival, whatever is placed. */
  readonly isByArrival: boolean;
  add(job: number): void;
  remove(job: number): void;
  /** A cycle of the pool begins: its passes are of this time. */
  cycle?(now: number): void;
  /** A job takes its resources, or gives them back. */
  started(job: number, now: number): void;
  finished(job: number, now: number): void;
}
