import { MachineState } from "../machines/machine-state.ts";
import type { MachineView } from "../machines/machine-view.ts";
import { NONE } from "../none.ts";
import type { Finder, Heuristic } from "./heuristic.ts";
import { Indexes } from "./indexes.ts";
import { DirtyList } from "./indexes/dirty-list.ts";

/**
 * Indexes over some of a view's machines. They work on a copy of what is free there, which is brought up to date when
 * it is searched; until then a change costs a flag. The set is fixed: when machines are added or resized it must be
 * made anew.
 */
export class SetIndexes {
  private readonly view: MachineView;
  private readonly members: Int32Array;
  private readonly copy: MachineState;
  private readonly dirty: DirtyList;
  /** By machine: its number among the members, or `NONE`. */
  private readonly ownNumber: Int32Array;
  private readonly indexes: Indexes;

  constructor(view: MachineView, members: Int32Array) {
    this.view = view;
    this.members = members;
    this.copy = new MachineState({
      coresMilli: members.map((machine) => view.capacityCores[machine]),
      memoryMiB: members.map((machine) => view.capacityMemory[machine]),
      gpuMilli: null,
    });
    this.ownNumber = new Int32Array(view.count).fill(NONE);
    members.forEach((machine, own) => (this.ownNumber[machine] = own));
    this.dirty = new DirtyList(view);
    view.watch(this.dirty);
    this.indexes = new Indexes(this.copy);
  }

  /** Undefined if the heuristic has no index. */
  finder(heuristic: Heuristic): Finder | undefined {
    const find = heuristic.index?.(this.indexes);
    if (find === undefined) return undefined;
    return (cores, memory, gpu) => {
      this.refresh();
      const own = find(cores, memory, gpu);
      return own === NONE ? NONE : this.members[own];
    };
  }

  /** Stops following the view's machines. */
  close(): void {
    this.view.unwatch(this.dirty);
  }

  private refresh(): void {
    const { dirty, view, copy, ownNumber } = this;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      if (ownNumber[machine] !== NONE) copy.copyFrom(view, machine, ownNumber[machine]);
    }
    dirty.clear();
  }
}
