import type { Heuristic, PolicyKind } from "../../../core/index.ts";
import { MatchingPass } from "../../../core/policies/matching-pass.ts";
import { Plan } from "../../../core/pool/plan.ts";

/** A policy that lets every heuristic try the queue and starts nothing. */
interface Contest {
  readonly kind: PolicyKind;
  /** After a cycle: the jobs that each heuristic matched, in the order of the list. */
  readonly matchedJobs: Int32Array;
}

/**
 * The heuristics of a list, one after the other, over the same queue and the same
 * machines: what Max-Jobs does in a cycle, but none of the schedules is kept.
 */
export function contest(list: readonly Heuristic[]): Contest {
  const matchedJobs = new Int32Array(list.length);
  const kind: PolicyKind = {
    name: "contest",
    summary: "counts the jobs that each heuristic matches, and starts none",
    takesHeuristic: false,
    needsEstimates: false,
    reactsToEvents: false,
    needsMemory: list.some((heuristic) => heuristic.needsMemory),
    create(context) {
      const { placer } = context;
      const pass = new MatchingPass(context);
      const choosers = list.map((heuristic) => context.chooser(heuristic));
      const trial = new Plan();
      return {
        cycle() {
          for (const [i, chooser] of choosers.entries()) {
            pass.run(chooser, trial);
            matchedJobs[i] = trial.jobCount;
            placer.undo(trial);
          }
        },
      };
    },
  };
  return { kind, matchedJobs };
}
