import { Pausing } from "../pausing.ts";
import type { ArrivalAlgorithm } from "./algorithm.ts";

export const greedyPM: ArrivalAlgorithm = {
  name: "GreedyPM",
  summary: "as GreedyP, but jobs are moved instead of paused where they fit elsewhere",
  create(state) {
    const pausing = new Pausing(state);
    return {
      submitted: (job, now) => pausing.submitted(job, now),
      settle: (now) => pausing.settle(now, true),
    };
  },
};
