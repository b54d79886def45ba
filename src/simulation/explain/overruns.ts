import { jobNumberOf } from "../../workload/index.ts";
import type { Driver } from "../run/driver.ts";
import type { RunObserver } from "../run/run-observer.ts";

/** Which job was the last on each machine to run for longer than it was expected to. */
export class Overruns implements RunObserver {
  private readonly driver: Driver;
  /** By pool and machine: the number of that job, and until when it ran. */
  private readonly last: Map<number, { readonly job: number; readonly until: number }>[];
  private now = 0;

  constructor(driver: Driver) {
    this.driver = driver;
    this.last = driver.view.pools.map(() => new Map());
  }

  advance(now: number): void {
    this.now = now;
  }

  stops(handle: number, pool: number): void {
    const { driver, now } = this;
    const { jobs, pools } = driver.view;
    if (!(jobs.estimatedEndOf(handle) < now)) return;
    const job = jobNumberOf(driver.workload, driver.rowOfJob(handle));
    for (const machine of pools[pool].machinesOf(handle)) this.last[pool].set(machine, { job, until: now });
  }

  /** The numbers of those that ran until after a time where a job now starts. */
  after(seconds: number, handle: number, pool: number): number[] {
    const found = new Set<number>();
    for (const machine of this.driver.view.pools[pool].machinesOf(handle)) {
      const last = this.last[pool].get(machine);
      if (last !== undefined && last.until > seconds) found.add(last.job);
    }
    return [...found];
  }
}
