import { NONE } from "../../core/index.ts";
import type { Driver } from "../driver.ts";
import type { Sampler } from "../sampler.ts";
import { CompletionHeap } from "./completion-heap.ts";

/**
 * The event order of a well-known EASY simulator, whose schedules are published:
 * events one at a time, and a cycle may follow each. At one instant submissions
 * come before completions, completions in the order in which the jobs started.
 * What is expected to have ended by now counts as free before its own completion
 * comes up. A submission leads to a cycle only if the job fits at once.
 */
export function runSingleEvents(driver: Driver, sampler: Sampler): void {
  const { pool } = driver;
  const running = new CompletionHeap();
  const started = (job: number, end: number): void => running.add(job, end);
  const pass = (now: number): void => {
    if (pool.waiting > 0) driver.cycle(now, started);
  };
  for (;;) {
    if (driver.nextSubmit === Infinity && pool.waiting === 0) return;
    const change = pool.waiting > 0 ? pool.nextChange : Infinity;
    const now = Math.min(driver.nextSubmit, running.firstTime, change);
    driver.advance(now);
    sampler.take(now, pool.waiting);
    // Of the jobs that end now, those that were expected to are free from the start of the instant.
    const ending: { job: number; early: boolean }[] = [];
    while (running.firstTime === now) {
      const job = running.take();
      const early = pool.jobs.estimatedEnd[job] <= now;
      ending.push({ job, early });
      if (early) driver.finish(job);
    }
    while (driver.nextSubmit === now) {
      const job = driver.submit();
      if (job !== NONE && fits(driver, job)) pass(now);
    }
    for (const { job, early } of ending) {
      if (!early) driver.finish(job);
      pass(now);
    }
    if (change === now) pass(now);
  }
}

/** Whether all of a waiting job's tasks have room now. */
function fits(driver: Driver, job: number): boolean {
  const { machines, jobs } = driver.pool;
  let left = jobs.tasks[job];
  for (let machine = 0; machine < machines.count && left > 0; machine++) {
    left -= machines.roomFor(machine, jobs.cores[job], jobs.memory[job], jobs.gpu[job]);
  }
  return left <= 0;
}
