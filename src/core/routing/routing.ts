import type { PoolState } from "./pool-views.ts";

/** What there is to know when a pool is chosen for a job. */
export interface RoutingView {
  /** The pools that may be chosen, in the order of the virtual pool; some may not be eligible. */
  readonly pools: readonly number[];
  /** Where the turn is: a place in `pools`. Kept from job to job of the same candidates. */
  turn: number;
  /** Whether the pool has machines that meet the job's requirement and could hold it. */
  isEligible(pool: number): boolean;
  /** The pool as the virtual pool manager knows it; valid until the next call. */
  state(pool: number): PoolState;
  /** Seconds that the job would take to get there. */
  transferSeconds(pool: number): number;
  /** How long the job is expected to run on a machine of speed 1, and the mean speed of a pool's machines. */
  readonly estimateSeconds: number;
  speed(pool: number): number;
  /** A whole number from 0 to below. */
  random(below: number): number;
}

/** How a virtual pool manager chooses among the candidate pools of a job (Zhang 2010, sections 2.1 and 3.2). */
export interface Routing {
  readonly name: string;
  readonly summary: string;
  /** One of the eligible pools, or `NONE` where no pool is. */
  choose(view: RoutingView): number;
}
