import { HELD, WAITING } from "../jobs/job-states.ts";
import { go } from "../jobs/transition.ts";
import { NONE } from "../none.ts";
import type { JobView } from "../routing/job-view.ts";
import type { Candidates, VirtualPool } from "../routing/virtual-pool.ts";
import { MOVE } from "./decisions.ts";
import { EnginePart, type SharedState } from "./engine-part.ts";
import { NO_POOL, TAKEN, type Ignored } from "./ignored.ts";
import type { JobMoves } from "./job-moves.ts";
import type { PoolManager } from "./pool-manager.ts";
import type { Rejection } from "./settings.ts";

/**
 * Sends jobs from their virtual pools to pools: when they are submitted, and, if the virtual pool has a queue, when a
 * pool has room for one that waits there. A job also waits there if the only pools that might hold it have not told
 * their machines yet.
 */
export class Router extends EnginePart {
  private readonly virtualPools: readonly VirtualPool[];
  private readonly view: JobView;
  private readonly moves: JobMoves;

  constructor(state: SharedState, virtualPools: readonly VirtualPool[], view: JobView, moves: JobMoves) {
    super(state);
    this.virtualPools = virtualPools;
    this.view = view;
    this.moves = moves;
  }

  /**
   * Sends a job that has just been submitted to a pool, or lets it wait at its virtual pool. Returns why no candidate
   * could ever hold it; null: one can, or might.
   */
  submit(job: number, virtualPool: VirtualPool, list: number, now: number): Rejection | null {
    const { pools, decisions, moves, transferSeconds } = this;
    const candidates = virtualPool.candidates(list);
    const pool = this.chooseInTurn(job, virtualPool, candidates, now);
    if (pool !== NONE) {
      const seconds = transferSeconds[virtualPool.site][pools[pool].site];
      if (seconds > 0) decisions.add(MOVE, job, pool, NONE, seconds);
      moves.send(job, pool, seconds, now);
      return null;
    }
    const rejection = this.rejection(job, candidates.pools);
    if (rejection === null) this.wait(job);
    return rejection;
  }

  /** Why none of these pools takes a job; null: one might. */
  rejection(job: number, among: readonly number[]): Rejection | null {
    const { pools } = this;
    if (among.some((each) => pools[each].mightHold(job))) return null;
    return { pools: among.map((each) => ({ pool: each, reason: pools[each].ineligible(job) })) };
  }

  /** The pools whose machines have to be known before a job that waits at its virtual pool can start; none where another may hold it. */
  awaitedBy(job: number): number[] {
    const { pools } = this;
    const among = this.poolsOf(job);
    if (among.some((each) => pools[each].isEligible(job))) return [];
    return among.filter((each) => pools[each].mightHold(job));
  }

  /**
   * A user sends a waiting or held job to other pools. If it is in one of them that can hold it, it keeps its place
   * there. A held job stays held: a virtual pool with a queue chooses once it is released, another one now. Returns why
   * that is ignored.
   */
  redirect(job: number, virtualPoolNumber: number, list: number, now: number): Ignored {
    const { engineJobs, pools, virtualPools, moves, unassigned, transferSeconds } = this;
    const virtualPool = virtualPools[virtualPoolNumber];
    const candidates = virtualPool.candidates(list);
    if (!candidates.pools.some((each) => pools[each].mightHold(job))) return NO_POOL;
    const isHeld = engineJobs.state[job] === HELD;
    const isInPool = engineJobs.state[job] === WAITING;
    if (!isInPool && !isHeld) unassigned.remove(job);
    if (!engineJobs.isPlain) {
      engineJobs.virtualPool[job] = virtualPoolNumber;
      engineJobs.candidates[job] = list;
    }
    const from = engineJobs.pool[job];
    if (
      (isInPool || (isHeld && from !== NONE)) &&
      candidates.pools.includes(from) &&
      pools[from].isEligible(job)
    )
      return TAKEN;
    if (isHeld) {
      const pool = virtualPool.hasQueue ? NONE : this.choose(job, virtualPool, candidates, now);
      if (pool !== NONE) engineJobs.jobs.arriveAgain(job);
      go(engineJobs, job, HELD, pool);
      return TAKEN;
    }
    const pool = this.chooseInTurn(job, virtualPool, candidates, now);
    if (pool === NONE) {
      if (isInPool) moves.leaveQueue(job, now);
      this.wait(job);
    } else if (isInPool) moves.move(job, pool, transferSeconds[pools[from].site][pools[pool].site], now);
    else this.sendFromQueue(job, pool, now);
    return TAKEN;
  }

