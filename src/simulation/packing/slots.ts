import { NONE, ORDINARY, type FamilyMachines, type Pool } from "../../core/index.ts";

/** What a slot shows: free, no slot of this node, an ordinary job, or `ORDINARY_SLOT` + the family. */
export const FREE_SLOT = 0;
export const NO_SLOT = 1;
export const ORDINARY_SLOT = 2;

/**
 * The paper's table F (Dal Pra 2014, section 3.1): the slots of every node, and
 * when the job in each ends. A slot is a whole core; a task of several cores
 * takes as many, the first that are free. Of tasks that ask for parts of a core,
 * those that find no slot free are not shown.
 */
export class SlotTable {
  readonly nodes: number;
  /** Slots of the largest node; slot s of node n is at `n * slots + s`. */
  readonly slots: number;
  /** When the job in a slot ends; 0 while it is free. */
  readonly end: Float64Array;
  readonly state: Uint8Array;
  private readonly job: Int32Array;
  private readonly pool: Pool;
  private readonly packing: FamilyMachines | null;

  constructor(pool: Pool) {
    const { count, capacityCores } = pool.machines;
    this.pool = pool;
    this.packing = pool.packing;
    this.nodes = count;
    this.slots = slotsOf(capacityCores);
    this.end = new Float64Array(count * this.slots);
    this.job = new Int32Array(count * this.slots).fill(NONE);
    this.state = new Uint8Array(count * this.slots).fill(NO_SLOT);
    for (let node = 0; node < count; node++) {
      const first = node * this.slots;
      this.state.fill(FREE_SLOT, first, first + Math.floor(capacityCores[node] / 1000));
    }
  }

  /** A job has started that will end at `end`. */
  start(job: number, end: number): void {
    const { placements, jobs } = this.pool;
    const family = this.packing === null ? ORDINARY : jobs.family[job];
    const cores = Math.ceil(jobs.cores[job] / 1000);
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.next[entry]) {
      let left = cores * placements.tasks[entry];
      const first = placements.machine[entry] * this.slots;
      for (let slot = first; left > 0 && slot < first + this.slots; slot++) {
        if (this.state[slot] !== FREE_SLOT) continue;
        this.state[slot] = ORDINARY_SLOT + family;
        this.end[slot] = end;
        this.job[slot] = job;
        left--;
      }
    }
  }

  /** A job ends; it has its placement still. */
  finish(job: number): void {
    const { placements, jobs } = this.pool;
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.next[entry]) {
      const first = placements.machine[entry] * this.slots;
      for (let slot = first; slot < first + this.slots; slot++) {
        if (this.job[slot] !== job) continue;
        this.state[slot] = FREE_SLOT;
        this.end[slot] = 0;
        this.job[slot] = NONE;
      }
    }
  }
}

/** Slots of the largest node. */
export function slotsOf(capacityCores: Int32Array): number {
  return Math.floor(capacityCores.reduce((most, cores) => Math.max(most, cores), 0) / 1000);
}
