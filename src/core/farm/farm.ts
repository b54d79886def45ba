import type { Jobs } from "../jobs/jobs.ts";
import { NONE } from "../none.ts";
import { CANCEL, Decisions, DUPLICATE, MOVE, RESUME, START, SUSPEND } from "./decisions.ts";
import type { FarmJobRequest, FarmRejection, FarmSettings } from "./farm-settings.ts";
import { FarmJobs, IN_TRANSFER, RUNNING, SUSPENDED, WAITING } from "./farm-jobs.ts";
import { Outlook } from "./outlook.ts";
import { PhysicalPool } from "./physical-pool.ts";
import { PoolViews } from "./pool-views.ts";
import type { Move } from "./strategies/strategy.ts";
import { VirtualPool } from "./virtual-pool.ts";
import { WaitTimers } from "./wait-timers.ts";

/**
 * A farm: virtual pools where jobs are submitted, the pools where they run, and
 * what is done for those that are suspended or stuck (Zhang 2010, sections 2 and
 * 3). Events come in, decisions go out, as with `Pool`, of which it is made.
 *
 * The driver reports what happened and calls `cycle` for a pool when it is time,
 * and `look` every now and then; what was decided is in `decisions`, in order. A
 * decision may come too late: `finish` is right for a job in any state, and
 * `refuse` for a job that could not be started, or could not go on.
 */
export class Farm {
  readonly farmJobs = new FarmJobs();
  readonly pools: readonly PhysicalPool[];
  readonly decisions = new Decisions();
  /** Pools in which a job may start since something happened; one may be named though it has had its cycle since. */
  readonly dirtyPools: number[] = [];
  /** Why the last job that `submit` did not take was turned away. */
  rejection: FarmRejection = { pools: [] };
  private readonly jobs: Jobs;
  private readonly virtualPools: readonly VirtualPool[];
  private readonly settings: FarmSettings;
  private readonly views: PoolViews;
  private readonly timers: WaitTimers;
  private readonly outlook: Outlook;
  private readonly utilizations: Float64Array;
  /** In the present look: the keys of those that stay, where that is the same for all alike. */
  private readonly common = new Set<number>();

  constructor(settings: FarmSettings) {
    const { farmJobs, dirtyPools } = this;
    this.settings = settings;
    this.jobs = farmJobs.jobs;
    this.pools = settings.pools.map(
      (pool, number) =>
        new PhysicalPool(farmJobs, number, dirtyPools, pool, settings.priorities, settings.preemption),
    );
    this.virtualPools = settings.virtualPools.map(
      (virtualPool) => new VirtualPool(virtualPool, settings.candidateLists),
    );
    const oldest = Math.max(0, ...settings.virtualPools.map(({ viewAgeSeconds }) => viewAgeSeconds));
    this.views = new PoolViews(this.pools, oldest);
    this.timers = new WaitTimers(farmJobs, this.pools.length);
    this.outlook = new Outlook(farmJobs, this.pools, this.views, settings.transferSeconds, settings.random);
    this.utilizations = new Float64Array(this.pools.length);
  }

  /**
   * A job is submitted to its virtual pool, which sends it on at once. Returns its
   * handle, or `NONE` where no pool takes it: see `rejection`.
   */
  submit(request: FarmJobRequest, now: number): number {
    const { farmJobs } = this;
    const job = this.jobs.add(request);
    farmJobs.open(job);
    farmJobs.virtualPool[job] = request.virtualPool;
    farmJobs.candidates[job] = request.candidates;
    farmJobs.priority[job] = request.priority;
    const virtualPool = this.virtualPools[request.virtualPool];
    const candidates = virtualPool.candidates(request.candidates);
    const prospects = this.outlook.of(job, candidates, virtualPool.site, virtualPool.viewAgeSeconds, now);
    const pool = virtualPool.routing.choose(prospects);
    if (pool === NONE) {
      this.rejection = {
        pools: candidates.pools.map((each) => ({ pool: each, reason: this.pools[each].ineligible(job) })),
      };
      farmJobs.close(job);
      return NONE;
    }
    const seconds = prospects.transferSeconds(pool);
    if (seconds > 0) this.decisions.add(MOVE, job, pool, NONE, seconds);
    this.send(job, pool, seconds, now);
    return job;
  }

