import { EngineJobs } from "../jobs/engine-jobs.ts";
import { FREE, HELD, IN_TRANSFER, KILL_TO_PREEMPT, SUSPENDED, WAITING } from "../jobs/job-states.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { NONE } from "../none.ts";
import type { ReasonSink } from "../reasons/reason.ts";
import { Rescheduler } from "../rescheduling/rescheduler.ts";
import { WaitTimers } from "../rescheduling/wait-timers.ts";
import { JobView } from "../routing/job-view.ts";
import { PoolViews } from "../routing/pool-views.ts";
import { VirtualPool, type Candidates } from "../routing/virtual-pool.ts";
import { Claims } from "./claims.ts";
import { CyclePlan } from "./cycle-plan.ts";
import { DecisionQueue, KILL, MOVE, RESUME, START, SUSPEND, type Decision } from "./decisions.ts";
import { Faults } from "./faults.ts";
import { NO_SUCH_JOB, NOT_IN_THAT_STATE, TAKEN, type Ignored } from "./ignored.ts";
import { JobMoves } from "./job-moves.ts";
import { MachineEvents } from "./machine-events.ts";
import { Outcomes } from "./outcomes.ts";
import { PoolManager } from "./pool-manager.ts";
import { restoreSnapshot, takeSnapshot, type EngineSnapshot, type SnapshotParts } from "./snapshot.ts";
import { defaultFaults, type EngineJobRequest, type EngineSettings, type Rejection } from "./settings.ts";

/**
 * The engine: virtual pools where jobs are submitted, the pools where they run, and what is done for those that are
 * suspended or stuck (Zhang 2010, sections 2 and 3). Events come in as method calls, decisions go out through `next`.
 *
 * The driver reports what happened, and reads decisions until there are none (`next`, which also runs the cycles that
 * are due, or `take`, which does not). A decision can be carried out the moment it is read. What came of it is an
 * event in turn; it may come at once, late, twice or never. An event that does not fit the job's state changes
 * nothing: the answer says why (`Ignored`).
 *
 * What the driver must do:
 * - Read all decisions after an event before it reports the next one, unless that is the answer to a decision it has
 *   just read. The handle of a job that is over goes to the next that comes, and a decision must be read before.
 * - Carry decisions out in the order in which it read them. After LOST and KILL nothing of the attempt is left on any
 *   machine before a later decision is carried out: others are promised its room.
 * - Use no handle after a job is over (`job-states.ts`), and tell the answers to earlier decisions from those to the
 *   last one: the engine knows states only. `EventPort` does both for a driver whose events may be late or repeated.
 */
export class Engine {
  readonly engineJobs: EngineJobs;
  readonly pools: readonly PoolManager[];
  /** Takes the events that tell what came of decisions, and how attempts end. */
  readonly outcomes: Outcomes;
  /** Takes the events about machines. */
  readonly machines: MachineEvents;
  /** The decision that `next` or `take` read last. */
  readonly decision: Decision = { kind: 0, job: NONE, pool: NONE, other: NONE, seconds: 0 };
  /** Is told of every cycle, before its decisions are read. Nothing depends on it. */
  onCycle: ((manager: PoolManager, now: number) => void) | null = null;
  /** Why the last job that `submit` did not take was turned away. */
  rejection: Rejection = { pools: [] };
  private readonly jobs: Jobs;
  private readonly transferSeconds: readonly (readonly number[])[];
  private readonly virtualPools: readonly VirtualPool[];
  private readonly views: PoolViews;
  private readonly view: JobView;
  private readonly plan: CyclePlan;
  private readonly timers: WaitTimers | null;
  private readonly rescheduler: Rescheduler;
  private readonly faults: Faults;
  private readonly decisions = new DecisionQueue();
  private readonly claims: Claims;
  private readonly moves: JobMoves;
  /** Jobs that have just been suspended, for the strategy to look at. */
  private readonly justSuspended: number[] = [];

