import { IntList } from "../int-list.ts";
import { EngineJobs } from "../jobs/engine-jobs.ts";
import { KILL_TO_PREEMPT, SUSPENDED } from "../jobs/job-states.ts";
import { Limits } from "../limits/limits.ts";
import type { MachineTasks } from "../jobs/placements.ts";
import { NONE } from "../none.ts";
import type { ReasonSink } from "../reasons/reason.ts";
import { Rescheduler } from "../rescheduling/rescheduler.ts";
import { WaitTimers } from "../rescheduling/wait-timers.ts";
import { JobView } from "../routing/job-view.ts";
import { PoolViews } from "../routing/pool-views.ts";
import { UnassignedJobs } from "../routing/unassigned-jobs.ts";
import { VirtualPool } from "../routing/virtual-pool.ts";
import { Claims } from "./claims.ts";
import { CyclePlan } from "./cycle-plan.ts";
import { DecisionQueue, KILL, RESUME, START, SUSPEND, type Decision } from "./decisions.ts";
import type { SharedState } from "./engine-part.ts";
import { Faults } from "./faults.ts";
import { JobMoves } from "./job-moves.ts";
import { MachineEvents } from "./machine-events.ts";
import { Outcomes } from "./outcomes.ts";
import { PoolManager } from "./pool-manager.ts";
import { Router } from "./router.ts";
import { NO_ROOM, NO_SUCH_MACHINE, TAKEN, type Ignored } from "./ignored.ts";
import { loadParts, saveParts, type EngineSnapshot, type SnapshotParts } from "./snapshot.ts";
import { defaultFaults, type EngineJobRequest, type EngineSettings, type Rejection } from "./settings.ts";
import { UserRequests } from "./user-requests.ts";

/**
 * The engine: virtual pools where jobs are submitted, the pools where they run, and the moves of jobs that are
 * suspended or wait too long (Zhang 2010, sections 2 and 3). `Port` is its only way in; decisions go out through `next`
 * and `take`.
 *
 * The driver reports what happened, and reads decisions until there are none (`next`, which also runs the cycles that
 * are due, or `take`, which does not). A decision can be carried out the moment it is read. The outcome is reported as
 * another event, which may come at once, late, twice or never. An event that does not fit the job's state changes
 * nothing: the answer says why (`Ignored`).
 *
 * What the driver must do:
 * - Read all decisions after an event before it reports the next one, unless that is the answer to a decision it has
 *   just read. The handle of a job that is over is given to the next job, so decisions about it must be read before.
 * - Carry decisions out in the order in which it read them. After LOST and KILL the attempt must have left all machines
 *   before a later decision is carried out: other jobs were promised its room.
 * - Use no handle after a job is over (`job-states.ts`), and drop answers to any decision but the last about the job:
 *   the engine knows only the job's state. `Port` does both for a driver whose events may be late or repeated.
 */
export class Engine {
  /** Whether no job is ever moved, nor waits at its virtual pool. */
  readonly isStatic: boolean;
  /** The decision that `next` or `take` read last. */
  readonly decision: Decision = { kind: 0, job: NONE, pool: NONE, other: NONE, seconds: 0 };
  /** Called with the number of a pool after each of its cycles, before its decisions are read. */
  onCycle: ((pool: number, now: number) => void) | null = null;
  /** The handle of the job that was submitted or found last. */
  submitted = NONE;
  /** Why the last job that was rejected is. */
  rejection: Rejection = { pools: [] };
  protected readonly engineJobs: EngineJobs;
  /** The events that report the outcome of decisions, and how attempts end. */
  protected readonly outcomes: Outcomes;
  /** Takes the events about machines. */
  protected readonly machines: MachineEvents;
  /** Takes what users ask of jobs that were submitted. */
  protected readonly requests: UserRequests;
  protected readonly pools: readonly PoolManager[];
  private readonly state: SharedState;
  private readonly claims: Claims;
  private readonly faults: Faults;
  private readonly decisions: DecisionQueue;
  private readonly virtualPools: readonly VirtualPool[];
  protected readonly router: Router;
  /** Null: what runs is not limited. */
  protected readonly limits: Limits | null;
  private readonly plan: CyclePlan;
  private readonly timers: WaitTimers | null;
  private readonly rescheduler: Rescheduler;
  private readonly moves: JobMoves;
  /** Jobs that have just been suspended, for the strategy to reconsider. */
  private readonly justSuspended: number[] = [];

