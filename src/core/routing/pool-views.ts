/** A Virtual Pool Manager's knowledge of a pool. */
export interface PoolState {
  /** Busy cores ÷ cores. */
  readonly utilization: number;
  /** Cores that waiting jobs ask for ÷ cores. */
  readonly queue: number;
  /** The seconds that the waiting jobs are expected to take on all cores together. */
  readonly backlogSeconds: number;
}

/** A pool as routing sees it, in its present state. */
export interface RoutedPool extends PoolState {
  readonly site: number;
  /** The mean speed of all machines, weighted by cores. */
  readonly speed: number;
  /** Whether the machines that the job may use could hold all its tasks if they were empty. */
  isEligible(job: number): boolean;
  /** Whether machines may ever be kept for some people there. */
  readonly mayBeBooked: boolean;
  /** Whether the job may start on some machine now, as far as they are kept for others. */
  isOpenTo(job: number, now: number): boolean;
  /** Whether the job could start there now, as far as can be told without a cycle. */
  hasRoomFor(job: number): boolean;
}

/** A state that lasted from `since` until the next one, or until the pool's last change. */
interface PastState extends PoolState {
  readonly since: number;
}

interface ViewsState {
  readonly changed: readonly number[];
  readonly past: readonly (readonly PastState[])[];
}

/** The largest number of states kept for a pool. They are at least the age ÷ this number apart. */
const MAX_STATES = 256;

/**
 * The pools as they were some seconds ago, since what a virtual pool manager at another site knows is old. A state is
 * noted when the pool changes next, so a pool without changes costs nothing.
 */
export class PoolViews {
  private readonly pools: readonly RoutedPool[];
  private readonly oldestSeconds: number;
  private readonly past: PastState[][];
  private readonly changed: Float64Array;

  /** @param oldestSeconds the highest age that will be asked for */
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
    const { utilization, queue, backlogSeconds } = this.pools[pool];
    past.push({ since, utilization, queue, backlogSeconds });
    // One of the states that are too old is still needed: the one that lasted until then.
    while (past.length > 1 && past[1].since <= now - this.oldestSeconds) past.shift();
  }

  /** A pool as it was this many seconds ago. For age 0 that is the pool itself, not a copy. */
  at(pool: number, now: number, ageSeconds: number): PoolState {
    if (ageSeconds === 0 || this.changed[pool] <= now - ageSeconds) return this.pools[pool];
    const past = this.past[pool];
    let at = past.length - 1;
    while (at > 0 && past[at].since > now - ageSeconds) at--;
    return past[at];
  }

  /** By pool, when it changed last, and its past states. */
  save(): ViewsState {
    return {
      changed: [...this.changed],
      past: this.past.map((states) => states.map((state) => ({ ...state }))),
    };
  }

  load({ changed, past }: ViewsState): void {
    this.changed.set(changed);
    past.forEach((states, pool) => (this.past[pool] = states.map((state) => ({ ...state }))));
  }
}
