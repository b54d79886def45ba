import { firstCycleAt, NONE } from "../../core/index.ts";
import type { Driver } from "../run/driver.ts";
import type { Sampler } from "../figures/sampler.ts";
import { CompletionWheel } from "./completion-wheel.ts";

/**
 * The cycles of one pool in which no job is suspended, at multiples of the interval on the log's clock: what
 * `runInstants` does, faster, since jobs that end between two cycles are looked at in the second.
 *
 * A cycle comes after all submissions and completions up to then, and only when something was submitted or finished,
 * or a machine became free by itself, since a cycle that placed nothing; or while what projects have used may change the
 * order of the jobs that wait.
 */
export function runCycles(driver: Driver, sampler: Sampler): void {
  const [pool] = driver.view.pools;
  const { intervalSeconds } = pool;
  const wheel = new CompletionWheel();
  const isInTurn = driver.observers.length > 0 || pool.usage !== null;
  const ending: number[] = [];
  let now = 0;
  const ended = (job: number): void => {
    if (isInTurn) ending.push(job);
    else driver.exit(job, now);
  };
  const cycleAt = (time: number): number => firstCycleAt(time, intervalSeconds);
  let cycle = cycleAt(driver.nextSubmit);
  driver.runs.calendar = {
    add: (job, end) => {
      if (isInTurn) driver.runs.endOf[job] = end;
      wheel.add(job, Math.max(cycle + 1, cycleAt(end)));
    },
  };
  let settled = cycle - 1; // completions up to this cycle are done
  let isWorthwhile = false;
  for (;;) {
    now = cycle * intervalSeconds;
    while (driver.nextSubmit <= now) {
      if (driver.submit(driver.nextSubmit) !== NONE) isWorthwhile = true;
    }
    for (
      let due = wheel.nextDue(settled + 1, cycle + 1);
      due <= cycle;
      due = wheel.nextDue(due + 1, cycle + 1)
    ) {
      if (wheel.take(due, ended) > 0) isWorthwhile = true;
      if (ending.length > 0) driver.finishInTurn(ending.splice(0));
    }
    driver.advance(now);
    settled = cycle;
    if (pool.nextChange <= now) isWorthwhile = true;
    if (isWorthwhile && pool.waiting > 0) isWorthwhile = driver.cycle(0, now) > 0 || pool.isReordering;
    sampler.take(now, driver);

    let next = cycleAt(Math.min(driver.nextSubmit, sampler.nextTime));
    if (pool.waiting > 0) {
      if (isWorthwhile) next = cycle + 1;
      else {
        if (wheel.isEmpty && Math.min(driver.nextSubmit, pool.nextChange) === Infinity) driver.stall();
        next = wheel.nextDue(cycle + 1, Math.min(next, cycleAt(pool.nextChange)));
      }
    } else if (driver.nextSubmit === Infinity) {
      // Nothing waits and nothing comes: there is nothing left to decide.
      break;
    }
    cycle = Math.max(cycle + 1, next);
  }
}
