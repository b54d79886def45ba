import type { MachineView } from "../machines/machine-view.ts";
import type { Finder, Heuristic } from "../matching/heuristic.ts";
import { scanFinder } from "../matching/scan.ts";
import { NONE } from "../none.ts";

/**
 * A heuristic on some of a pool's machines: how to find its choice, and whether a choice stays the same for equal
 * tasks.
 */
export interface Chooser {
  readonly find: Finder;
  readonly keepsChoice: boolean;
  readonly heuristic: Heuristic;
}

/** Some machines, and what finds a heuristic's choice among them. */
export interface SearchedView {
  readonly view: MachineView;
  /** The machines of the view to search; null stands for all. */
  readonly members: Int32Array | null;
  /** Null if the machines are scanned. */
  readonly indexes: { finder(heuristic: Heuristic): Finder | undefined } | null;
}

/** The heuristics on some machines. Each is prepared when it is first needed. */
export class Search {
  private readonly views: readonly SearchedView[];
  private readonly keepsChoice: boolean;
  private readonly choosers = new Map<Heuristic, Chooser>();

  /**
   * @param views searched in turn, until one has a result
   * @param keepsChoice whether a heuristic that keeps its choice for equal tasks does so here
   */
  constructor(views: readonly SearchedView[], keepsChoice: boolean) {
    this.views = views;
    this.keepsChoice = keepsChoice;
  }

  of(heuristic: Heuristic): Chooser {
    let chooser = this.choosers.get(heuristic);
    if (chooser === undefined) {
      const find = firstOf(this.views.map((view) => finder(view, heuristic)));
      chooser = { find, keepsChoice: heuristic.keepsChoice && this.keepsChoice, heuristic };
      this.choosers.set(heuristic, chooser);
    }
    return chooser;
  }
}

function finder({ view, members, indexes }: SearchedView, heuristic: Heuristic): Finder {
  const scan = scanFinder(heuristic, view, members);
  // The indexes cover cores and memory only: where GPUs count, the machines are scanned.
  const find = view.considersGpu ? undefined : indexes?.finder(heuristic);
  if (find === undefined) return scan;
  return (cores, memory, gpu) =>
    gpu > 0 || view.considersGpu ? scan(cores, memory, gpu) : find(cores, memory, gpu);
}

function firstOf([first, second]: readonly Finder[]): Finder {
  if (second === undefined) return first;
  return (cores, memory, gpu) => {
    const machine = first(cores, memory, gpu);
    return machine !== NONE ? machine : second(cores, memory, gpu);
  };
}
