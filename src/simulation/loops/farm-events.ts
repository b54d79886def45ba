import type { FarmDriver } from "../farm/farm-driver.ts";
import type { FarmSampler } from "../farm/farm-sampler.ts";
import { CompletionHeap } from "./completion-heap.ts";
import { firstCycleAt } from "./cycles.ts";

/**
 * All pools of a farm in one loop over instants: what ended, arrived and was
 * submitted at an instant first, then the cycles that are due, then the look at
 * those who have waited for long. Pools with an interval have their cycles at its
 * multiples on the log's clock, as in `runCycles`; the others at every instant at
 * which something happened to them, as in `runInstants`. Between instants time is
 * skipped.
 *
 * @param intervalSeconds by pool; 0: at every event
 * @param lookSeconds between looks at waiting jobs
 */
export function runFarm(
  driver: FarmDriver,
  sampler: FarmSampler,
  intervalSeconds: readonly number[],
  lookSeconds: number,
): void {
  const { core, running, travelling } = driver;
  const { dirtyPools, pools } = core;
  /** Pools by when their next cycle is due; each is in it at most once. */
  const due = new CompletionHeap();
  const isDue = new Uint8Array(pools.length);
  /** By pool with an interval: the number of its last cycle. */
  const lastCycle = new Float64Array(pools.length).fill(-Infinity);

  const planCycle = (pool: number, now: number): void => {
    if (isDue[pool] !== 0) return;
    const cycle = Math.max(lastCycle[pool] + 1, firstCycleAt(now, intervalSeconds[pool]));
    isDue[pool] = 1;
    due.add(pool, cycle * intervalSeconds[pool]);
  };
  /** Cycles at once for pools without an interval, plans them for the others. */
  const serve = (now: number): void => {
    for (let i = 0; i < dirtyPools.length; i++) {
      const pool = dirtyPools[i];
      if (!pools[pool].isDirty) continue;
      if (intervalSeconds[pool] === 0) driver.cycle(pool, now);
      else planCycle(pool, now);
    }
    dirtyPools.length = 0;
  };
  const runDue = (now: number): void => {
    while (due.firstTime === now) {
      const pool = due.take();
      isDue[pool] = 0;
      lastCycle[pool] = Math.round(now / intervalSeconds[pool]);
      const started = driver.cycle(pool, now);
      // What a cycle leaves reserved may be free to others in the next.
      if (started > 0 && pools[pool].pool.waiting > 0) planCycle(pool, now);
      serve(now);
    }
  };
  let lastLook = -Infinity;
  const nextLook = (): number => {
    const from = core.nextLook;
    if (from === Infinity) return Infinity;
    return (Math.floor(Math.max(from, lastLook) / lookSeconds) + 1) * lookSeconds;
  };

  for (;;) {
    const look = nextLook();
    const now = Math.min(driver.nextSubmit, running.firstTime, travelling.firstTime, due.firstTime, look);
    if (now === Infinity || driver.isStopped) break;
    sampler.take(now, driver);
    driver.finishAll(now);
    driver.arriveAll(now);
    while (driver.nextSubmit === now) driver.submit();
    serve(now);
    runDue(now);
    if (now !== look) continue;
    lastLook = now;
    driver.look(now);
    serve(now);
    runDue(now);
  }
  if (!driver.isStopped && driver.waiting + driver.suspended > 0) {
    throw new Error(`${driver.waiting} jobs wait and ${driver.suspended} are suspended, and nothing goes on`);
  }
}
