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
  /** In the order in which they were decided. */
  private claims: Claim[] = [];
  /** Whether a job has stopped since the claims were last checked. */
  private isChanged = false;

  constructor(jobs: EngineJobs, pools: readonly PoolManager[]) {
    this.jobs = jobs;
    this.pools = pools;
  }

  add({ kind, job, pool }: Decision, serial: number): void {
    this.claims.push({ kind, job, pool, serial });
  }

  /** The claims that still stand, in order. */
  save(placeOf: (job: number) => number): Claim[] {
    return this.claims
      .filter((claim) => this.isAlive(claim))
      .map((claim) => ({ ...claim, job: placeOf(claim.job) }));
  }

  load(claims: readonly Claim[]): void {
    this.claims = [...claims];
    this.isChanged = true;
  }

  /** A job that was told to stop has left its machines. */
  changed(): void {
    this.isChanged = true;
  }

  /** Turns the first claim that can be read into a decision. Returns whether there was one. */
  take(into: Decision): boolean {
    if (!this.isChanged) return false;
    this.claims = this.claims.filter((claim) => this.isAlive(claim));
    const at = this.claims.findIndex(({ job, pool }) => !this.pools[pool].suspensions.isBlocked(job));
    if (at < 0) {
      this.isChanged = false;
      return false;
    }
    const [{ kind, job, pool }] = this.claims.splice(at, 1);
    into.kind = kind;
    into.job = job;
    into.pool = pool;
    into.other = 0;
    into.seconds = 0;
    return true;
  }

  private isAlive({ job, serial }: Claim): boolean {
    return this.jobs.unread[job] === serial;
  }
}
