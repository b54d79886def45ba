import type { Jobs } from "../jobs/jobs.ts";
import type { AllowedMachines, MachineSet } from "../machines/allowed-machines.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type { MachineView } from "../machines/machine-view.ts";
import type { Finder, Heuristic } from "../matching/heuristic.ts";
import { Indexes } from "../matching/indexes.ts";
import { SetIndexes } from "../matching/set-indexes.ts";
import { ORDINARY, type FamilyMachines } from "../packing/family-machines.ts";
import { Search, type Chooser, type SearchedView } from "./search.ts";

/** The largest number of sets of machines that have indexes at a time; the others are scanned. */
const INDEXED_SETS = 64;
/** An indexed set that was not used in this many searches of sets is dropped for another. */
const IDLE_SEARCHES = 4096;

/** The search of a family on the machines of a set. */
interface SetSearch {
  readonly set: MachineSet;
  readonly family: number;
  readonly search: Search;
  /** Null if the set has no indexes. */
  readonly indexes: readonly SetIndexes[] | null;
  lastUse: number;
}

/**
 * Prepares heuristics for a pool. A job is placed on machines of its requirement's set that its family may use, first
 * on those that the family prefers, and not on machines that the job is excluded from.
 */
export class Choosers {
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly allowed: AllowedMachines;
  private readonly packing: FamilyMachines | null;
  private readonly isIndexed: boolean;
  /** By family: the machines that it may use, in order of preference, and the search over them. */
  private readonly views: readonly (readonly MachineView[])[];
  private readonly searches: readonly Search[];
  /** By set, by family: the searches on the sets, for this age of `allowed`. */
  private readonly setSearches = new Map<MachineSet, (SetSearch | undefined)[]>();
  private age = 0;
  /** The sets that have indexes. */
  private readonly indexed: SetSearch[] = [];
  /** Counts the searches of sets. */
  private uses = 0;

  /** @param plainScan whether to index nothing, for comparison with the definition */
  constructor(
    machines: MachineState,
    jobs: Jobs,
    allowed: AllowedMachines,
    packing: FamilyMachines | null,
    plainScan: boolean,
  ) {
    this.machines = machines;
    this.jobs = jobs;
    this.allowed = allowed;
    this.packing = packing;
    this.isIndexed = !plainScan;
    this.views = packing === null ? [[machines]] : packing.preferences;
    this.searches = this.views.map((views, family) => {
      const searched = views.map((view) => ({
        view,
        members: null,
        indexes: plainScan ? null : indexesOver(view),
      }));
      return new Search(searched, this.keepsChoice(family));
    });
  }

  /** For ordinary jobs that may use any machine. */
  of(heuristic: Heuristic): Chooser {
    return this.searches[ORDINARY].of(heuristic);
  }

  /** The heuristic for jobs of a kind, on the machines that they may use. */
  forKind(kind: number, { heuristic }: Chooser): Chooser {
    const { kinds } = this.jobs;
    const family = this.packing === null ? ORDINARY : kinds.family[kind];
    const set = this.allowed.setOf(kinds.requirement[kind]);
    const search = set === null ? this.searches[family] : this.among(set, family);
    const chooser = search.of(heuristic);
    const exclusion = kinds.exclusion[kind];
    if (exclusion === 0) return chooser;
    return leavingOut(chooser, this.machines, this.allowed.exclusions.of(exclusion - 1));
  }

  private among(set: MachineSet, family: number): Search {
    if (this.age !== this.allowed.age) this.forgetSets();
    let ofSet = this.setSearches.get(set);
    if (ofSet === undefined) this.setSearches.set(set, (ofSet = []));
    this.uses++;
    let found = ofSet[family];
    if (found === undefined || found.indexes === null) {
      const isToIndex = set.members.length > 0 && this.makePlace();
      if (found === undefined || isToIndex) ofSet[family] = found = this.setSearch(set, family, isToIndex);
    }
    found.lastUse = this.uses;
    return found.search;
  }

  private setSearch(set: MachineSet, family: number, isToIndex: boolean): SetSearch {
    const { members } = set;
    const views = this.views[family];
    const indexes = isToIndex ? views.map((view) => new SetIndexes(view, members)) : null;
    const searched = views.map((view, i) => ({ view, members, indexes: indexes?.[i] ?? null }));
    const search = new Search(searched, this.keepsChoice(family));
    const found: SetSearch = { set, family, search, indexes, lastUse: 0 };
    if (isToIndex) this.indexed.push(found);
    return found;
  }

  /** Makes room for the indexes of one more set. Returns false if all sets that have some are in frequent use. */
  private makePlace(): boolean {
    const { indexed, machines, setSearches } = this;
    if (!this.isIndexed || machines.considersGpu) return false;
    if (indexed.length < INDEXED_SETS) return true;
    let oldest = 0;
    for (let i = 1; i < indexed.length; i++) if (indexed[i].lastUse < indexed[oldest].lastUse) oldest = i;
    const { set, family, indexes, lastUse } = indexed[oldest];
    if (this.uses - lastUse <= IDLE_SEARCHES) return false;
    for (const each of indexes!) each.close();
    setSearches.get(set)![family] = undefined;
    indexed[oldest] = indexed[indexed.length - 1];
    indexed.pop();
    return true;
  }

  private forgetSets(): void {
    for (const { indexes } of this.indexed) for (const each of indexes!) each.close();
    this.indexed.length = 0;
    this.setSearches.clear();
    this.age = this.allowed.age;
  }

  private keepsChoice(family: number): boolean {
    return this.packing === null || this.packing.keepsChoice(family);
  }
}

function indexesOver(view: MachineView): SearchedView["indexes"] {
  const indexes = new Indexes(view);
  return { finder: (heuristic) => heuristic.index?.(indexes) };
}

/** The same heuristic, with some machines, each named once, closed during the search. */
export function leavingOut(chooser: Chooser, machines: MachineState, excluded: readonly number[]): Chooser {
  const find: Finder = (cores, memory, gpu) => {
    const closed = excluded.filter((machine) => machines.closed[machine] === 0);
    for (const machine of closed) machines.reserve(machine);
    const found = chooser.find(cores, memory, gpu);
    for (const machine of closed) machines.unreserve(machine);
    return found;
  };
  return { ...chooser, find };
}
