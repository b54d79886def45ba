import type { Heuristic } from "../heuristic.ts";

/** Most free cores first (Shai 2014, section 3). */
export const worseFitCores: Heuristic = {
  name: "worse-fit-cores",
  aliases: ["worst-fit-cores"],
  summary: "the machine with the most free cores",
  needsMemory: false,
  keepsChoice: false,
  score: (machines, machine) => -machines.freeCores[machine],
  index(indexes) {
    const byCores = indexes.byFreeCores();
    return (cores, memory) => byCores.most(cores, memory);
  },
};
