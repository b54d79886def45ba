import type { LpAlgorithm } from "./algorithm.ts";
import { mergeEqual } from "./merge-equal.ts";
import { Relaxation } from "./relaxation.ts";

/** The rational relaxation: no placement, and a minimum yield that none exceeds. */
export const lpBound: LpAlgorithm = {
  name: "lp-bound",
  summary: "the rational relaxation's minimum yield: an upper bound, without a placement",
  pairsMost: 400_000,
  mergesEqual: true,
  solve(solver, instance, { timeLimitSeconds }) {
    const relaxation = new Relaxation(solver, mergeEqual(instance));
    try {
      const ended = relaxation.solve(timeLimitSeconds);
      if (ended === "infeasible") return { assignment: null, ended };
      if (ended === "stopped") return { assignment: null, ended: "time limit" };
      return { assignment: null, upperBound: relaxation.minYield, ended: "complete" };
    } finally {
      relaxation.dispose();
    }
  },
};
