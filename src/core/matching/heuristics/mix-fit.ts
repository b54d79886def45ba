import type { Heuristic } from "../heuristic.ts";
import { partsLeft, squaredSineFromDiagonal, tangentFromDiagonal } from "./balance.ts";

/**
 * Mix-Fit (Shai 2014, section 4.1): the machine left most balanced, that is with
 * the smallest angle, seen from the grid's top right corner, between the
 * diagonal and the point reached once the job is placed. What remains free is
 * measured from that corner.
 */
export const mixFit: Heuristic = {
  name: "mix-fit",
  summary: "the machine whose free cores and free memory are left closest to its configured ratio",
  needsMemory: true,
  keepsChoice: false,
  score(machines, machine, cores, memory, gpu) {
    if (machines.considersGpu)
      return squaredSineFromDiagonal(partsLeft(machines, machine, cores, memory, gpu));
    return tangentFromDiagonal(
      machines.freeCores[machine] - cores,
      machines.capacityCores[machine],
      machines.freeMemory[machine] - memory,
      machines.capacityMemory[machine],
    );
  },
  index(indexes) {
    const byBalance = indexes.byBalance();
    return (cores, memory) => byBalance.best(cores, memory, tangentLeft, balancedMemory);
  },
};

function tangentLeft(cores: number, memory: number, a: number, b: number, c: number, m: number): number {
  return tangentFromDiagonal(a - cores, c, b - memory, m);
}

/** On the diagonal: (a − cores) ÷ c = (b − memory) ÷ m. */
function balancedMemory(cores: number, memory: number, a: number, c: number, m: number): number {
  return ((a - cores) * m) / c + memory;
}
