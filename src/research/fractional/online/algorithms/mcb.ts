import { McbSearch } from "../mcb-search.ts";
import type { PackingAlgorithm } from "./algorithm.ts";

/** The search for the minimum yield ends when it is known this closely. */
const YIELD_PRECISION = 0.01;

/**
 * Multi-capacity bin packing under the highest minimum yield that a binary
 * search finds. Nodes are filled in their order, as the authors' own simulator
 * does: its runs come out the same, job for job.
 */
export const mcb: PackingAlgorithm = {
  name: "per",
  create(state) {
    const search = new McbSearch(state, null, true);
    return {
      pack(now) {
        search.run(now, YIELD_PRECISION, (job, minimumYield) =>
          Math.floor(minimumYield * state.jobs.cpuNeed[job]),
        );
      },
    };
  },
};