  constructor(settings: EngineSettings) {
    const { priorities, victimRule, strategy, candidateLists, transferSeconds } = settings;
    const hasQueue =
      settings.virtualPools.some((virtualPool) => virtualPool.hasQueue) ||
      settings.pools.some(({ isUnknown }) => isUnknown);
    this.isStatic = strategy.onSuspension === null && strategy.onLongWait === null && !hasQueue;
    const hasOwners = settings.pools.some(({ groups }) => groups.ownerOf.some((owner) => owner !== 0));
    const isPreemptive = victimRule !== null && (priorities > 1 || hasOwners);
    const engineJobs = new EngineJobs(this.isStatic && !isPreemptive, settings.pools.length, hasQueue);
    const dirtyPools = new IntList();
    const isRouted = settings.pools.length > 1 || hasQueue;
    const limits = settings.limits === undefined ? null : new Limits(engineJobs.jobs.kinds, settings.limits);
    const pools = settings.pools.map(
      (pool, number) =>
        new PoolManager(
          engineJobs,
          number,
          dirtyPools,
          limits === null ? pool : { ...pool, limits },
          priorities,
          victimRule,
          isRouted,
        ),
    );
    if (limits !== null)
      limits.onGiven = () => {
        for (const pool of pools) if (pool.isAwaited) pool.markDirty();
      };
    const virtualPools = settings.virtualPools.map((each) => new VirtualPool(each, candidateLists));
    const oldest = Math.max(0, ...virtualPools.map(({ viewAgeSeconds }) => viewAgeSeconds));
    const views = new PoolViews(pools, oldest);
    const view = new JobView(engineJobs, pools, views, transferSeconds, settings.random);
    const timers = new WaitTimers(engineJobs, pools.length);
    const state: SharedState = {
      engineJobs,
      pools,
      views,
      unassigned: new UnassignedJobs(engineJobs, virtualPools.length, candidateLists.length),
      claims: new Claims(engineJobs, pools),
      faults: new Faults({ ...defaultFaults, ...settings.faults }, pools.length),
      decisions: new DecisionQueue(),
      transferSeconds,
    };
    this.state = state;
    this.claims = state.claims;
    this.faults = state.faults;
    this.decisions = state.decisions;
    this.engineJobs = engineJobs;
    this.pools = pools;
    this.limits = limits;
    this.virtualPools = virtualPools;
    this.plan = new CyclePlan(pools, dirtyPools);
    this.timers = strategy.onLongWait === null ? null : timers;
    this.moves = new JobMoves(state, this.timers);
    const { moves } = this;
    this.router = new Router(state, virtualPools, view, moves);
    if (hasQueue) this.emptyQueues();
    this.rescheduler = new Rescheduler(settings, engineJobs, pools, virtualPools, view, timers, moves);
    this.outcomes = new Outcomes(state, moves, (job) => {
      if (this.rescheduler.movesSuspended) this.justSuspended.push(job);
    });
    // As if it had been suspended: its pool cannot do that, and has other work for its machines.
    moves.onPreempted = (job, now) => this.rescheduler.suspended(job, now);
    this.machines = new MachineEvents(state, moves);
    this.requests = new UserRequests(state, moves, this.router);
  }

  /** Lets cycles take jobs from the virtual pools' queue. */
  private emptyQueues(): void {
    for (const pool of this.pools) pool.assign = (manager, now) => this.router.assign(manager, now);
  }

  /** The sink for the reasons why jobs are suspended, and why those that it names wait; null if none are wanted. */
  tellReasons(sink: ReasonSink | null): void {
    this.requests.sink = sink;
    for (const { pool } of this.pools) pool.notes.sink = sink;
  }

  /** The state that future decisions depend on, as plain data. All decisions must have been read. */
  protected saveEngine(): EngineSnapshot {
    if (this.hasDecisions || this.justSuspended.length > 0)
      throw new Error("read all decisions before a snapshot");
    return saveParts(this.parts);
  }

  /** Loads what was saved into a new engine. Jobs get the handles 0, 1, … in the order in which they were saved. */
  protected loadEngine(snapshot: EngineSnapshot): void {
    loadParts(this.parts, snapshot);
    // Also if no virtual pool has a queue any more.
    if (this.engineJobs.unassigned > 0) this.emptyQueues();
  }

  private get parts(): SnapshotParts {
    const { state, virtualPools, plan, timers, rescheduler, moves } = this;
    return { ...state, virtualPools, plan, timers, rescheduler, moves };
  }

  /**
   * Submits a job to its virtual pool, which sends it on at once, or, if it has a queue, when a pool has room. Returns
   * its handle, or `NONE` if no pool takes it: see `rejection`.
   */
  protected add(request: EngineJobRequest, now: number): number {
    const { engineJobs } = this;
    const job = this.open(request, now);
    const virtualPool = this.virtualPools[request.virtualPool];
    const rejection = this.router.submit(job, virtualPool, request.candidates, now);
    if (rejection === null) return job;
    this.rejection = rejection;
    engineJobs.close(job);
    return NONE;
  }

