import { MatchingPass } from "./matching-pass.ts";
import type { PolicyKind } from "../pool/policy.ts";
import type { Heuristic } from "../matching/heuristic.ts";

/** The scheduling cycle of a NetBatch pool with one heuristic: see `MatchingPass`. */
export function matching(heuristic: Heuristic): PolicyKind {
  return {
    name: heuristic.name,
    summary: heuristic.summary,
    takesHeuristic: false,
    needsEstimates: false,
    reactsToEvents: false,
    needsMemory: heuristic.needsMemory,
    create(context) {
      const pass = new MatchingPass(context);
      const chooser = context.chooser(heuristic);
      return { cycle: (_now, plan) => pass.run(chooser, plan) };
    },
  };
}
