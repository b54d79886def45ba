import { NONE } from "../../core/index.ts";
import type { Driver } from "../driver.ts";
import type { Sampler } from "../sampler.ts";
import { CompletionHeap } from "./completion-heap.ts";

/** A cycle after every instant at which something was submitted or finished: all its events first. */
export function runInstants(driver: Driver, sampler: Sampler): void {
  const { pool } = driver;
  const running = new CompletionHeap();
  const started = (job: number, end: number): void => running.add(job, end);
  for (;;) {
    if (driver.nextSubmit === Infinity && pool.waiting === 0) return;
    const change = pool.waiting > 0 ? pool.nextChange : Infinity;
    const now = Math.min(driver.nextSubmit, running.firstTime, change);
    driver.advance(now);
    sampler.take(now, pool.waiting);
    let isChanged = running.firstTime === now || change === now;
    while (running.firstTime === now) driver.finish(running.take());
    while (driver.nextSubmit === now) if (driver.submit() !== NONE) isChanged = true;
    if (isChanged && pool.waiting > 0) driver.cycle(now, started);
  }
}