  constructor(settings: EngineSettings) {
    const { decisions } = this;
    const { priorities, victimRule, strategy, transferSeconds } = settings;
    const isStatic = strategy.onSuspension === null && strategy.onLongWait === null;
    const hasOwners = settings.pools.some(({ groups }) => groups.ownerOf.some((owner) => owner !== 0));
    const isPreemptive = victimRule !== null && (priorities > 1 || hasOwners);
    const engineJobs = new EngineJobs(isStatic && !isPreemptive);
    this.engineJobs = engineJobs;
    this.transferSeconds = transferSeconds;
    const dirtyPools: number[] = [];
    this.jobs = engineJobs.jobs;
    this.pools = settings.pools.map(
      (pool, number) =>
        new PoolManager(
          engineJobs,
          number,
          dirtyPools,
          pool,
          priorities,
          victimRule,
          settings.pools.length > 1,
        ),
    );
    const { pools } = this;
    this.virtualPools = settings.virtualPools.map(
      (virtualPool) => new VirtualPool(virtualPool, settings.candidateLists),
    );
    const oldest = Math.max(0, ...settings.virtualPools.map(({ viewAgeSeconds }) => viewAgeSeconds));
    this.views = new PoolViews(pools, oldest);
    this.view = new JobView(engineJobs, pools, this.views, transferSeconds, settings.random);
    this.plan = new CyclePlan(pools, dirtyPools);
    this.faults = new Faults({ ...defaultFaults, ...settings.faults }, pools.length);
    this.claims = new Claims(engineJobs, pools);
    const timers = new WaitTimers(engineJobs, pools.length);
    this.timers = strategy.onLongWait === null ? null : timers;
    const { views, claims } = this;
    this.moves = new JobMoves({
      engineJobs,
      pools,
      views,
      timers: this.timers,
      decisions,
      claims,
      transferSeconds,
    });
    this.rescheduler = new Rescheduler(
      settings,
      engineJobs,
      pools,
      this.virtualPools,
      this.view,
      timers,
      this.moves,
    );
    const { moves, faults } = this;
    this.outcomes = new Outcomes({
      engineJobs,
      pools,
      views,
      faults,
      claims,
      decisions,
      moves,
      justSuspended: (job) => {
        if (this.rescheduler.movesSuspended) this.justSuspended.push(job);
      },
    });
    this.machines = new MachineEvents(engineJobs, pools, views, faults, moves);
  }

  /** Tells a sink the reasons for what becomes of the jobs that it asks about; null: nobody asks. */
  tellReasons(sink: ReasonSink | null): void {
    for (const { pool } of this.pools) pool.notes.sink = sink;
  }

  /** What future decisions depend on, as plain data; all decisions have been read. */
  snapshot(): EngineSnapshot {
    if (this.hasDecisions || this.justSuspended.length > 0)
      throw new Error("read all decisions before a snapshot");
    return takeSnapshot(this.parts);
  }

  /** Makes a fresh engine what another was. Jobs get the handles 0, 1, … in the order of the snapshot. */
  restore(snapshot: EngineSnapshot): void {
    restoreSnapshot(this.parts, snapshot);
  }

  private get parts(): SnapshotParts {
    const { engineJobs, pools, virtualPools, views, plan, timers, rescheduler, faults, claims, moves } = this;
    return { engineJobs, pools, virtualPools, views, plan, timers, rescheduler, faults, claims, moves };
  }

  // What users wish.

  /**
   * A job is submitted to its virtual pool, which sends it on at once. Returns its handle, or `NONE` where no pool
   * takes it: see `rejection`.
   */
  submit(request: EngineJobRequest, now: number): number {
    if (!this.decisions.isEmpty) throw new Error("read all decisions before a job is submitted");
    const { engineJobs } = this;
    const job = this.jobs.add(request);
    engineJobs.open(job);
    if (request.retries !== undefined) engineJobs.retriesLeft[job] = request.retries;
    const virtualPool = this.virtualPools[request.virtualPool];
    const candidates = virtualPool.candidates(request.candidates);
    if (!engineJobs.isPlain) {
      engineJobs.virtualPool[job] = request.virtualPool;
      engineJobs.candidates[job] = request.candidates;
    }
    engineJobs.priority[job] = request.priority;
    const pool = this.route(job, virtualPool, candidates, now);
    if (pool === NONE) {
      this.rejection = {
        pools: candidates.pools.map((each) => ({ pool: each, reason: this.pools[each].ineligible(job) })),
      };
      engineJobs.close(job);
      return NONE;
    }
    const seconds = this.transferSeconds[virtualPool.site][this.pools[pool].site];
    if (seconds > 0) this.decisions.add(MOVE, job, pool, NONE, seconds);
    this.moves.send(job, pool, seconds, now);
    return job;
  }

  /** The pool that a virtual pool sends a job to, or `NONE`. */
  private route(job: number, virtualPool: VirtualPool, candidates: Candidates, now: number): number {
    const { pools } = candidates;
    // The choice among one.
    if (pools.length === 1) return this.pools[pools[0]].isEligible(job) ? pools[0] : NONE;
    const { site, viewAgeSeconds, routing } = virtualPool;
    return routing.choose(this.view.of(job, candidates, site, viewAgeSeconds, now));
  }

