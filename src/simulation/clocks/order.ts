import { InputError, jobNumberOf, type Machines, type Workload } from "../../workload/index.ts";
import type { Driver } from "../run/driver.ts";
import type { Sampler } from "../figures/sampler.ts";

/**
 * The order-driven clock of Dal Pra 2014, section 3.2, for logs that do not tell when jobs were submitted: their
 * order and their run times count, and the clock is the farm's own.
 *
 * 1. Free the slots whose job ends no later than the clock.
 * 2. Fill the queue in the order of the log, with as many jobs as the farm has nodes unless told otherwise, and start
 *    those that the policy has a slot for, until it has none. They pass jobs that it has none for, but no job of the log
 *    enters the queue before there is room in it.
 * 3. Move the clock to one second after the earliest end of a running job; or to where a reserved node becomes free
 *    by itself, if that is sooner.
 *
 * (Where the paper frees slots with f > Ts, and takes the least of all of F, it means f ≤ Ts, and the least of the
 * slots that are busy.)
 */
export function runOrder(driver: Driver, sampler: Sampler, begin: number, queuedJobs: number | null): void {
  const { workload, predictions } = driver;
  const { running, rowOf } = driver.runs;
  const { submitSeconds } = driver.ledger;
  const [pool] = driver.view.pools;
  const most = queuedJobs ?? pool.machines.count;
  for (let now = begin; ;) {
    driver.advance(now);
    sampler.take(now, driver);
    while (running.firstTime <= now) {
      const job = running.take();
      predictions?.ends(rowOf[job], now);
      driver.finish(job);
    }
    predictions?.correct(now);
    do {
      while (pool.waiting < most && driver.nextRow < workload.count) {
        submitSeconds[driver.nextRow] = now;
        driver.submit(now);
      }
    } while (driver.cycle(0, now) > 0);
    if (pool.waiting === 0) break;
    now = Math.min(running.firstTime + 1, pool.nextChange);
    if (now === Infinity) driver.stall();
  }
}

/** @throws InputError where it is no farm of equal nodes, with one slot a job */
export function checkSlotFarm(workload: Workload, machines: Machines): void {
  const other = whatIsNoSlot(machines);
  if (other !== null) {
    throw new InputError(
      `the order-driven clock is for equal nodes with a number of slots and nothing else, such as 800x8c; machines ${machines.name} have ${other}`,
    );
  }
  const row = workload.coresMilli.findIndex(
    (cores, row) => cores !== 1000 || (workload.tasks !== null && workload.tasks[row] !== 1),
  );
  if (row >= 0) {
    throw new InputError(
      `the order-driven clock is for jobs of one slot; job ${jobNumberOf(workload, row)} of workload ${workload.name} asks for more: leave such jobs out, or use the time-driven clock, which croft simulate has unless told otherwise`,
    );
  }
}

function whatIsNoSlot({ coresMilli, memoryMiB, gpuMilli }: Machines): string | null {
  const first = coresMilli[0];
  if (memoryMiB !== null) return "memory";
  if (gpuMilli !== null) return "GPUs";
  if (coresMilli.some((cores) => cores !== first)) return "different numbers of cores";
  return first % 1000 === 0 ? null : "parts of cores";
}
