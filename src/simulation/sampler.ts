import type { MachineState } from "../core/index.ts";
import type { PackingMeter } from "./packing/meter.ts";
import type { Series } from "./result.ts";
import { Samples } from "./samples.ts";

/** Watches the pool at equal steps of time: use, what is stranded, and the queue. */
export class Sampler {
  private readonly machines: MachineState;
  private readonly typicalCores: number;
  private readonly typicalMemory: number;
  private readonly totalCores: number;
  private readonly totalMemory: number;
  private readonly packing: PackingMeter | null;
  private readonly samples: Samples;

  /**
   * @param spanSeconds how long the run is expected to take
   * @param typical the workload's median task: thousandths of a core, MiB
   * @param packing what knows of families, where jobs are packed
   */
  constructor(
    machines: MachineState,
    start: number,
    spanSeconds: number,
    typical: { cores: number; memory: number },
    packing: PackingMeter | null = null,
  ) {
    this.packing = packing;
    this.machines = machines;
    this.samples = new Samples(start, spanSeconds);
    this.typicalCores = typical.cores;
    this.typicalMemory = typical.memory;
    this.totalCores = machines.capacityCores.reduce((sum, cores) => sum + cores, 0);
    this.totalMemory = machines.capacityMemory.reduce((sum, memory) => sum + memory, 0);
  }

  /** When the next sample is due. */
  get nextTime(): number {
    return this.samples.nextTime;
  }

  /** Takes the samples due at or before `now`: the pool has been as it is since the last event. */
  take(now: number, queueLength: number): void {
    if (now >= this.samples.nextTime) this.samples.take(now, this.look(queueLength));
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

  private look(queueLength: number): number[] {
    const { machines, typicalCores, typicalMemory } = this;
    const { freeCores, freeMemory } = machines;
    let coresFree = 0;
    let memoryFree = 0;
    let coresStranded = 0;
    let memoryStranded = 0;
    for (let machine = 0; machine < machines.count; machine++) {
      const cores = freeCores[machine];
      const memory = freeMemory[machine];
      coresFree += cores;
      memoryFree += memory;
      if (cores >= typicalCores && memory < typicalMemory) coresStranded += cores;
      if (memory >= typicalMemory && cores < typicalCores) memoryStranded += memory;
    }
    const ofMemory = (amount: number): number => (this.totalMemory === 0 ? 0 : amount / this.totalMemory);
    return [
      1 - coresFree / this.totalCores,
      machines.considersMemory ? 1 - ofMemory(memoryFree) : 0,
      coresStranded / this.totalCores,
      ofMemory(memoryStranded),
      queueLength,
      ...(this.packing === null ? [] : [this.packing.packingIndex, this.packing.idle]),
    ];
  }
}
