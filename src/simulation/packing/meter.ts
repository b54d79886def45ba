import type { MachinesView, PoolView } from "../../core/index.ts";
import { CapacityLadder } from "./capacity.ts";
import { StepMeans } from "./step-means.ts";

/** Means over the time that was measured: until the last job has started. */
export interface PackingFigures {
  /** Nodes that the packed jobs need ÷ nodes they use, over the time in which some run; null where none ever did. */
  readonly packingIndexMean: number | null;
  /** Cores in use ÷ cores. */
  readonly fillFactorMean: number;
  /** Nodes on which nothing runs. */
  readonly idleNodesMean: number;
  /** By family, in their order. */
  readonly packingIndexMeans: readonly (number | null)[];
  /** The fill factor's mean over equal steps of that time, for its error. */
  readonly fillFactorSteps: { readonly stepSeconds: number; readonly means: readonly number[] };
  /** How long was measured. */
  readonly seconds: number;
  /**
   * Node-seconds out of service, those in service with nothing running, and the sum over nodes of the share of cores in
   * use times seconds.
   */
  readonly downNodeSeconds: number;
  readonly idleNodeSeconds: number;
  readonly busyNodeSeconds: number;
}

/**
 * The indicators of Dal Pra 2014, section 3, over time: exact means, since the
 * pool stays as it is between two instants of the driver's.
 *
 * - **Packing index**: nodes that the packed jobs need ÷ nodes they use, summed
 *   over families (a node that two families use counts for both). What they need
 *   is as few nodes as have the cores, memory and GPUs that they hold; with equal
 *   nodes and one slot a job, ⌈jobs ÷ slots⌉. Undefined while none runs.
 * - **Fill factor**: cores in use ÷ cores, those of nodes that are down included.
 * - **Idle nodes**: those in service on which nothing runs, which could be switched off.
 */
export class PackingMeter {
  private readonly pools: readonly PoolView[];
  private readonly families: number;
  private readonly ladders: Readonly<Record<"coresHeld" | "memoryHeld" | "gpuHeld", CapacityLadder>>;
  private readonly totalCores: number;
  private usedCores = 0;
  private downNodes = 0;
  /** As of now. */
  idleNodes = 0;
  /** The sum over nodes of the share of their cores in use. */
  private useSum = 0;
  private from: number;
  private readonly until: number;
  private last = -Infinity;
  private fillSteps: StepMeans;
  private seconds = 0;
  private fillSeconds = 0;
  private downNodeSeconds = 0;
  private idleNodeSeconds = 0;
  private busyNodeSeconds = 0;
  /** At 0 of all families together, then by family: index × seconds, and seconds in which it is defined. */
  private readonly indexSeconds: Float64Array;
  private readonly definedSeconds: Float64Array;

  /**
   * @param pools all of them pack jobs
   * @param from, until only the time in between counts; seconds
   */
  constructor(pools: readonly PoolView[], from: number, until: number) {
    this.pools = pools;
    this.families = pools[0].families!.families;
    const all = (of: "capacityCores" | "capacityMemory" | "capacityGpu"): CapacityLadder =>
      new CapacityLadder(Int32Array.from(pools.flatMap(({ machines }) => [...machines[of]])));
    this.ladders = {
      coresHeld: all("capacityCores"),
      memoryHeld: all("capacityMemory"),
      gpuHeld: all("capacityGpu"),
    };
    this.totalCores = pools.reduce((sum, { cores }) => sum + cores, 0);
    this.from = from;
    this.fillSteps = new StepMeans(from);
    this.until = until;
    this.indexSeconds = new Float64Array(this.families + 1);
    this.definedSeconds = new Float64Array(this.families + 1);
    for (const { machines } of pools) this.watch(machines);
  }