  /** A job that was on its way is there. */
  arrived(job: number, now: number): Ignored {
    if (this.moves.stateOf(job) !== IN_TRANSFER) return this.moves.whyIgnored(job);
    this.moves.enter(job, this.engineJobs.pool[job], now);
    return TAKEN;
  }

  /** A waiting job leaves the queue until it is released. */
  hold(job: number, now: number): Ignored {
    if (this.moves.stateOf(job) !== WAITING) return this.moves.whyIgnored(job);
    this.moves.leaveQueue(job, now);
    this.engineJobs.state[job] = HELD;
    return TAKEN;
  }

  /** A held job takes its turn in the queue again. */
  release(job: number, now: number): Ignored {
    if (this.moves.stateOf(job) !== HELD) return this.moves.whyIgnored(job);
    this.moves.waitAgain(job, now);
    return TAKEN;
  }

  /** Its user takes a job back: one without machines is over at once, the others when they have been killed. */
  cancel(job: number, now: number): Ignored {
    if (this.moves.stateOf(job) === FREE) return NO_SUCH_JOB;
    return this.moves.cancel(job, now) ? TAKEN : NOT_IN_THAT_STATE;
  }

  /** A job's priority, or what it is expected to run in all, is another from now on. */
  change(
    job: number,
    { priority, estimateSeconds }: { readonly priority?: number; readonly estimateSeconds?: number },
    now: number,
  ): Ignored {
    const { engineJobs, jobs } = this;
    const state = this.moves.stateOf(job);
    if (state !== WAITING && state !== HELD) return this.moves.whyIgnored(job);
    const manager = this.moves.managerOf(job);
    // Its wait goes on, so the timer does as well.
    this.views.changes(manager.number, now);
    if (state === WAITING) manager.leave(job);
    if (priority !== undefined) engineJobs.priority[job] = priority;
    if (estimateSeconds !== undefined)
      engineJobs.estimateSeconds[job] = jobs.estimateSeconds[job] = estimateSeconds;
    if (state === WAITING) manager.wait(job);
    return TAKEN;
  }

  // What is decided.

  /** When `next` has something to do though nothing happens; -Infinity: at once, Infinity: never. */
  get nextTime(): number {
    return Math.min(this.plan.nextTime, this.rescheduler.nextTime, this.faults.nextTime);
  }

  /** Whether no job is ever moved. */
  get isStatic(): boolean {
    return this.rescheduler.isIdle;
  }

  /** Whether decisions have been made that were not read yet. */
  get hasDecisions(): boolean {
    return !this.decisions.isEmpty;
  }

  /** Reads the next decision into `decision`, running the cycles and whatever else is due; false where none is left. */
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

  /** Reads the next decision that has been made into `decision`; false where none is left. */
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
      const job = this.justSuspended.shift();
      if (job === undefined) return false;
      if (engineJobs.state[job] === SUSPENDED) this.rescheduler.suspended(job, now);
    }
  }

  /** Runs a cycle of one pool, for a driver with a plan of its own. */
  cycle(pool: number, now: number): void {
    this.plan.clear();
    this.runCycle(this.pools[pool], now);
  }

  private runCycle(manager: PoolManager, now: number): void {
    const { decisions, timers } = this;
    const { number, started, suspended, resumed } = manager;
    this.views.changes(number, now);
    manager.cycle(now);
    if (manager.pool.notes.isOn) manager.tellReasons(now);
    this.onCycle?.(manager, now);
    const kind = manager.suspendCapability === "none" ? KILL : SUSPEND;
    for (let i = 0; i < suspended.length; i++)
      decisions.add(kind, suspended[i], number, KILL_TO_PREEMPT, 0, this.moves.unread(suspended[i]));
    for (let i = 0; i < resumed.length; i++)
      decisions.add(RESUME, resumed[i], number, 0, 0, this.moves.unread(resumed[i]));
    for (let i = 0; i < started.length; i++) {
      timers?.stop(started[i]);
      // Without suspensions nothing can stand in the way of a start.
      decisions.add(
        START,
        started[i],
        number,
        0,
        0,
        manager.preemption === null ? 0 : this.moves.unread(started[i]),
      );
    }
  }

  /** Tries again what failed some while ago. */
  private retry(now: number): void {
    for (let retry = this.faults.take(now); retry !== undefined; retry = this.faults.take(now)) {
      const manager = this.pools[retry.pool];
      manager.preemption?.retry();
      manager.markDirty();
    }
  }
}
