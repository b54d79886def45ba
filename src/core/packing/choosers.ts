import type { MachineView } from "../machines/machine-view.ts";
import type { Finder, Heuristic } from "../matching/heuristic.ts";
import { NONE } from "../none.ts";
import type { Chooser } from "../pool/placer.ts";
import { ORDINARY, type Packing } from "./packing.ts";

/** How each heuristic is searched for over some machines. */
export type Finders = (heuristic: Heuristic) => Finder;

/**
 * Choosers that know families: of the machines that a family may use, those it
 * prefers are searched first, and the heuristic decides among them.
 *
 * @param findersOver makes indexes over a part of the machines, or the plain scan
 */
export function familyChoosers(
  packing: Packing,
  findersOver: (view: MachineView) => Finders,
): (heuristic: Heuristic) => Chooser {
  const findersOf = packing.preferences.map((subsets) => subsets.map(findersOver));
  return (heuristic) => {
    const families = findersOf.map((finders, family) => ({
      find: inTurn(finders.map((finder) => finder(heuristic))),
      keepsChoice: heuristic.keepsChoice && packing.keepsChoice(family),
      heuristic,
    }));
    return { ...families[ORDINARY], families };
  };
}

/** What the first of the finders finds that finds any. */
function inTurn([first, second]: readonly Finder[]): Finder {
  if (second === undefined) return first;
  return (cores, memory, gpu) => {
    const machine = first(cores, memory, gpu);
    return machine !== NONE ? machine : second(cores, memory, gpu);
  };
}