  /** A job that was on its way is there. */
  arrived(job: number, now: number): void {
    this.enter(job, this.farmJobs.pool[job], now);
  }

  /**
   * A job has ended, well or not, or its user takes it back; whatever was last
   * decided about it. Its handle is void, and that of its other attempt.
   */
  finish(job: number, now: number): void {
    const { farmJobs } = this;
    const twin = farmJobs.twin[job];
    const pool = farmJobs.pool[job];
    this.remove(job, now);
    if (twin === NONE) return;
    this.decisions.add(CANCEL, twin, pool, job, 0);
    this.remove(twin, now);
  }

  /** A job that was to start, or to go on, could not: it waits again, in its turn. */
  refuse(job: number, now: number): void {
    const { farmJobs } = this;
    if (farmJobs.state[job] !== RUNNING) return;
    const pool = farmJobs.pool[job];
    this.views.changes(pool, now);
    this.restore(job);
    this.pools[pool].refuse(job);
    this.time(job, now);
  }

  /** A cycle of one pool. */
  cycle(number: number, now: number): void {
    const { decisions, timers } = this;
    const pool = this.pools[number];
    this.views.changes(number, now);
    pool.cycle(now);
    const { started, suspended, resumed } = pool;
    for (let i = 0; i < suspended.length; i++) decisions.add(SUSPEND, suspended[i], number, NONE, 0);
    for (let i = 0; i < resumed.length; i++) decisions.add(RESUME, resumed[i], number, NONE, 0);
    for (let i = 0; i < started.length; i++) {
      timers.stop(started[i]);
      decisions.add(START, started[i], number, NONE, 0);
    }
    const move = this.settings.strategy.onSuspension;
    if (move === null) return;
    for (let i = 0; i < suspended.length; i++) this.reconsider(suspended[i], move, now);
  }

  /** When a waiting job may next be moved, if that is looked at then; `Infinity` where none waits for that. */
  get nextLook(): number {
    if (this.timers.hasOverdue) return -Infinity;
    return this.timers.firstSince + this.settings.waitThresholdSeconds;
  }

