import { GreedyPlacer } from "../greedy-placer.ts";
import type { ArrivalAlgorithm } from "./algorithm.ts";

export const greedy: ArrivalAlgorithm = {
  name: "Greedy",
  summary: "each task on the node with the lowest CPU load where its memory fits; else the job waits",
  create(state) {
    const placer = new GreedyPlacer(state);
    return {
      submitted(job) {
        placer.place(job);
      },
      settle() {},
    };
  },
};
