import { MatchingPass } from "../pool/matching-pass.ts";
import type { PolicyKind } from "../pool/policy.ts";
import type { Heuristic } from "../matching/heuristic.ts";

/** The scheduling cycle of a NetBatch pool with one heuristic: see `MatchingPass`. */
export function matching(heuristic: Heuristic): PolicyKind {
  return {
    name: heuristic.name,
    summary: heuristic.summary,
    takesHeuristic: false,
    needsEstimates: false,
    needsMemory: heuristic.needsMemory,
    create(context) {
      const { jobs, queue, placer, reservations, limits, named } = context;
      const pass = new MatchingPass(jobs, queue, placer, reservations, limits, named);
      const chooser = context.chooser(heuristic);
      return { cycle: (_now, plan) => pass.run(chooser, plan) };
    },
  };
}
