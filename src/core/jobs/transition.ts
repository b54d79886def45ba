import type { EngineJobs } from "./engine-jobs.ts";
import { NONE } from "../none.ts";
import {
  FREE,
  HELD,
  IN_TRANSFER,
  KILLING,
  RESUMING,
  RUNNING,
  STARTING,
  STATES,
  SUSPENDED,
  SUSPENDING,
  UNASSIGNED,
  WAITING,
} from "./job-states.ts";

/** By state: a bit for each state that may follow it. `job-states.ts` draws the same. */
const following = new Uint16Array(STATES);

function allow(from: number, ...states: readonly number[]): void {
  for (const to of states) following[from] |= 1 << to;
}

// A job that is rejected was never there; one that is found runs already.
allow(FREE, WAITING, IN_TRANSFER, UNASSIGNED, RUNNING, FREE);
allow(UNASSIGNED, UNASSIGNED, WAITING, IN_TRANSFER, HELD, FREE);
allow(IN_TRANSFER, WAITING, FREE);
allow(WAITING, WAITING, IN_TRANSFER, UNASSIGNED, HELD, STARTING, FREE);
allow(HELD, HELD, WAITING, UNASSIGNED, FREE);
allow(STARTING, RUNNING, WAITING, KILLING, FREE);
allow(RUNNING, SUSPENDING, WAITING, KILLING, FREE);
// Within a cycle a later step may undo an earlier one: then nothing was decided.
allow(SUSPENDING, SUSPENDED, RUNNING, WAITING, KILLING, FREE);
allow(SUSPENDED, RESUMING, WAITING, KILLING, FREE);
allow(RESUMING, RUNNING, SUSPENDED, WAITING, KILLING, FREE);
// A job that is killed to be moved may be cancelled meanwhile: it is then killed for that.
allow(KILLING, KILLING, RUNNING, WAITING, IN_TRANSFER, FREE);

/** How many jobs are in each state, in all and by pool. Only `transition` and `go` count. */
export class StateCounts {
  private readonly all = new Int32Array(STATES);
  /** By pool, `NONE` first, and state. */
  private readonly inPool: Int32Array;

  constructor(pools: number) {
    this.inPool = new Int32Array((pools + 1) * STATES);
  }

  /** How many jobs are in a state. */
  of(state: number): number {
    return this.all[state];
  }

  /** How many jobs in a pool, or on their way to it, are in a state; `NONE`: in no pool. */
  ofPool(pool: number, state: number): number {
    return this.inPool[(pool + 1) * STATES + state];
  }

  count(state: number, pool: number, sign: number): void {
    this.all[state] += sign;
    this.inPool[(pool + 1) * STATES + state] += sign;
  }
}

/**
 * A job goes from its state to another, and stays in its pool. This and `go` are all that writes a job's state.
 *
 * @throws Error where the state cannot follow
 */
export function transition(jobs: EngineJobs, job: number, to: number): void {
  // The pool of a job that ends is out of the processor's cache.
  move(jobs, job, to, jobs.onlyPool ?? jobs.pool[job]);
}

/** A job goes to a pool, or to none (`NONE`), and is in this state there. */
export function go(jobs: EngineJobs, job: number, to: number, pool: number): void {
  const { state, pool: poolOf, counts } = jobs;
  const from = state[job];
  if (from !== FREE && poolOf[job] !== pool) {
    counts.count(from, poolOf[job], -1);
    counts.count(from, pool, 1);
  }
  poolOf[job] = pool;
  move(jobs, job, to, pool);
}

/** Restores the states and pools of the first jobs, which have none. */
export function loadStates(jobs: EngineJobs, states: ArrayLike<number>, pools: ArrayLike<number>): void {
  for (let job = 0; job < states.length; job++) {
    if (pools[job] === NONE) jobs.onlyPool = null;
    jobs.state[job] = states[job];
    jobs.pool[job] = pools[job];
    jobs.counts.count(states[job], pools[job], 1);
  }
}

function move(jobs: EngineJobs, job: number, to: number, pool: number): void {
  const { state, counts } = jobs;
  const from = state[job];
  if ((following[from] & (1 << to)) === 0) throw new Error(`a job in state ${from} cannot go to state ${to}`);
  state[job] = to;
  if (from !== FREE) counts.count(from, pool, -1);
  if (to !== FREE) counts.count(to, pool, 1);
}
