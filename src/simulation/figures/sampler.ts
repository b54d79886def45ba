import type { MachinesView } from "../../core/index.ts";
import type { PackingMeter } from "../packing/meter.ts";
import type { FarmSeries } from "./farm-figures.ts";
import type { Series } from "../result.ts";
import { addFree, type FreeResources } from "./free-resources.ts";
import type { TypicalTask } from "./offered-load.ts";
import { Samples } from "./samples.ts";

/** What a sampler asks of a run. */
interface SampledRun {
  readonly waiting: number;
  readonly suspended: number;
}

/** A pool as a sampler sees it. */
interface SampledPool {
  readonly machines: MachinesView;
  /** Busy cores ÷ cores. */
  readonly utilization: number;
}

/** Watches the pools at equal steps of time: use, what is stranded, and the queue. */
export class Sampler {
  private readonly pools: readonly SampledPool[];
  private readonly typical: TypicalTask;
  private readonly totalCores: number;
  private readonly totalMemory: number;
  private readonly packing: PackingMeter | null;
  private readonly samples: Samples;

  /**
   * @param spanSeconds how long the run is expected to take
   * @param typical the workload's median task
   * @param packing what knows of families, where jobs are packed
   */
  constructor(
    pools: readonly SampledPool[],
    start: number,
    spanSeconds: number,
    typical: TypicalTask,
    packing: PackingMeter | null = null,
  ) {
    this.packing = packing;
    this.pools = pools;
    this.samples = new Samples(start, spanSeconds);
    this.typical = typical;
    const total = (amounts: (pool: SampledPool) => Int32Array): number =>
      pools.reduce((all, pool) => amounts(pool).reduce((sum, amount) => sum + amount, all), 0);
    this.totalCores = total(({ machines }) => machines.capacityCores);
    this.totalMemory = total(({ machines }) => machines.capacityMemory);
  }

  /** When the next sample is due. */
  get nextTime(): number {
    return this.samples.nextTime;
  }

  /** Takes the samples due at or before `now`: the pools have been as they are since the last event. */
  take(now: number, run: SampledRun): void {
    if (now >= this.samples.nextTime) this.samples.take(now, this.sample(run));
  }

  /** Leaves out what was sampled before the first job and after the last start, where others are rejected long before or after. */
  limit(openedSeconds: number, lastStartSeconds: number): void {
    this.samples.limit(openedSeconds, lastStartSeconds);
  }

  series(): Series {
    const { samples } = this;
    return {
      timeSeconds: samples.times(),
      coreUtilization: samples.column(0),
      memoryUtilization: samples.column(1),
      strandedCores: samples.column(2),
      strandedMemory: samples.column(3),
      queueLength: samples.column(4),
      ...(this.packing === null ? {} : { packingIndex: samples.column(5), idleNodes: samples.column(6) }),
    };
  }

  /** @param poolDetail whether each pool's use is told */
  farmSeries(poolDetail: boolean): FarmSeries {
    const { samples } = this;
    return {
      timeSeconds: samples.times(),
      coreUtilization: samples.column(0),
      suspendedJobs: samples.column(7),
      waitingJobs: samples.column(4),
      ...(poolDetail ? { poolUtilization: this.pools.map((_, pool) => samples.column(8 + pool)) } : {}),
    };
  }

  private sample({ waiting, suspended }: SampledRun): number[] {
    const free: FreeResources = { cores: 0, memory: 0, strandedCores: 0, strandedMemory: 0 };
    for (const { machines } of this.pools) addFree(free, machines, this.typical);
    const ofMemory = (amount: number): number => (this.totalMemory === 0 ? 0 : amount / this.totalMemory);
    return [
      1 - free.cores / this.totalCores,
      this.totalMemory === 0 ? 0 : 1 - ofMemory(free.memory),
      free.strandedCores / this.totalCores,
      ofMemory(free.strandedMemory),
      waiting,
      this.packing?.packingIndex ?? NaN,
      this.packing?.idleNodes ?? NaN,
      suspended,
      ...this.pools.map(({ utilization }) => utilization),
    ];
  }
}
