import { McbSearch } from "../mcb-search.ts";
import type { PackingAlgorithm } from "./algorithm.ts";

/** The search for the inverse of the maximum stretch ends when it is known this closely. */
const PRECISION = 0.0001;

/**
 * Where moves cost time, jobs stay placed unless packing them anew raises the
 * level by more than this part: less than a move itself delays. On 16 traces
 * like the authors' it took a seventh off the mean stretch, and 4 of 5 moves.
 */
const WORTH_MOVING = 0.02;

/**
 * Multi-capacity bin packing under the lowest maximum stretch that a binary
 * search finds: what each job's stretch is estimated to be at the next period,
 * if it keeps its yield until then.
 */
export const mcbStretch: PackingAlgorithm = {
  name: "stretch-per",
  create(state) {
    const search = new McbSearch(state, state.penaltySeconds > 0 ? WORTH_MOVING : 0, false);
    const { jobs } = state;
    return {
      pack(now, aheadSeconds) {
        const ahead = 1000 * aheadSeconds;
        search.run(now, PRECISION, (job, inverseStretch) => {
          const flow = 1000 * (now - jobs.submitSeconds[job]);
          const needed = (inverseStretch * (flow + ahead) - jobs.virtualMilliseconds(job, now)) / ahead;
          return needed > 1 ? Infinity : Math.floor(needed * jobs.cpuNeed[job]);
        });
      },
    };
  },
};
