import type { Heuristic } from "../heuristic.ts";

/** Fewest free cores first (Shai 2014, section 3). */
export const bestFitCores: Heuristic = {
  name: "best-fit-cores",
  summary: "the machine with the fewest free cores",
  needsMemory: false,
  keepsChoice: true,
  score: (machines, machine) => machines.freeCores[machine],
  index(indexes) {
    const byCores = indexes.byFreeCores();
    return (cores, memory) => byCores.least(cores, memory);
  },
};
