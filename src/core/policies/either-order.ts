import { MatchingPass } from "./matching-pass.ts";
import { Plan } from "../pool/plan.ts";
import type { PolicyContext, PolicyKind } from "../pool/policy.ts";
import { SmallestFirst } from "./smallest-first.ts";

/**
 * The queue's order, or the smallest first where that starts more jobs. Either way the queue's first job is first, and
 * only that one may reserve: a large job may be passed until it is the first, and then keeps machines free until it
 * fits.
 *
 * Max-Jobs tries places for the jobs in one order; the order costs more than the choice of places (docs/optimum.md). A cycle is two
 * passes at most.
 */
export const eitherOrder: PolicyKind = {
  name: "either-order",
  summary: "in the queue's order, or the smallest first where that places more jobs",
  takesHeuristic: true,
  needsEstimates: false,
  needsMemory: false,
  reactsToEvents: false,
  create(context, heuristic) {
    const { limits, placer, notes, queue } = context;
    const own: PolicyContext = {
      ...context,
      limits: { ...limits, reserving: Math.min(1, limits.reserving) },
    };
    const asQueued = new MatchingPass(own);
    const bySize = new MatchingPass(own, new SmallestFirst(own));
    const chooser = context.chooser(heuristic);
    const other = new Plan();
    return {
      cycle(_now, plan) {
        asQueued.run(chooser, plan);
        if (plan.jobCount === queue.length) return;
        const { length } = plan;
        const noted = notes.pass;
        placer.undo(plan);
        bySize.run(chooser, other);
        if (other.jobCount > plan.jobCount) {
          plan.takeFrom(other);
          return;
        }
        placer.undo(other);
        placer.redo(plan, length);
        notes.pass = noted;
      },
    };
  },
};
