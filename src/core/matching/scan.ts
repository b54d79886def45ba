import type { MachineView } from "../machines/machine-view.ts";
import { NONE } from "../none.ts";
import type { Finder, Heuristic } from "./heuristic.ts";

/**
 * The plain search: look at every machine, keep the best score. It follows the
 * definition word for word, so it is what the indexes are tested against; and it
 * serves the pools that no index covers (three resources, a heuristic without one).
 *
 * @param members the machines to look at; null: all
 */
export function scanFinder(
  heuristic: Heuristic,
  machines: MachineView,
  members: Int32Array | null = null,
): Finder {
  return (cores, memory, gpu) => {
    const { freeCores, freeMemory, freeGpu, closed } = machines;
    const count = members === null ? machines.count : members.length;
    let best = NONE;
    let bestScore = Infinity;
    for (let i = 0; i < count; i++) {
      const machine = members === null ? i : members[i];
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
