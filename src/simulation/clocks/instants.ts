import { InputError } from "../../workload/index.ts";
import type { Driver } from "../run/driver.ts";
import type { Failures } from "../run/failures.ts";
import type { Sampler } from "../figures/sampler.ts";

/**
 * From instant to instant: all that ended, arrived, failed and was submitted then, and what the engine decides after
 * that: pools with an interval have their cycles at its multiples on the log's clock, the others at every instant at
 * which something happened to them. Between instants time is skipped.
 */
export function runInstants(driver: Driver, sampler: Sampler, failures: Failures | null): void {
  const { engine } = driver;
  while (!driver.isStopped && !driver.isDone) {
    const now = Math.min(driver.nextSubmit, driver.nextEnd, engine.nextTime, failures?.nextTime ?? Infinity);
    if (now === Infinity) break;
    driver.advance(now);
    if (!driver.isSettled) sampler.take(now, driver);
    driver.finishAll(now);
    driver.arriveAll(now);
    failures?.apply(now, driver);
    while (driver.nextSubmit === now) driver.submit(now);
    driver.carryOut(now, true);
  }
  if (!driver.isStopped && failures !== null && driver.waiting > 0)
    throw new InputError(`${driver.waiting} jobs wait for machines that are never repaired`);
  if (!driver.isStopped && driver.waiting + driver.suspended > 0) driver.stall();
}
