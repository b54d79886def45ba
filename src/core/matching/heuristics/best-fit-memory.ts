import type { Heuristic } from "../heuristic.ts";

/** Least free memory first (Shai 2014, section 3). */
export const bestFitMemory: Heuristic = {
  name: "best-fit-memory",
  summary: "the machine with the least free memory",
  needsMemory: true,
  keepsChoice: true,
  score: (machines, machine) => machines.freeMemory[machine],
  index(indexes) {
    const byMemory = indexes.byFreeMemory();
    return (cores, memory) => byMemory.least(memory, cores);
  },
};
