import type { MachineView } from "../machines/machine-view.ts";
import type { Finder, Heuristic } from "../matching/heuristic.ts";
import { scanFinder } from "../matching/scan.ts";
import { NONE } from "../none.ts";

/** A heuristic made ready for some of a pool's machines: how to find, and whether a choice stays for equal tasks. */
export interface Chooser {
  readonly find: Finder;
  readonly keepsChoice: boolean;
  readonly heuristic: Heuristic;
}

/** Some machines, and what finds a heuristic's choice among them. */
export interface SearchedView {
  readonly view: MachineView;
  /** Those of the view's that are searched; null: all. */
  readonly members: Int32Array | null;
  /** Null: they are looked at one by one. */
  readonly indexes: { finder(heuristic: Heuristic): Finder | undefined } | null;
}

/** The heuristics over some machines, each made ready when it is first asked for. */
export class Search {
  private readonly views: readonly SearchedView[];
  private readonly keepsChoice: boolean;
  private readonly choosers = new Map<Heuristic, Chooser>();

  /**
   * @param views searched in turn: what is found in the first in which anything is found
   * @param keepsChoice whether a choice stays for equal tasks wherever the heuristic's does
   */
  constructor(views: readonly SearchedView[], keepsChoice: boolean) {
    this.views = views;
    this.keepsChoice = keepsChoice;
  }

  of(heuristic: Heuristic): Chooser {
    let chooser = this.choosers.get(heuristic);
    if (chooser === undefined) {
      const find = inTurn(this.views.map((view) => finder(view, heuristic)));
      chooser = { find, keepsChoice: heuristic.keepsChoice && this.keepsChoice, heuristic };
      this.choosers.set(heuristic, chooser);
    }
    return chooser;
  }
}

function finder({ view, members, indexes }: SearchedView, heuristic: Heuristic): Finder {
  const scan = scanFinder(heuristic, view, members);
  // The indexes know cores and memory: where GPUs count, all machines are looked at.
  const find = view.considersGpu ? undefined : indexes?.finder(heuristic);
  if (find === undefined) return scan;
  return (cores, memory, gpu) =>
    gpu > 0 || view.considersGpu ? scan(cores, memory, gpu) : find(cores, memory, gpu);
}

function inTurn([first, second]: readonly Finder[]): Finder {
  if (second === undefined) return first;
  return (cores, memory, gpu) => {
    const machine = first(cores, memory, gpu);
    return machine !== NONE ? machine : second(cores, memory, gpu);
  };
}
