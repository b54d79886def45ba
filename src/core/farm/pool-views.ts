import type { PhysicalPool } from "./physical-pool.ts";

/** What a Virtual Pool Manager knows of a pool. */
export interface PoolState {
  /** Busy cores ÷ cores. */
  utilization: number;
  /** Cores that waiting jobs ask for ÷ cores. */
  queue: number;
  /** Expected seconds that the waiting jobs would take all cores for. */
  backlogSeconds: number;
}

/** States kept of a pool at most; between two of them at least that part of the age passes. */
const MOST = 256;

/**
 * The pools as they were some seconds ago: what reaches a virtual pool manager in
 * another place is old. A state is noted when the pool changes next, so a pool
 * that nothing happens to costs nothing.
 */
export class PoolViews {
  private readonly pools: readonly PhysicalPool[];
  private readonly mostSeconds: number;
  /** By pool: states that lasted from `since` until the next one, or until `changed`. */
  private readonly past: (PoolState & { since: number })[][];
  private readonly changed: Float64Array;
  private readonly scratch: PoolState = { utilization: 0, queue: 0, backlogSeconds: 0 };

  /** @param mostSeconds the highest age that is asked for */
  constructor(pools: readonly PhysicalPool[], mostSeconds: number) {
    this.pools = pools;
    this.mostSeconds = mostSeconds;
    this.past = pools.map(() => []);
    this.changed = new Float64Array(pools.length).fill(-Infinity);
  }

  /** A pool is about to change. */
  changes(pool: number, now: number): void {
    if (this.mostSeconds === 0 || this.changed[pool] === now) return;
    const past = this.past[pool];
    const since = this.changed[pool];
    this.changed[pool] = now;
    const last = past.at(-1);
    if (last !== undefined && since - last.since < this.mostSeconds / MOST) return;
    past.push({ since, ...this.present(pool) });
    // Of the states that are too old one is still asked for: the one that lasted until then.
    while (past.length > 1 && past[1].since <= now - this.mostSeconds) past.shift();
  }

  /** As it was so many seconds ago; the object is filled anew by the next call. */
  at(pool: number, now: number, ageSeconds: number): PoolState {
    if (ageSeconds === 0 || this.changed[pool] <= now - ageSeconds) return this.present(pool);
    const past = this.past[pool];
    let at = past.length - 1;
    while (at > 0 && past[at].since > now - ageSeconds) at--;
    return past[at];
  }

  private present(pool: number): PoolState {
    const { scratch } = this;
    const { cores, waitingCores, waitingWork, utilization } = this.pools[pool];
    scratch.utilization = utilization;
    scratch.queue = waitingCores / cores;
    scratch.backlogSeconds = waitingWork / cores;
    return scratch;
  }
}
