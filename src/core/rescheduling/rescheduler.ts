import type { EngineJobs } from "../jobs/engine-jobs.ts";
import type { JobView } from "../routing/job-view.ts";
import type { RoutedPool } from "../routing/pool-views.ts";
import type { VirtualPool } from "../routing/virtual-pool.ts";
import { NONE } from "../none.ts";
import type { Move, Strategy } from "./strategy.ts";
import type { WaitTimers } from "./wait-timers.ts";

export interface ReschedulerSettings {
  readonly strategy: Strategy;
  /** A job that has waited longer than this in a pool may be moved. */
  readonly waitThresholdSeconds: number;
  /** How often waiting jobs are reconsidered, at multiples on the driver's clock. */
  readonly rebalanceSeconds: number;
  /** The largest number of moves of a job. */
  readonly maxRestarts: number;
  readonly candidateLists: readonly unknown[];
}

/** All numbers of kinds of request are below this. */
const KINDS = 2 ** 26;
/** The number of keys remembered in a rebalance; a power of two. */
const REMEMBERED = 4096;

/** Carries out what the strategy decides. */
export interface ReschedulingActions {
  /** Sends a waiting or suspended job to another pool. */
  move(job: number, pool: number, seconds: number, now: number): void;
  /** Makes a second attempt at a job at another pool. */
  duplicate(job: number, pool: number, seconds: number, now: number): void;
}

/** Moves jobs that are suspended, and those that have waited too long (Zhang 2010, section 3). */
export class Rescheduler {
  private readonly timers: WaitTimers;
  private readonly settings: ReschedulerSettings;
  private readonly jobs: EngineJobs;
  private readonly pools: readonly RoutedPool[];
  private readonly virtualPools: readonly VirtualPool[];
  private readonly view: JobView;
  private readonly actions: ReschedulingActions;
  private readonly isFresh: boolean;
  private readonly utilizations: Float64Array;
  lastRebalance = -Infinity;
  /**
   * In the current rebalance: keys of jobs that stay, if all jobs with the same key do. A cache with one slot for a key:
   * the next key of that slot replaces it, and its jobs are looked at again. A `Set` took a fifth of the runs in which
   * many jobs wait.
   */
  private readonly staying = new Float64Array(REMEMBERED);

  constructor(
    settings: ReschedulerSettings,
    jobs: EngineJobs,
    pools: readonly RoutedPool[],
    virtualPools: readonly VirtualPool[],
    view: JobView,
    timers: WaitTimers,
    actions: ReschedulingActions,
  ) {
    this.settings = settings;
    this.jobs = jobs;
    this.pools = pools;
    this.virtualPools = virtualPools;
    this.view = view;
    this.actions = actions;
    this.timers = timers;
    this.isFresh = virtualPools.every(({ viewAgeSeconds }) => viewAgeSeconds === 0);
    this.utilizations = new Float64Array(pools.length);
  }

  /** Whether suspended jobs are reconsidered. */
  get movesSuspended(): boolean {
    return this.settings.strategy.onSuspension !== null;
  }

  /** When waiting jobs are to be reconsidered next; `Infinity` if none has to be. */
  get nextTime(): number {
    const { rebalanceSeconds, waitThresholdSeconds } = this.settings;
    const from = this.timers.hasOverdue ? -Infinity : this.timers.firstSince + waitThresholdSeconds;
    if (from === Infinity) return Infinity;
    const after = Math.max(from, this.lastRebalance);
    return after === -Infinity ? -Infinity : (Math.floor(after / rebalanceSeconds) + 1) * rebalanceSeconds;
  }

  /** A job has been suspended, or killed for another one where its pool cannot suspend. */
  suspended(job: number, now: number): void {
    const { onSuspension } = this.settings.strategy;
    if (onSuspension !== null) this.reconsider(job, onSuspension, now);
  }

  /** Reconsiders the jobs that have waited for longer than the threshold. */
  rebalance(now: number): void {
    const { timers, pools, utilizations } = this;
    const { strategy, waitThresholdSeconds } = this.settings;
    const move = strategy.onLongWait;
    this.lastRebalance = now;
    if (move === null) return;
    this.staying.fill(NONE);
    if (timers.hasOverdue) {
      pools.forEach((pool, number) => (utilizations[number] = pool.utilization));
      for (let pool = 0; pool < pools.length; pool++) {
        if (this.isFresh && move.mayLeave?.(utilizations, pool) === false) continue;
        for (let job = timers.firstOverdueIn(pool); job !== NONE;) {
          const next = timers.after(job);
          this.relocate(job, move, now);
          job = next;
        }
      }
    }
    while (now - timers.firstSince > waitThresholdSeconds) {
      const job = timers.firstPending;
      if (this.isSettled(job)) timers.stop(job);
      else if (!this.relocate(job, move, now)) {
        if (move.startsTimerAnew) {
          timers.stop(job);
          timers.start(job, now);
        } else timers.keepAsking(job);
      }
    }
  }

  /** As `reconsider`, for a waiting job: what is the same for all jobs with a key is found once in a rebalance. */
  private relocate(job: number, move: Move, now: number): boolean {
    if (!move.isCommon) return this.reconsider(job, move, now);
    const { virtualPool, candidates, pool, jobs } = this.jobs;
    const kind = jobs.kind[job];
    const way = virtualPool[job] * this.settings.candidateLists.length + candidates[job];
    const place = way * this.pools.length + pool[job];
    const key = place * KINDS + kind;
    const slot = (place * 31 + kind) & (REMEMBERED - 1);
    if (this.staying[slot] === key) return false;
    const isMoved = this.reconsider(job, move, now);
    if (!isMoved) this.staying[slot] = key;
    return isMoved;
  }

  /**
   * Moves a suspended or waiting job, or makes a second attempt at it, if the strategy says so. Returns whether it did.
   */
  private reconsider(job: number, move: Move, now: number): boolean {
    if (this.isSettled(job)) return false;
    const { jobs, pools } = this;
    const present = jobs.pool[job];
    const virtualPool = this.virtualPools[jobs.virtualPool[job]];
    const candidates = virtualPool.restartCandidates(jobs.candidates[job]);
    const view = this.view.of(job, candidates, pools[present].site, virtualPool.viewAgeSeconds, now);
    const pool = move.choose(view, present);
    if (pool === present) return false;
    const seconds = view.transferSeconds(pool);
    jobs.restarts[job]++;
    if (move.how === "duplicate") this.actions.duplicate(job, pool, seconds, now);
    else this.actions.move(job, pool, seconds, now);
    return true;
  }

  /** Whether a job can never be moved again. */
  private isSettled(job: number): boolean {
    return this.jobs.restarts[job] >= this.settings.maxRestarts || this.jobs.twin[job] !== NONE;
  }
}
