import type { PoolState } from "./pool-views.ts";

/** The knowledge with which a pool is chosen for a job. */
export interface RoutingView {
  /** The candidate pools, in the order of the virtual pool; some may not be eligible. */
  readonly pools: readonly number[];
  /** The next turn, as an index in `pools`. Kept from job to job with the same candidates. */
  turn: number;
  /**
   * Whether the pool has machines that meet the job's requirement and could hold it; and, if the virtual pool has a
   * queue, whether it has room for the job now. A pool all of whose machines are kept for others now is not, unless all
   * are.
   */
  isEligible(pool: number): boolean;
  /** The pool as the virtual pool manager knows it; valid until the pool changes. */
  state(pool: number): PoolState;
  /** The seconds of the job's transfer to a pool. */
  transferSeconds(pool: number): number;
  /** The job's expected run time on a machine of speed 1, and the mean speed of a pool's machines. */
  readonly estimateSeconds: number;
  speed(pool: number): number;
  /** A whole number from 0 to below the argument. */
  random(below: number): number;
}

/** How a virtual pool manager chooses among the candidate pools of a job (Zhang 2010, sections 2.1 and 3.2). */
export interface Routing {
  readonly name: string;
  readonly summary: string;
  /** False: it never looks at expected run times. Absent: it may. */
  readonly usesEstimates?: boolean;
  /** False: it never draws at random. Absent: it may. */
  readonly usesRandom?: boolean;
  /** One of the eligible pools, or `NONE` where no pool is. */
  choose(view: RoutingView): number;
}
