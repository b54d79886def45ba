import type { MachineState } from "../core/index.ts";
import type { PackingMeter } from "./packing/meter.ts";
import type { Series } from "./result.ts";

/** Samples kept at most; when there are more, every other one goes and the step doubles. */
const MOST = 512;

/** Watches the pool at equal steps of time: use, what is stranded, and the queue. */
export class Sampler {
  private readonly machines: MachineState;
  private readonly start: number;
  private step: number;
  private readonly typicalCores: number;
  private readonly typicalMemory: number;
  private readonly totalCores: number;
  private readonly totalMemory: number;
  private readonly packing: PackingMeter | null;
  private readonly samples: number[][] = [];
  /** When the next sample is due. */
  nextTime: number;

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
    this.start = start;
    this.step = Math.max(1, spanSeconds) / (MOST / 2);
    this.nextTime = start;
    this.typicalCores = typical.cores;
    this.typicalMemory = typical.memory;
    this.totalCores = machines.capacityCores.reduce((sum, cores) => sum + cores, 0);
    this.totalMemory = machines.capacityMemory.reduce((sum, memory) => sum + memory, 0);
  }

  /** Takes the samples due at or before `now`: the pool has been as it is since the last event. */
  take(now: number, queueLength: number): void {
    if (now < this.nextTime) return;
    const sample = this.look(queueLength);
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

  series(): Series {
    const column = (i: number): number[] => this.samples.map((sample) => sample[i]);
    return {
      timeSeconds: this.samples.map((_, i) => i * this.step),
      coreUtilization: column(0),
      memoryUtilization: column(1),
      strandedCores: column(2),
      strandedMemory: column(3),
      queueLength: column(4),
      ...(this.packing === null ? {} : { packingIndex: column(5), idleNodes: column(6) }),
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
