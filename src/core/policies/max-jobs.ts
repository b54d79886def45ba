import type { Heuristic } from "../matching/heuristic.ts";
import type { PolicyKind } from "../pool/policy.ts";
import { bestTrial } from "./best-trial.ts";

/** Max-Jobs (Shai 2014, section 5): the schedule that matches the most jobs. Ties go to the first in the list. */
export function maxJobs(list: readonly Heuristic[]): PolicyKind {
  return bestTrial(
    { name: "max-jobs", summary: "in every cycle, of all heuristics the one that places the most jobs" },
    list,
  );
}
