import type { PhysicalPool } from "../../core/index.ts";
import type { FarmDriver } from "./farm-driver.ts";

/** Samples kept at most; when there are more, every other one goes and the step doubles. */
const MOST = 512;

/** A farm over time, at equal steps from the first submission (equal lengths). */
export interface FarmSeries {
  /** Seconds since the first submission. */
  readonly timeSeconds: readonly number[];
  readonly coreUtilization: readonly number[];
  readonly suspendedJobs: readonly number[];
  readonly waitingJobs: readonly number[];
  /** By pool, in the farm's order, where that was asked for. */
  readonly poolUtilization?: readonly (readonly number[])[];
}

/** Watches a farm at equal steps of time. */
export class FarmSampler {
  private readonly pools: readonly PhysicalPool[];
  private readonly poolDetail: boolean;
  private readonly cores: number;
  private readonly start: number;
  private step: number;
  private nextTime: number;
  private readonly samples: number[][] = [];

  constructor(pools: readonly PhysicalPool[], start: number, spanSeconds: number, poolDetail: boolean) {
    this.pools = pools;
    this.poolDetail = poolDetail;
    this.cores = pools.reduce((sum, pool) => sum + pool.cores, 0);
    this.start = start;
    this.step = Math.max(1, spanSeconds) / (MOST / 2);
    this.nextTime = start;
  }

  /** Takes the samples due at or before `now`: the farm has been as it is since the last event. */
  take(now: number, driver: FarmDriver): void {
    if (now < this.nextTime) return;
    const used = this.pools.map(({ utilization }) => utilization);
    const busy = this.pools.reduce((sum, { cores, utilization }) => sum + cores * utilization, 0);
    const sample = [busy / this.cores, driver.suspended, driver.waiting, ...(this.poolDetail ? used : [])];
    while (this.nextTime <= now) {
      this.samples.push(sample);
      if (this.samples.length === MOST) {
        for (let i = 0; i < MOST / 2; i++) this.samples[i] = this.samples[i * 2];
        this.samples.length = MOST / 2;
        this.step *= 2;
      }
      this.nextTime = this.start + this.samples.length * this.step;
    }
  }

  series(): FarmSeries {
    const column = (i: number): number[] => this.samples.map((sample) => sample[i]);
    return {
      timeSeconds: this.samples.map((_, i) => i * this.step),
      coreUtilization: column(0),
      suspendedJobs: column(1),
      waitingJobs: column(2),
      ...(this.poolDetail ? { poolUtilization: this.pools.map((_, pool) => column(3 + pool)) } : {}),
    };
  }
}
