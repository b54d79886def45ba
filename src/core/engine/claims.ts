import type { EngineJobs } from "../jobs/engine-jobs.ts";
import type { Decision } from "./decisions.ts";
import type { PoolManager } from "./pool-manager.ts";

export interface Claim {
  readonly kind: number;
  readonly job: number;
  readonly pool: number;
  readonly serial: number;
}

/**
 * The STARTs and RESUMEs that cannot be read yet, because jobs that have been told to stop still hold their machines.
 * The room is reserved for the claim: no other job gets it.
 */
export class Claims {
  private readonly jobs: EngineJobs;
  private readonly pools: readonly PoolManager[];
  /** In the order in which they were decided: those that are to be looked at, from `next` on. */
  private claims: Claim[] = [];
  private next = 0;
  /** Those before `next` that still stand: they wait until another job has stopped. */
  private blocked: Claim[] = [];

  constructor(jobs: EngineJobs, pools: readonly PoolManager[]) {
    this.jobs = jobs;
    this.pools = pools;
  }

  add({ kind, job, pool }: Decision, serial: number): void {
    this.claims.push({ kind, job, pool, serial });
  }

  /** The claims that still stand, in order. */
  save(placeOf: (job: number) => number): Claim[] {
    return this.all()
      .filter((claim) => this.isAlive(claim))
      .map((claim) => ({ ...claim, job: placeOf(claim.job) }));
  }

  load(claims: readonly Claim[]): void {
    this.claims = [...claims];
    this.next = 0;
    this.blocked = [];
  }

  /** A job that was told to stop has left its machines. */
  changed(): void {
    if (this.next === 0) return;
    this.claims = this.all();
    this.next = 0;
    this.blocked = [];
  }

  /** Turns the first claim that can be read into a decision. Returns whether there was one. */
  take(into: Decision): boolean {
    // Each claim is looked at once for each time that jobs stop: thousands may become readable in one step.
    while (this.next < this.claims.length) {
      const claim = this.claims[this.next++];
      if (!this.isAlive(claim)) continue;
      const { kind, job, pool } = claim;
      if (this.pools[pool].suspensions.isBlocked(job)) {
        this.blocked.push(claim);
        continue;
      }
      into.kind = kind;
      into.job = job;
      into.pool = pool;
      into.other = 0;
      into.seconds = 0;
      return true;
    }
    return false;
  }

  private all(): Claim[] {
    return [...this.blocked, ...this.claims.slice(this.next)];
  }

  private isAlive({ job, serial }: Claim): boolean {
    return this.jobs.unread[job] === serial;
  }
}
