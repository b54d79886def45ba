import { DirtyList } from "./indexes/dirty-list.ts";
import { MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import type { Finder, Heuristic } from "./heuristic.ts";
import { Indexes } from "./indexes.ts";

/**
 * Some of a pool's machines, with indexes of their own: a copy of what is free on
 * them, brought up to date when it is searched. Until then a change in the pool
 * costs a flag.
 */
export class Subset {
  private readonly machines: MachineState;
  private readonly members: Int32Array;
  private readonly copy: MachineState;
  private readonly dirty: DirtyList;
  /** By machine: its number among the members, or `NONE`. */
  private readonly ownNumber: Int32Array;
  private readonly indexes: Indexes;

  constructor(machines: MachineState, members: Int32Array) {
    const amounts = (column: Int32Array): Int32Array => members.map((machine) => column[machine]);
    this.machines = machines;
    this.members = members;
    this.copy = new MachineState({
      coresMilli: amounts(machines.capacityCores),
      memoryMiB: machines.considersMemory ? amounts(machines.capacityMemory) : null,
      gpuMilli: machines.considersGpu ? amounts(machines.capacityGpu) : null,
    });
    this.ownNumber = new Int32Array(machines.count).fill(NONE);
    members.forEach((machine, own) => (this.ownNumber[machine] = own));
    this.dirty = new DirtyList(machines);
    machines.watch(this.dirty);
    this.indexes = new Indexes(this.copy);
  }

  /** Undefined where the heuristic has no index. */
  finder(heuristic: Heuristic): Finder | undefined {
    const find = heuristic.index?.(this.indexes);
    if (find === undefined) return undefined;
    return (cores, memory, gpu) => {
      this.refresh();
      const own = find(cores, memory, gpu);
      return own === NONE ? NONE : this.members[own];
    };
  }

  private refresh(): void {
    const { dirty, machines, copy, ownNumber } = this;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      if (ownNumber[machine] !== NONE) copy.copyFrom(machines, machine, ownNumber[machine]);
    }
    dirty.clear();
  }
}

/** The plain search among some machines: see `scanFinder`. */
export function scanAmong(heuristic: Heuristic, machines: MachineState, members: Int32Array): Finder {
  return (cores, memory, gpu) => {
    const { freeCores, freeMemory, freeGpu, closed } = machines;
    let best = NONE;
    let bestScore = Infinity;
    for (const machine of members) {
      if (freeCores[machine] < cores || freeMemory[machine] < memory || freeGpu[machine] < gpu) continue;
      if (closed[machine] !== 0) continue;
      const score = heuristic.score(machines, machine, cores, memory, gpu);
      if (score < bestScore) {
        bestScore = score;
        best = machine;
      }
    }
    return best;
  };
}
