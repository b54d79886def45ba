import type { EngineJobs } from "../jobs/engine-jobs.ts";
import type { PoolState, PoolViews, RoutedPool } from "./pool-views.ts";
import type { RoutingView } from "./routing.ts";
import type { Candidates } from "./virtual-pool.ts";

/** The knowledge of a virtual pool manager when it chooses a pool for a job. The object is reused for each job. */
export class JobView implements RoutingView {
  pools: readonly number[] = [];
  estimateSeconds = 0;
  private candidates: Candidates = { pools: [], turn: 0 };
  private job = 0;
  private site = 0;
  private ageSeconds = 0;
  private now = 0;
  private needsRoom = false;
  /** Whether pools are left out all of whose machines are kept for others now. */
  private needsOpen = false;
  private readonly mayBeBooked: boolean;
  private readonly jobs: EngineJobs;
  private readonly all: readonly RoutedPool[];
  private readonly views: PoolViews;
  private readonly seconds: readonly (readonly number[])[];
  readonly random: (below: number) => number;

  /** @param transferSeconds the seconds of a transfer from one site to another */
  constructor(
    jobs: EngineJobs,
    pools: readonly RoutedPool[],
    views: PoolViews,
    transferSeconds: readonly (readonly number[])[],
    random: (below: number) => number,
  ) {
    this.jobs = jobs;
    this.all = pools;
    this.views = views;
    this.seconds = transferSeconds;
    this.mayBeBooked = pools.some((pool) => pool.mayBeBooked);
    this.random = random;
  }

  /**
   * @param site the job's present site
   * @param needsRoom whether pools without room for the job are left out: this is asked of the pool itself, so it is
   * never old
   */
  of(
    job: number,
    candidates: Candidates,
    site: number,
    ageSeconds: number,
    now: number,
    needsRoom = false,
  ): this {
    this.job = job;
    this.candidates = candidates;
    this.pools = candidates.pools;
    this.site = site;
    this.ageSeconds = ageSeconds;
    this.now = now;
    this.needsRoom = needsRoom;
    this.estimateSeconds = this.jobs.estimateSeconds[job];
    this.needsOpen = false;
    // Where all are kept for others, one is as good as another.
    this.needsOpen =
      this.mayBeBooked && this.pools.some((pool) => this.isEligible(pool) && this.isOpen(pool));
    return this;
  }

  get turn(): number {
    return this.candidates.turn;
  }

  set turn(place: number) {
    this.candidates.turn = place;
  }

  isEligible(pool: number): boolean {
    const each = this.all[pool];
    return (
      each.isEligible(this.job) &&
      (!this.needsRoom || each.hasRoomFor(this.job)) &&
      (!this.needsOpen || this.isOpen(pool))
    );
  }

  private isOpen(pool: number): boolean {
    return this.all[pool].isOpenTo(this.job, this.now);
  }

  state(pool: number): PoolState {
    return this.views.at(pool, this.now, this.ageSeconds);
  }

  transferSeconds(pool: number): number {
    return this.seconds[this.site][this.all[pool].site];
  }

  speed(pool: number): number {
    return this.all[pool].speed;
  }
}
