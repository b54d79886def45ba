import type { Heuristic } from "../heuristic.ts";
import { partsLeft, squaredSineFromDiagonal, tangentFromDiagonal } from "./balance.ts";

/**
 * Mix-Fit with the angle seen from the origin, on what is used instead of what
 * is left (Shai 2014, section 4.1: "a similar definition based on the origin").
 */
export const mixFitOrigin: Heuristic = {
  name: "mix-fit-origin",
  summary: "the machine whose used cores and used memory are closest to its configured ratio",
  needsMemory: true,
  keepsChoice: false,
  score(machines, machine, cores, memory, gpu) {
    if (machines.considersGpu)
      return squaredSineFromDiagonal(
        partsLeft(machines, machine, cores, memory, gpu).map((part) => 1 - part),
      );
    const c = machines.capacityCores[machine];
    const m = machines.capacityMemory[machine];
    return tangentFromDiagonal(
      c - machines.freeCores[machine] + cores,
      c,
      m - machines.freeMemory[machine] + memory,
      m,
    );
  },
  index(indexes) {
    const byBalance = indexes.byBalance();
    return (cores, memory) => byBalance.best(cores, memory, tangentUsed, balancedMemory);
  },
};

function tangentUsed(cores: number, memory: number, a: number, b: number, c: number, m: number): number {
  return tangentFromDiagonal(c - a + cores, c, m - b + memory, m);
}

/** On the diagonal: (c − a + cores) ÷ c = (m − b + memory) ÷ m. */
function balancedMemory(cores: number, memory: number, a: number, c: number, m: number): number {
  return m + memory - ((c - a + cores) * m) / c;
}
