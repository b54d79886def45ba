import type { AllowedMachines, MachineSet } from "../machines/machine-groups.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type { Heuristic } from "../matching/heuristic.ts";
import { Indexes, type Grain } from "../matching/indexes.ts";
import { scanFinder } from "../matching/scan.ts";
import { scanAmong, Subset } from "../matching/subset.ts";
import type { Chooser } from "./placer.ts";

/** Sets of machines that get indexes of their own, in the order in which jobs ask for them; others are scanned. */
const INDEXED_SETS = 64;

/** Makes heuristics ready for a pool: over all its machines, or over those that a requirement allows. */
export class Choosers {
  private readonly machines: MachineState;
  private readonly grain: Grain;
  private readonly allowed: AllowedMachines | null;
  private readonly isIndexed: boolean;
  private readonly indexes: Indexes;
  private readonly subsets = new Map<MachineSet, Subset>();
  private readonly bySet = new Map<MachineSet, Map<Heuristic, Chooser>>();

  constructor(machines: MachineState, grain: Grain, allowed: AllowedMachines | null, plainScan: boolean) {
    this.machines = machines;
    this.grain = grain;
    this.allowed = allowed;
    // The indexes know cores and memory; a third resource takes the plain scan.
    this.isIndexed = !plainScan && !machines.considersGpu;
    this.indexes = new Indexes(machines, grain);
  }

  of(heuristic: Heuristic): Chooser {
    const { machines } = this;
    const find =
      (this.isIndexed ? heuristic.index?.(this.indexes) : undefined) ?? scanFinder(heuristic, machines);
    return { find, keepsChoice: heuristic.keepsChoice, heuristic };
  }

  /** The same choice among the machines that the requirement allows. */
  among(requirement: number, chooser: Chooser): Chooser {
    const set = this.allowed === null ? null : this.allowed.of(requirement);
    if (set === null) return chooser;
    let choosers = this.bySet.get(set);
    if (choosers === undefined) this.bySet.set(set, (choosers = new Map()));
    let narrowed = choosers.get(chooser.heuristic);
    if (narrowed === undefined) {
      narrowed = this.narrowed(chooser, set);
      choosers.set(chooser.heuristic, narrowed);
    }
    return narrowed;
  }

  private narrowed({ heuristic, keepsChoice }: Chooser, set: MachineSet): Chooser {
    const { machines, grain, subsets } = this;
    let subset = subsets.get(set);
    if (this.isIndexed && subset === undefined && subsets.size < INDEXED_SETS && set.members.length > 0) {
      subset = new Subset(machines, set.members, grain);
      subsets.set(set, subset);
    }
    const find = subset?.finder(heuristic) ?? scanAmong(heuristic, machines, set.members);
    return { find, keepsChoice, heuristic };
  }
}