  /** The pools to which a virtual pool may send jobs with this list of candidates. */
  candidatesOf(virtualPool: number, list: number): readonly number[] {
    return this.virtualPools[virtualPool].candidates(list).pools;
  }

  /** A job waits at its virtual pool until a pool has room, which may be now. */
  wait(job: number): void {
    const { pools, unassigned } = this;
    unassigned.add(job);
    for (const pool of this.poolsOf(job)) if (pools[pool].hasRoomFor(job)) pools[pool].markDirty();
  }

  /** In a cycle of a pool: sends it the jobs for which it has room, unless their routing prefers another. */
  assign(manager: PoolManager, now: number): void {
    const { engineJobs, unassigned } = this;
    if (engineJobs.unassigned === 0) return;
    unassigned.pass(
      (job) =>
        this.poolsOf(job).includes(manager.number) && manager.isEligible(job) && manager.hasRoomFor(job),
      (job) => {
        const pool = this.choose(job, this.virtualPoolOf(job), this.candidatesOfJob(job), now);
        unassigned.remove(job);
        this.sendFromQueue(job, pool, now);
      },
    );
  }

  /** The pools that a job may be sent to. */
  poolsOf(job: number): readonly number[] {
    return this.candidatesOfJob(job).pools;
  }

  private candidatesOfJob(job: number): Candidates {
    return this.virtualPoolOf(job).candidates(this.engineJobs.candidates[job]);
  }

  private virtualPoolOf(job: number): VirtualPool {
    const { virtualPools, engineJobs } = this;
    return virtualPools[engineJobs.virtualPool[job]];
  }

  /**
   * As `choose`, for a job that comes new to its virtual pool: those that wait there come first. They may take the room
   * of a pool whose cycle is still to come. A pool that is not dirty has no room for any of them.
   */
  private chooseInTurn(job: number, virtualPool: VirtualPool, candidates: Candidates, now: number): number {
    const { pools, engineJobs } = this;
    const mustWait =
      virtualPool.hasQueue &&
      engineJobs.unassigned > 0 &&
      candidates.pools.some((each) => pools[each].isDirty && pools[each].hasRoomFor(job));
    return mustWait ? NONE : this.choose(job, virtualPool, candidates, now);
  }

  /** The pool that a virtual pool sends a job to; `NONE` if no candidate can hold it or, with a queue, has room. */
  private choose(job: number, virtualPool: VirtualPool, candidates: Candidates, now: number): number {
    const { pools, view } = this;
    const { site, viewAgeSeconds, routing, hasQueue } = virtualPool;
    if (candidates.pools.length === 1 && !hasQueue) {
      const only = candidates.pools[0];
      return pools[only].isEligible(job) ? only : NONE;
    }
    return routing.choose(view.of(job, candidates, site, viewAgeSeconds, now, hasQueue));
  }

  /** Sends a job to a pool after it waited at its virtual pool, and tells the driver. */
  private sendFromQueue(job: number, pool: number, now: number): void {
    const { pools, decisions, moves, transferSeconds } = this;
    const seconds = transferSeconds[this.virtualPoolOf(job).site][pools[pool].site];
    decisions.add(MOVE, job, pool, NONE, seconds);
    moves.send(job, pool, seconds, now);
  }
}
