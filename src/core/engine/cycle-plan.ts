import { TimeHeap } from "../time-heap.ts";
import type { PoolManager } from "./pool-manager.ts";

/**
 * When the pools have their cycles. Pools with an interval have them at its multiples on the driver's clock, when
 * something happened since the last one; the others whenever something happened to them.
 */
export class CyclePlan {
  /** Pools in which a job may start since something happened; one may be named though it has had its cycle since. */
  readonly dirtyPools: number[] = [];
  private readonly pools: readonly PoolManager[];
  /** Pools by when their next cycle is due; each is in it at most once. */
  private readonly due = new TimeHeap();
  private readonly isDue: Uint8Array;
  private readonly lastCycle: Float64Array;
  /** Pools in which a machine may become free by itself. */
  private readonly expiring: readonly PoolManager[];
  private cursor = 0;

  constructor(pools: readonly PoolManager[], dirtyPools: number[]) {
    this.pools = pools;
    this.dirtyPools = dirtyPools;
    this.isDue = new Uint8Array(pools.length);
    this.lastCycle = new Float64Array(pools.length).fill(-Infinity);
    this.expiring = pools.filter(({ pool }) => pool.packing !== null);
  }

  /** What a snapshot keeps: pools by the cycles due, in order; numbers of the last ones; pools to be looked at. */
  get kept(): { due: [number, number][]; last: number[]; dirty: number[] } {
    const { due } = this;
    const entries: [number, number][] = [];
    while (due.firstTime < Infinity) {
      const time = due.firstTime;
      entries.push([due.take(), time]);
    }
    for (const [pool, time] of entries) due.add(pool, time);
    return { due: entries, last: [...this.lastCycle], dirty: this.dirtyPools.slice(this.cursor) };
  }

  set kept({ due, last, dirty }: { due: [number, number][]; last: number[]; dirty: number[] }) {
    for (const [pool, time] of due) {
      this.due.add(pool, time);
      this.isDue[pool] = 1;
    }
    this.lastCycle.set(last);
    this.dirtyPools.splice(0, this.dirtyPools.length, ...dirty);
    this.cursor = 0;
  }

  /** When a cycle is due next; -Infinity: at once. */
  get nextTime(): number {
    if (this.cursor < this.dirtyPools.length) return -Infinity;
    let time = this.due.firstTime;
    // A pool whose next cycle is planned looks then, however long a machine has been free by itself.
    for (const { number, waiting, pool } of this.expiring)
      if (waiting > 0 && this.isDue[number] === 0) time = Math.min(time, pool.nextChange);
    return time;
  }

  /** The pool whose cycle is to run now; undefined where none is. */
  next(now: number): PoolManager | undefined {
    const { dirtyPools, pools, due } = this;
    for (const manager of this.expiring)
      if (manager.waiting > 0 && manager.pool.nextChange <= now) manager.markDirty();
    while (this.cursor < dirtyPools.length) {
      const manager = pools[dirtyPools[this.cursor++]];
      if (!manager.isDirty) continue;
      if (manager.intervalSeconds === 0) return manager;
      this.plan(manager, now);
    }
    dirtyPools.length = this.cursor = 0;
    if (due.firstTime > now) return undefined;
    const number = due.take();
    this.isDue[number] = 0;
    this.lastCycle[number] = Math.round(now / pools[number].intervalSeconds);
    return pools[number];
  }

  /** The driver runs the cycles itself. */
  clear(): void {
    this.dirtyPools.length = this.cursor = 0;
  }

  /** A pool has had its cycle. */
  ran(manager: PoolManager, now: number): void {
    // What a cycle leaves reserved may be free to others in the next.
    const isWorthwhile = manager.started.length + manager.resumed.length > 0 && manager.waiting > 0;
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
