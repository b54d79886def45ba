/** A pool as routing sees it. */
export interface RoutedPool {
  readonly site: number;
  /** Thousandths of a core of all machines, and their mean speed over the cores. */
  readonly cores: number;
  readonly speed: number;
  /** Busy cores ÷ cores. */
  readonly utilization: number;
  /** What the waiting jobs ask for: thousandths of a core, and those times the expected seconds. */
  readonly waitingCores: number;
  readonly waitingWork: number;
  /** Whether the machines that the job may use could, when empty, hold all its tasks. */
  isEligible(job: number): boolean;
}

/** What a Virtual Pool Manager knows of a pool. */
export interface PoolState {
  /** Busy cores ÷ cores. */
  utilization: number;
  /** Cores that waiting jobs ask for ÷ cores. */
  queue: number;
  /** Expected seconds that the waiting jobs would take all cores for. */
  backlogSeconds: number;
}

/** A state that lasted from `since` until the next one, or until the pool changed again. */
export interface PastState extends PoolState {
  readonly since: number;
}

/** States kept of a pool at most; between two of them at least that part of the age passes. */
const MAX_STATES = 256;

/**
 * The pools as they were some seconds ago: what reaches a virtual pool manager in another place is old. A state is
 * noted when the pool changes next, so a pool that nothing happens to costs nothing.
 */
export class PoolViews {
  private readonly pools: readonly RoutedPool[];
  private readonly oldestSeconds: number;
  private readonly past: PastState[][];
  private readonly changed: Float64Array;
  private readonly scratch: PoolState = { utilization: 0, queue: 0, backlogSeconds: 0 };

  /** @param oldestSeconds the highest age that is asked for */
  constructor(pools: readonly RoutedPool[], oldestSeconds: number) {
    this.pools = pools;
    this.oldestSeconds = oldestSeconds;
    this.past = pools.map(() => []);
    this.changed = new Float64Array(pools.length).fill(-Infinity);
  }

  /** A pool is about to change. */
  changes(pool: number, now: number): void {
    if (this.oldestSeconds === 0 || this.changed[pool] === now) return;
    const past = this.past[pool];
    const since = this.changed[pool];
    this.changed[pool] = now;
    const last = past.at(-1);
    if (last !== undefined && since - last.since < this.oldestSeconds / MAX_STATES) return;
    past.push({ since, ...this.present(pool) });
    // Of the states that are too old one is still asked for: the one that lasted until then.
    while (past.length > 1 && past[1].since <= now - this.oldestSeconds) past.shift();
  }

  /** As it was so many seconds ago; the object is filled anew by the next call. */
  at(pool: number, now: number, ageSeconds: number): PoolState {
    if (ageSeconds === 0 || this.changed[pool] <= now - ageSeconds) return this.present(pool);
    const past = this.past[pool];
    let at = past.length - 1;
    while (at > 0 && past[at].since > now - ageSeconds) at--;
    return past[at];
  }

  /** What a snapshot keeps of it: by pool when it changed last, and its past states. */
  get history(): { readonly changed: number[]; readonly past: readonly (readonly PastState[])[] } {
    return {
      changed: [...this.changed],
      past: this.past.map((states) => states.map((state) => ({ ...state }))),
    };
  }

  set history({ changed, past }: { changed: readonly number[]; past: readonly (readonly PastState[])[] }) {
    this.changed.set(changed);
    past.forEach((states, pool) => (this.past[pool] = states.map((state) => ({ ...state }))));
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