  /** Looks at the jobs that have waited for longer than the threshold. */
  look(now: number): void {
    const { timers, pools, utilizations } = this;
    const move = this.settings.strategy.onLongWait;
    if (move === null) return;
    const threshold = this.settings.waitThresholdSeconds;
    this.common.clear();
    if (timers.hasOverdue) {
      pools.forEach((pool, number) => (utilizations[number] = pool.utilization));
      const isFresh = this.settings.virtualPools.every(({ viewAgeSeconds }) => viewAgeSeconds === 0);
      for (let pool = 0; pool < pools.length; pool++) {
        if (isFresh && move.mayLeave?.(utilizations, pool) === false) continue;
        for (const job of timers.overdueIn(pool)) {
          this.relocate(job, move, now);
        }
      }
    }
    while (now - timers.firstSince > threshold) {
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

  /** Whether a job stays where it is whatever happens. */
  private isSettled(job: number): boolean {
    const { farmJobs } = this;
    return farmJobs.restarts[job] >= this.settings.maxRestarts || farmJobs.twin[job] !== NONE;
  }

  /** Moves a suspended or waiting job, or makes a second attempt at it, if the strategy says so; whether it did. */
  private reconsider(job: number, move: Move, now: number): boolean {
    if (this.isSettled(job)) return false;
    const { farmJobs, pools } = this;
    const present = farmJobs.pool[job];
    const virtualPool = this.virtualPools[farmJobs.virtualPool[job]];
    const candidates = virtualPool.candidates(farmJobs.candidates[job]);
    const prospects = this.outlook.of(job, candidates, pools[present].site, virtualPool.viewAgeSeconds, now);
    const pool = move.choose(prospects, present);
    if (pool === present) return false;
    const seconds = prospects.transferSeconds(pool);
    farmJobs.restarts[job]++;
    if (move.how === "duplicate") {
      const twin = this.twinOf(job);
      this.timers.stop(job);
      this.decisions.add(DUPLICATE, job, pool, twin, seconds);
      this.send(twin, pool, seconds, now);
      return true;
    }
    this.views.changes(present, now);
    this.withdraw(job);
    this.restore(job);
    this.decisions.add(MOVE, job, pool, present, seconds);
    this.send(job, pool, seconds, now);
    return true;
  }

  /** `reconsider` for a waiting job, within a look: what is the same for all alike is worked out once. */
  private relocate(job: number, move: Move, now: number): boolean {
    const isShared = move.isCommon && this.jobs.kind[job] !== 0;
    const key = isShared ? this.commonKey(job) : NONE;
    if (isShared && this.common.has(key)) return false;
    const isMoved = this.reconsider(job, move, now);
    if (isShared && !isMoved) this.common.add(key);
    return isMoved;
  }

  /** Equal for jobs of one kind, of one virtual pool, that wait in one pool and may go to the same. */
  private commonKey(job: number): number {
    const { virtualPool, candidates, pool } = this.farmJobs;
    const { settings, virtualPools, pools } = this;
    const way = virtualPool[job] * settings.candidateLists.length + candidates[job];
    const ways = virtualPools.length * settings.candidateLists.length;
    return (this.jobs.kind[job] * ways + way) * pools.length + pool[job];
  }

  /** A second attempt at a job: a handle of its own. */
  private twinOf(job: number): number {
    const { farmJobs, jobs } = this;
    const twin = jobs.add({
      cores: jobs.cores[job],
      memory: jobs.memory[job],
      gpu: jobs.gpu[job],
      tasks: jobs.tasks[job],
      project: jobs.project[job],
      heuristic: jobs.heuristic[job],
      estimateSeconds: farmJobs.estimateSeconds[job],
      requirement: jobs.requirement[job],
      owner: jobs.owner[job],
      family: jobs.family[job],
    });
    farmJobs.open(twin);
    farmJobs.virtualPool[twin] = farmJobs.virtualPool[job];
    farmJobs.candidates[twin] = farmJobs.candidates[job];
    farmJobs.priority[twin] = farmJobs.priority[job];
    farmJobs.restarts[twin] = farmJobs.restarts[job];
    farmJobs.twin[twin] = job;
    farmJobs.twin[job] = twin;
    return twin;
  }

  /** What is expected of a job that starts again. */
  private restore(job: number): void {
    this.jobs.estimateSeconds[job] = this.farmJobs.estimateSeconds[job];
  }

  private send(job: number, pool: number, seconds: number, now: number): void {
    const { farmJobs } = this;
    farmJobs.pool[job] = pool;
    if (seconds > 0) farmJobs.state[job] = IN_TRANSFER;
    else this.enter(job, pool, now);
  }

  private enter(job: number, pool: number, now: number): void {
    this.views.changes(pool, now);
    this.jobs.arriveAgain(job);
    this.pools[pool].wait(job);
    this.time(job, now);
  }

  private time(job: number, now: number): void {
    if (this.settings.strategy.onLongWait !== null) this.timers.start(job, now);
  }

  private remove(job: number, now: number): void {
    this.views.changes(this.farmJobs.pool[job], now);
    this.withdraw(job);
    this.farmJobs.close(job);
  }

  /** Takes a job out of the pool where it is, with whatever it holds there. */
  private withdraw(job: number): void {
    const { farmJobs } = this;
    const pool = this.pools[farmJobs.pool[job]];
    const state = farmJobs.state[job];
    if (state === WAITING) {
      this.timers.stop(job);
      pool.leave(job);
    } else if (state === RUNNING || state === SUSPENDED) pool.release(job);
  }
}
