import type { Heuristic } from "../heuristic.ts";

/** The first machine in pool order (Shai 2014, section 3). */
export const firstFit: Heuristic = {
  name: "first-fit",
  summary: "the first machine in pool order",
  needsMemory: false,
  keepsChoice: true,
  score: () => 0,
  index(indexes) {
    const order = indexes.inPoolOrder();
    return (cores, memory) => order.first(cores, memory);
  },
};
