import type { IntList } from "../int-list.ts";
import { TimeHeap } from "../time-heap.ts";
import type { PoolManager } from "./pool-manager.ts";

interface PlanState {
  readonly due: readonly (readonly [pool: number, time: number])[];
  readonly last: readonly number[];
  readonly dirty: readonly number[];
}

/**
 * When the pools have their cycles. A pool with an interval has them at multiples of it on the driver's clock, if
 * something happened since the last one, or what projects have used may have changed the order of its jobs. The others
 * have one whenever something happens to them.
 */
export class CyclePlan {
  /** Pools in which something happened that may let a job start. A pool may still be listed after its cycle. */
  readonly dirtyPools: IntList;
  private readonly pools: readonly PoolManager[];
  /** Pools by when their next cycle is due; each is in it at most once. */
  private readonly due = new TimeHeap();
  private readonly isDue: Uint8Array;
  private readonly lastCycle: Float64Array;
  /** Pools in which a reserved or booked machine becomes free, or a promised job is to start, at a time without an event. */
  private readonly expiring: readonly PoolManager[];
  private cursor = 0;

  constructor(pools: readonly PoolManager[], dirtyPools: IntList) {
    this.pools = pools;
    this.dirtyPools = dirtyPools;
    this.isDue = new Uint8Array(pools.length);
    this.lastCycle = new Float64Array(pools.length).fill(-Infinity);
    this.expiring = pools.filter(
      ({ pool }) => pool.packing !== null || pool.bookings !== null || pool.policy.nextChange !== undefined,
    );
  }

  /** The pools with cycles due, in order; the numbers of their last cycles; the pools to be checked. */
  save(): PlanState {
    const { due } = this;
    const entries: [number, number][] = [];
    while (due.firstTime < Infinity) {
      const time = due.firstTime;
      entries.push([due.take(), time]);
    }
    for (const [pool, time] of entries) due.add(pool, time);
    return { due: entries, last: [...this.lastCycle], dirty: [...this.dirtyPools].slice(this.cursor) };
  }

  load({ due, last, dirty }: PlanState): void {
    for (const [pool, time] of due) {
      this.due.add(pool, time);
      this.isDue[pool] = 1;
    }
    this.lastCycle.set(last);
    this.clear();
    for (const pool of dirty) this.dirtyPools.add(pool);
  }

  /** When the next cycle is due; -Infinity means now. */
  get nextTime(): number {
    if (this.cursor < this.dirtyPools.length) return -Infinity;
    let time = this.due.firstTime;
    // A pool whose next cycle is planned checks its machines then, even if one has become free before.
    for (const { number, awaitsTime, pool } of this.expiring)
      if (awaitsTime && this.isDue[number] === 0) time = Math.min(time, pool.nextChange);
    return time;
  }

  /** The pool whose cycle is due now; undefined if there is none. */
  next(now: number): PoolManager | undefined {
    const { dirtyPools, pools, due } = this;
    for (const manager of this.expiring)
      if (manager.awaitsTime && manager.pool.nextChange <= now) manager.markDirty();
    while (this.cursor < dirtyPools.length) {
      const manager = pools[dirtyPools.values[this.cursor++]];
      if (!manager.isDirty) continue;
      if (manager.intervalSeconds === 0) return manager;
      this.plan(manager, now);
    }
    this.clear();
    const time = due.firstTime;
    if (time > now) return undefined;
    const number = due.take();
    this.isDue[number] = 0;
    this.lastCycle[number] = Math.round(time / pools[number].intervalSeconds);
    return pools[number];
  }

  /** Forgets which cycles are due, for a driver that runs them itself. */
  clear(): void {
    this.dirtyPools.clear();
    this.cursor = 0;
  }

  /** A pool has had its cycle. */
  ran(manager: PoolManager, now: number): void {
    // What a cycle leaves reserved may become available to other jobs in the next.
    const isWorthwhile = (manager.outcome.hasStarts && manager.isAwaited) || manager.pool.isReordering;
    if (manager.intervalSeconds > 0 && isWorthwhile) this.plan(manager, now);
  }

  private plan({ number, intervalSeconds }: PoolManager, now: number): void {
    if (this.isDue[number] !== 0) return;
    this.isDue[number] = 1;
    const cycle = Math.max(this.lastCycle[number] + 1, firstCycleAt(now, intervalSeconds));
    this.due.add(number, cycle * intervalSeconds);
  }
}

/** The number of the first cycle not before a time: the quotient may be off by one where the interval is no binary fraction. */
export function firstCycleAt(time: number, intervalSeconds: number): number {
  const cycle = Math.ceil(time / intervalSeconds);
  if ((cycle - 1) * intervalSeconds >= time) return cycle - 1;
  return cycle * intervalSeconds < time ? cycle + 1 : cycle;
}
