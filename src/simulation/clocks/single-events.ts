import { NONE } from "../../core/index.ts";
import type { Driver } from "../run/driver.ts";
import type { Sampler } from "../figures/sampler.ts";

/**
 * The event order of a well-known EASY simulator, whose schedules are published, on one pool: events one at a time,
 * and a cycle may follow each. At one instant submissions come before completions, completions in the order in which
 * the jobs started. What is expected to have ended by now counts as free before its own completion comes up. A
 * submission leads to a cycle only if the job fits at once; with predicted run times every submission does, and before
 * it come the predictions that run out, but for those of jobs that end just then.
 */
export function runSingleEvents(driver: Driver, sampler: Sampler): void {
  const { predictions } = driver;
  const { running, rowOf } = driver.runs;
  const { jobs, pools } = driver.view;
  const [pool] = pools;
  const pass = (now: number): void => {
    if (pool.waiting > 0) driver.cycle(0, now);
  };
  while (driver.nextSubmit < Infinity || pool.waiting > 0) {
    const change = pool.waiting > 0 ? pool.nextChange : Infinity;
    const now = Math.min(driver.nextSubmit, running.firstTime, change, predictions?.nextTime ?? Infinity);
    if (now === Infinity) driver.stall();
    driver.advance(now);
    sampler.take(now, driver);
    // Of the jobs that end now, those that were expected to end by now count as free from the start of the instant.
    const ending: { job: number; early: boolean }[] = [];
    while (running.firstTime === now) {
      const job = running.take();
      predictions?.ends(rowOf[job], now);
      const early = jobs.estimatedEndOf(job) <= now;
      ending.push({ job, early });
      if (early) driver.finish(job);
    }
    predictions?.correct(now);
    while (driver.nextSubmit === now) {
      const job = driver.submit(now);
      if (job !== NONE && (predictions !== null || pool.fitsIntoFree(job))) pass(now);
    }
    for (const { job, early } of ending) {
      if (!early) driver.finish(job);
      pass(now);
    }
    if (change === now) pass(now);
  }
}
