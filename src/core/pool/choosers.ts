import type { AllowedMachines, MachineSet } from "../machines/machine-groups.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type { Heuristic } from "../matching/heuristic.ts";
import type { MachineView } from "../machines/machine-view.ts";
import { familyChoosers, type Finders } from "../packing/choosers.ts";
import type { Packing } from "../packing/packing.ts";
import { Indexes } from "../matching/indexes.ts";
import { scanFinder } from "../matching/scan.ts";
import { scanAmong, Subset } from "../matching/subset.ts";
import type { Chooser } from "./placer.ts";

/** Sets of machines that get indexes of their own, in the order in which jobs ask for them; others are scanned. */
const INDEXED_SETS = 64;

/** Makes heuristics ready for a pool: over all its machines, or over those that a requirement allows. */
export class Choosers {
  private readonly machines: MachineState;
  private readonly allowed: AllowedMachines | null;
  private readonly isIndexed: boolean;
  private readonly finders: Finders;
  /** Where jobs are packed: the choosers that know families. */
  private readonly packed: ((heuristic: Heuristic) => Chooser) | null;
  private readonly subsets = new Map<MachineSet, Subset>();
  private readonly bySet = new Map<MachineSet, Map<Heuristic, Chooser>>();

  constructor(
    machines: MachineState,
    allowed: AllowedMachines | null,
    packing: Packing | null,
    plainScan: boolean,
  ) {
    if (packing !== null && allowed !== null)
      throw new RangeError("a pool that packs jobs cannot heed their requirements as well");
    this.machines = machines;
    this.allowed = allowed;
    // The indexes know cores and memory; a third resource takes the plain scan.
    this.isIndexed = !plainScan && !machines.considersGpu;
    const findersOver = (view: MachineView): Finders => this.findersOver(view);
    this.finders = findersOver(machines);
    this.packed = packing === null ? null : familyChoosers(packing, findersOver);
  }

  of(heuristic: Heuristic): Chooser {
    if (this.packed !== null) return this.packed(heuristic);
    return { find: this.finders(heuristic), keepsChoice: heuristic.keepsChoice, heuristic };
  }

  private findersOver(view: MachineView): Finders {
    const indexes = new Indexes(view);
    return (heuristic) =>
      (this.isIndexed ? heuristic.index?.(indexes) : undefined) ?? scanFinder(heuristic, view);
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
    const { machines, subsets } = this;
    let subset = subsets.get(set);
    if (this.isIndexed && subset === undefined && subsets.size < INDEXED_SETS && set.members.length > 0) {
      subset = new Subset(machines, set.members);
      subsets.set(set, subset);
    }
    const find = subset?.finder(heuristic) ?? scanAmong(heuristic, machines, set.members);
    return { find, keepsChoice, heuristic };
  }
}