  private watch(machines: MachinesView): void {
    const { freeCores, capacityCores, count } = machines;
    const isDownNow = new Uint8Array(count);
    const isIdleNow = new Uint8Array(count).fill(1);
    const usedNow = new Int32Array(count);
    const useNow = new Float64Array(count);
    this.idleNodes += count;
    machines.watch({
      changed: (machine) => {
        const free = freeCores[machine];
        const capacity = capacityCores[machine];
        const isDown = machines.isInService(machine) ? 0 : 1;
        const isIdle = free < capacity || isDown === 1 ? 0 : 1;
        this.downNodes += isDown - isDownNow[machine];
        isDownNow[machine] = isDown;
        this.idleNodes += isIdle - isIdleNow[machine];
        isIdleNow[machine] = isIdle;
        this.usedCores += capacity - free - usedNow[machine];
        usedNow[machine] = capacity - free;
        const use = 1 - free / capacity;
        this.useSum += use - useNow[machine];
        useNow[machine] = use;
      },
      resized: () => {
        throw new Error(
          "packing is measured on machines that stay as they are, and one was added or resized",
        );
      },
    });
  }

  /** Counts nothing before this time. To be called before `advance`. */
  beginAt(seconds: number): void {
    this.from = Math.max(this.from, seconds);
    this.fillSteps = new StepMeans(this.from);
  }

  /** Advances time to `now`; nothing has changed since the last call. */
  advance(now: number): void {
    const start = Math.max(this.last, this.from);
    const seconds = Math.min(now, this.until) - start;
    this.last = now;
    if (!(seconds > 0 && seconds < Infinity)) return;
    this.seconds += seconds;
    this.fillSeconds += this.fillFactor * seconds;
    this.fillSteps.add(this.fillFactor, seconds, start + seconds);
    this.downNodeSeconds += this.downNodes * seconds;
    this.idleNodeSeconds += this.idleNodes * seconds;
    this.busyNodeSeconds += this.useSum * seconds;
    let needed = 0;
    let used = 0;
    for (let family = 1; family <= this.families; family++) {
      const usedByFamily = this.used(family);
      if (usedByFamily === 0) continue;
      const neededByFamily = this.needed(family);
      this.indexSeconds[family] += (neededByFamily / usedByFamily) * seconds;
      this.definedSeconds[family] += seconds;
      needed += neededByFamily;
      used += usedByFamily;
    }
    if (used === 0) return;
    this.indexSeconds[0] += (needed / used) * seconds;
    this.definedSeconds[0] += seconds;
  }

  /** Whether anything ran in the time that was measured so far. */
  get hasSeenUse(): boolean {
    return this.fillSeconds > 0;
  }

  get fillFactor(): number {
    return 1 - (this.totalCores - this.usedCores) / this.totalCores;
  }

  /** As of now; NaN while no packed job runs. */
  get packingIndex(): number {
    let needed = 0;
    let used = 0;
    for (let family = 1; family <= this.families; family++) {
      used += this.used(family);
      needed += this.needed(family);
    }
    return needed / used;
  }

  figures(): PackingFigures {
    const { seconds } = this;
    const mean = (sum: number): number => (seconds === 0 ? 0 : sum / seconds);
    const [packingIndexMean, ...packingIndexMeans] = Array.from(this.indexSeconds, (sum, family) =>
      this.definedSeconds[family] === 0 ? null : sum / this.definedSeconds[family],
    );
    return {
      packingIndexMean: packingIndexMean,
      packingIndexMeans,
      fillFactorMean: mean(this.fillSeconds),
      idleNodesMean: mean(this.idleNodeSeconds),
      seconds,
      fillFactorSteps: this.fillSteps.means(),
      downNodeSeconds: this.downNodeSeconds,
      idleNodeSeconds: this.idleNodeSeconds,
      busyNodeSeconds: this.busyNodeSeconds,
    };
  }

  private used(family: number): number {
    return this.pools.reduce((sum, { families }) => sum + families!.machinesUsed[family], 0);
  }

  /**
   * The fewest nodes that have what a family holds, but no more than it uses: suspended jobs stay on their node beside
   * those that run in their place, so a family may hold more than its nodes have. It is packed all the same.
   */
  private needed(family: number): number {
    let most = 0;
    for (const resource of ["coresHeld", "memoryHeld", "gpuHeld"] as const) {
      const held = this.pools.reduce((sum, { families }) => sum + families![resource][family], 0);
      most = Math.max(most, this.ladders[resource].machinesFor(held));
    }
    return Math.min(most, this.used(family));
  }
}
