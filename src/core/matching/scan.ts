import type { MachineView } from "../machines/machine-view.ts";
import { NONE } from "../none.ts";
import type { Finder, Heuristic } from "./heuristic.ts";
import { isBefore } from "./in-turn.ts";

/**
 * The plain search: score every machine and keep the best. It follows the definition word for word, so the indexes are
 * tested against it. It also serves the pools that no index covers (three resources, or a heuristic without an index).
 *
 * @param members the machines to search; null stands for all
 */
export function scanFinder(
  heuristic: Heuristic,
  machines: MachineView,
  members: Int32Array | null = null,
): Finder {
  const { amongEquals } = heuristic;
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
      // A machine with no score below Infinity would never be chosen, and its jobs would wait for ever.
      if (!(score < Infinity))
        throw new Error(
          `heuristic ${heuristic.name} gives machine ${machine} the score ${score}, which no machine may have`,
        );
      const isBetter =
        score < bestScore ||
        (score === bestScore &&
          amongEquals !== undefined &&
          best !== NONE &&
          isBefore(amongEquals, machines, machine, best, cores, memory, gpu));
      if (isBetter) {
        bestScore = score;
        best = machine;
      }
    }
    return best;
  };
}
