import { NONE, type View } from "../../core/index.ts";

/**
 * What a slot shows: free, no slot of this node, an ordinary job, `ORDINARY_SLOT` + the family, or, after the last
 * family, that the node is down.
 */
const FREE_SLOT = 0;
const NO_SLOT = 1;
const ORDINARY_SLOT = 2;

/**
 * The slots of every node, and the job in each (the paper's table F: Dal Pra
 * 2014, section 3.1). A slot is a whole core; a task of several cores takes as
 * many, the first that are free. Of tasks that ask for parts of a core, those
 * that find no slot free are not shown.
 */
export class SlotTable {
  readonly nodes: number;
  /** Slots of the largest node; slot s of node n is at `n * slots + s`. */
  readonly slots: number;
  /** What each slot would show if all nodes were in service. */
  private readonly state: Uint8Array;
  private readonly job: Int32Array;
  private readonly view: View;
  /** By pool: the number of its first node among all. */
  private readonly firstNode: readonly number[];

  constructor(view: View) {
    const { pools } = view;
    this.view = view;
    let nodes = 0;
    this.firstNode = pools.map(({ machines }) => {
      nodes += machines.count;
      return nodes - machines.count;
    });
    this.nodes = nodes;
    this.slots = Math.max(...pools.map(({ machines }) => slotsOf(machines.capacityCores)));
    this.job = new Int32Array(nodes * this.slots).fill(NONE);
    this.state = new Uint8Array(nodes * this.slots).fill(NO_SLOT);
    pools.forEach(({ machines }, number) =>
      machines.capacityCores.forEach((cores, node) => {
        const first = (this.firstNode[number] + node) * this.slots;
        this.state.fill(FREE_SLOT, first, first + Math.floor(cores / 1000));
      }),
    );
  }

  /** What each slot shows now. */
  states(): Uint8Array {
    const states = this.state.slice();
    this.view.pools.forEach(({ machines, families }, number) => {
      const downSlot = ORDINARY_SLOT + families!.families + 1;
      for (let node = 0; node < machines.count; node++) {
        if (machines.isInService(node)) continue;
        const first = (this.firstNode[number] + node) * this.slots;
        for (let slot = first; slot < first + this.slots; slot++)
          if (states[slot] === FREE_SLOT) states[slot] = downSlot;
      }
    });
    return states;
  }

  /** The number of slots, with those that smaller nodes do not have. */
  get size(): number {
    return this.state.length;
  }

  /** A job of a pool runs from now on. */
  start(job: number, number: number): void {
    const { jobs } = this.view;
    const pool = this.view.pools[number];
    const { places } = pool;
    const cores = Math.ceil(jobs.coresOf(job) / 1000);
    for (let entry = pool.firstPlace(job); entry !== NONE; entry = places.after(entry)) {
      let left = cores * places.tasksOf(entry);
      const first = (this.firstNode[number] + places.machineOf(entry)) * this.slots;
      for (let slot = first; left > 0 && slot < first + this.slots; slot++) {
        if (this.state[slot] !== FREE_SLOT) continue;
        this.state[slot] = ORDINARY_SLOT + jobs.familyOf(job);
        this.job[slot] = job;
        left--;
      }
    }
  }

  /** A job of a pool stops running; its placement is still known. */
  finish(job: number, number: number): void {
    const pool = this.view.pools[number];
    const { places } = pool;
    for (let entry = pool.firstPlace(job); entry !== NONE; entry = places.after(entry)) {
      const first = (this.firstNode[number] + places.machineOf(entry)) * this.slots;
      for (let slot = first; slot < first + this.slots; slot++) {
        if (this.job[slot] !== job) continue;
        this.state[slot] = FREE_SLOT;
        this.job[slot] = NONE;
      }
    }
  }
}

/** Slots of the largest node. */
function slotsOf(capacityCores: Int32Array): number {
  return Math.floor(capacityCores.reduce((most, cores) => Math.max(most, cores), 0) / 1000);
}