  /** Adds a job that runs on machines already. Nothing is decided. */
  protected addFound(
    request: EngineJobRequest,
    pool: number,
    placement: readonly MachineTasks[],
    now: number,
  ): Ignored {
    const manager = this.pools[pool];
    if (manager === undefined || !placement.every(({ machine }) => manager.machines.has(machine)))
      return NO_SUCH_MACHINE;
    const job = this.open(request, now);
    if (!manager.placed.fitsOn(job, placement)) {
      this.engineJobs.close(job);
      return NO_ROOM;
    }
    this.state.views.changes(pool, now);
    manager.found(job, placement, now);
    this.submitted = job;
    return TAKEN;
  }

  /** A new job, in no state yet. */
  private open(request: EngineJobRequest, now: number): number {
    if (!this.decisions.isEmpty) throw new Error("read all decisions before a job is submitted");
    const { engineJobs } = this;
    const job = engineJobs.jobs.add(request, now);
    engineJobs.open(job);
    if (request.retries !== undefined) engineJobs.retriesLeft[job] = request.retries;
    if (!engineJobs.isPlain) {
      engineJobs.virtualPool[job] = request.virtualPool;
      engineJobs.candidates[job] = request.candidates;
    }
    engineJobs.priority[job] = request.priority;
    return job;
  }

  // Decisions.

  /** When `next` will have something to do even if no event comes; -Infinity means now, Infinity never. */
  get nextTime(): number {
    return Math.min(this.plan.nextTime, this.rescheduler.nextTime, this.faults.nextTime);
  }

  /** Whether there are decisions that were not read yet. */
  get hasDecisions(): boolean {
    return !this.decisions.isEmpty;
  }

  /**
   * Reads the next decision into `decision`, after running the cycles and retries that are due. Returns false if there
   * is none.
   */
  next(now: number): boolean {
    for (;;) {
      if (this.take(now)) return true;
      const manager = this.plan.next(now);
      if (manager !== undefined) {
        this.runCycle(manager, now);
        this.plan.ran(manager, now);
      } else if (this.faults.nextTime <= now) this.retry(now);
      else if (this.rescheduler.nextTime <= now) this.rescheduler.rebalance(now);
      else return false;
    }
  }

  /** Reads the next decision into `decision` without running cycles. Returns false if there is none. */
  take(now: number): boolean {
    const { decision, decisions, engineJobs, claims } = this;
    for (;;) {
      if (claims.take(decision)) {
        engineJobs.unread[decision.job] = 0;
        return true;
      }
      while (!decisions.isEmpty) {
        const serial = decisions.read(decision);
        if (serial === 0) return true;
        const { job, kind } = decision;
        if (engineJobs.unread[job] !== serial) continue;
        if ((kind === START || kind === RESUME) && this.pools[decision.pool].suspensions.isBlocked(job)) {
          claims.add(decision, serial);
          continue;
        }
        engineJobs.unread[job] = 0;
        return true;
      }
      if (this.justSuspended.length === 0) return false;
      const job = this.justSuspended.shift()!;
      if (engineJobs.state[job] === SUSPENDED) this.rescheduler.suspended(job, now);
    }
  }

  /** Runs a cycle of one pool, for a driver that plans the cycles itself. */
  cycle(pool: number, now: number): void {
    this.plan.clear();
    this.runCycle(this.pools[pool], now);
  }

  /** Jobs have started in a pool: others may be above a limit now, for which elsewhere a machine is kept. */
  private reconsider(manager: PoolManager): void {
    for (const pool of this.pools) if (pool !== manager && pool.isAwaited) pool.markDirty();
  }

  private runCycle(manager: PoolManager, now: number): void {
    const { decisions, timers } = this;
    const { number } = manager;
    const { started, suspended, resumed } = manager.outcome;
    this.state.views.changes(number, now);
    manager.cycle(now);
    if (manager.pool.notes.isOn) manager.tellReasons(now);
    this.onCycle?.(number, now);
    const kind = manager.suspendCapability === "none" ? KILL : SUSPEND;
    for (let i = 0; i < suspended.length; i++)
      decisions.add(
        kind,
        suspended.values[i],
        number,
        KILL_TO_PREEMPT,
        0,
        this.moves.serialFor(suspended.values[i]),
      );
    for (let i = 0; i < resumed.length; i++)
      decisions.add(RESUME, resumed.values[i], number, 0, 0, this.moves.serialFor(resumed.values[i]));
    if (this.limits !== null && started.length > 0) this.reconsider(manager);
    for (let i = 0; i < started.length; i++) {
      const job = started.values[i];
      timers?.stop(job);
      // Without suspensions every job may start at once.
      decisions.add(START, job, number, 0, 0, manager.preemption === null ? 0 : this.moves.serialFor(job));
    }
  }

  /** Retries failed suspensions and resumptions that are due. */
  private retry(now: number): void {
    for (let retry = this.faults.take(now); retry !== undefined; retry = this.faults.take(now)) {
      const manager = this.pools[retry.pool];
      manager.preemption?.retry();
      manager.markDirty();
    }
  }
}
