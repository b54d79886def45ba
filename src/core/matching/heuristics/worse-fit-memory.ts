import type { Heuristic } from "../heuristic.ts";

/** Most free memory first (Shai 2014, section 3). */
export const worseFitMemory: Heuristic = {
  name: "worse-fit-memory",
  aliases: ["worst-fit-memory"],
  summary: "the machine with the most free memory",
  needsMemory: true,
  keepsChoice: false,
  score: (machines, machine) => -machines.freeMemory[machine],
  index(indexes) {
    const byMemory = indexes.byFreeMemory();
    return (cores, memory) => byMemory.most(memory, cores);
  },
};
