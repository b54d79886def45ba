import { NONE } from "../../core/index.ts";
import type { Driver } from "../driver.ts";
import type { Sampler } from "../sampler.ts";
import { CompletionWheel } from "./completion-wheel.ts";

/**
 * A scheduling cycle at every multiple of the interval, on the log's clock, that
 * could place something: after all submissions and completions up to then, and
 * only when something was submitted or finished, or a machine became free by
 * itself, since a cycle that placed nothing. Between such cycles time is skipped.
 */
export function runCycles(driver: Driver, sampler: Sampler, intervalSeconds: number): void {
  const { pool } = driver;
  const wheel = new CompletionWheel();
  const ending: number[] = [];
  const ended = (job: number): void => {
    if (driver.observer === null) driver.finish(job);
    else ending.push(job);
  };
  const cycleAt = (time: number): number => firstCycleAt(time, intervalSeconds);
  let cycle = 0;
  const started = (job: number, end: number): void => wheel.add(job, Math.max(cycle + 1, cycleAt(end)));

  cycle = cycleAt(driver.nextSubmit);
  let settled = cycle - 1; // completions up to this cycle are done
  let isWorthwhile = false;
  for (;;) {
    const now = cycle * intervalSeconds;
    while (driver.nextSubmit <= now) {
      if (driver.submit() !== NONE) isWorthwhile = true;
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
    if (isWorthwhile && pool.waiting > 0) isWorthwhile = driver.cycle(now, started) > 0;
    sampler.take(now, pool.waiting);

    let next = cycleAt(Math.min(driver.nextSubmit, sampler.nextTime));
    if (pool.waiting > 0) {
      if (isWorthwhile) next = cycle + 1;
      else next = wheel.nextDue(cycle + 1, Math.min(next, cycleAt(pool.nextChange)));
    } else if (driver.nextSubmit === Infinity) {
      // Nothing waits and nothing comes: there is nothing left to decide.
      return;
    }
    cycle = Math.max(cycle + 1, next);
  }
}

/** The number of the first cycle not before a time: the quotient may be off by one where the interval is no binary fraction. */
export function firstCycleAt(time: number, intervalSeconds: number): number {
  const cycle = Math.ceil(time / intervalSeconds);
  if ((cycle - 1) * intervalSeconds >= time) return cycle - 1;
  return cycle * intervalSeconds < time ? cycle + 1 : cycle;
}
