import { START } from "../../core/index.ts";
import type { Driver } from "../run/driver.ts";
import type { RunObserver } from "../run/run-observer.ts";

/** Stops a run when some jobs have started, or have been rejected. */
export class UntilStarted implements RunObserver {
  private readonly rows: Set<number>;
  private readonly driver: Driver;

  constructor(rows: readonly number[], driver: Driver) {
    this.rows = new Set(rows);
    this.driver = driver;
  }

  decided(): void {
    const { kind, job } = this.driver.port.decision;
    if (kind === START) this.rejected(this.driver.rowOfJob(job));
  }

  rejected(row: number): void {
    if (this.rows.delete(row) && this.rows.size === 0) this.driver.isStopped = true;
  }
}
