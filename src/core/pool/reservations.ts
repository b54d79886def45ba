import { largest, type Grain } from "../matching/indexes.ts";
import { LevelIndex } from "../matching/indexes/level-index.ts";
import { NONE } from "../matching/heuristic.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type { Jobs } from "../jobs/jobs.ts";

/** Less free than this, and a machine takes no reservation. */
export interface LeastFree {
  readonly cores: number;
  readonly memory: number;
}

/**
 * The transient reservations of a cycle (Shai 2014, section 6): a job that found
 * no machine closes, for the rest of the cycle, the machine with the highest
 * available memory that could hold it when empty and is not reserved yet.
 *
 * They are made late. A reservation matters only to a later job that would
 * otherwise be placed, so unmatched jobs are noted and their reservations made
 * when such a job turns up; nothing was placed in between, so the machines are
 * as they were. Most cycles of a full pool end without one.
 */
export class Reservations {
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly grain: Grain;
  private readonly leastFree: LeastFree;
  private byMemory: LevelIndex | undefined;
  private readonly reserved: Int32Array;
  private reservedCount = 0;
  private pending = new Int32Array(256);
  private pendingCount = 0;

  constructor(machines: MachineState, jobs: Jobs, grain: Grain, leastFree: LeastFree) {
    this.machines = machines;
    this.jobs = jobs;
    this.grain = grain;
    this.leastFree = leastFree;
    this.reserved = new Int32Array(machines.count);
  }

  get isPending(): boolean {
    return this.pendingCount > 0;
  }

  /** Notes a job that found no machine. False when every machine is reserved: the cycle is over. */
  note(job: number): boolean {
    if (this.pendingCount === this.pending.length) {
      const wider = new Int32Array(this.pending.length * 2);
      wider.set(this.pending);
      this.pending = wider;
    }
    this.pending[this.pendingCount++] = job;
    if (this.reservedCount + this.pendingCount < this.machines.count) return true;
    this.make();
    return this.reservedCount < this.machines.count;
  }

  /** Makes the reservations of the jobs noted, in their order. */
  make(): void {
    for (let i = 0; i < this.pendingCount && this.reservedCount < this.machines.count; i++)
      this.reserve(this.pending[i]);
    this.pendingCount = 0;
  }

  /** Ends the cycle: every reserved machine takes jobs again. */
  clear(): void {
    for (let i = 0; i < this.reservedCount; i++) this.machines.open(this.reserved[i]);
    this.reservedCount = 0;
    this.pendingCount = 0;
  }

  /** One machine for each of the job's tasks that found none. */
  private reserve(job: number): void {
    const { machines, jobs, leastFree } = this;
    const cores = jobs.cores[job];
    const memory = jobs.memory[job];
    const gpu = jobs.gpu[job];
    let wanted = jobs.tasks[job];
    if (wanted > 1) {
      for (let machine = 0; machine < machines.count && wanted > 0; machine++) {
        if (machines.closed[machine] === 0) wanted -= machines.roomFor(machine, cores, memory, gpu);
      }
    }
    const accept = (machine: number): boolean =>
      machines.capacityMemory[machine] >= memory &&
      machines.capacityGpu[machine] >= gpu &&
      machines.freeCores[machine] >= leastFree.cores &&
      machines.freeMemory[machine] >= leastFree.memory;
    for (; wanted > 0; wanted--) {
      const machine = this.index().mostWhere(cores, accept);
      if (machine === NONE) return;
      machines.close(machine);
      this.reserved[this.reservedCount++] = machine;
    }
  }

  private index(): LevelIndex {
    const { machines, grain } = this;
    return (this.byMemory ??= new LevelIndex(
      machines,
      machines.freeMemory,
      machines.capacityCores,
      largest(machines.capacityMemory),
      grain.memory,
    ));
  }
}
