import { InputError } from "../../workload/index.ts";
import type { Driver } from "../run/driver.ts";
import type { Failures } from "../run/failures.ts";
import type { Sampler } from "../figures/sampler.ts";

/**
 * After so many instants at which no job runs, arrives or is yet to come, those that wait never start. Machines that
 * fail at random, and strategies that look at waiting jobs, would go on for ever.
 */
const MAX_IDLE = 1_000_000;

/**
 * From instant to instant: all that ended, arrived, failed and was submitted then, and what the engine decides after
 * that: pools with an interval have their cycles at its multiples on the log's clock, the others at every instant at
 * which something happened to them. Between instants time is skipped.
 */
export function runInstants(driver: Driver, sampler: Sampler, failures: Failures | null): void {
  const { port } = driver;
  let idle = 0;
  while (!driver.isStopped && !driver.isDone) {
    const next = Math.min(driver.nextSubmit, driver.nextEnd);
    const now = Math.min(
      next,
      port.nextTime,
      failures?.nextTime ?? Infinity,
      driver.predictions?.nextTime ?? Infinity,
      driver.cancellations?.nextTime ?? Infinity,
    );
    if (now === Infinity) break;
    if (next < Infinity) idle = 0;
    else if (++idle > MAX_IDLE) break;
    driver.advance(now);
    if (!driver.isSettled) sampler.take(now, driver);
    driver.finishAll(now);
    driver.predictions?.correct(now);
    driver.arriveAll(now);
    if (driver.cancellations !== null) driver.cancelAll(now);
    failures?.apply(now, driver);
    while (driver.nextSubmit === now) driver.submit(now);
    driver.carryOut(now, true);
  }
  if (!driver.isStopped && failures !== null && driver.waiting > 0)
    throw new InputError(
      `${driver.waiting} jobs wait for machines that are never repaired, or never in service together`,
    );
  if (!driver.isStopped && driver.waiting + driver.suspended > 0) driver.stall();
}
