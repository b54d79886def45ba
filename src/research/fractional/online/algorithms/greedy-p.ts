import { Pausing } from "../pausing.ts";
import type { ArrivalAlgorithm } from "./algorithm.ts";

export const greedyP: ArrivalAlgorithm = {
  name: "GreedyP",
  summary: "as Greedy, but less urgent jobs are paused where that makes room",
  create(state) {
    const pausing = new Pausing(state);
    return {
      submitted: (job, now) => pausing.submitted(job, now),
      settle: (now) => pausing.settle(now, false),
    };
  },
};
