import type { Outcome } from "../engines/engine.ts";
import type { RetryCause } from "../store/job-request.ts";

/**
 * For what a job would run again after an outcome; null: it ended as it should, or it could not be started, which has
 * rules of its own. What was ended from outside the farm counts as lost: it was not the job's doing.
 */
export function retryCauseOf(outcome: Outcome): RetryCause | null {
  if (outcome.kind === "lost") return "lost";
  if (outcome.kind === "start-failed") return null;
  const { cause, status } = outcome;
  switch (cause) {
    case "time":
    case "memory":
    case "cores":
      return cause;
    case "output":
      // It would print as much again.
      return null;
    case "outside":
      return "lost";
    case "itself":
      return status === 0 ? null : "status";
    case "asked":
    case "never-ran":
      // Not by a decision of the farm's, which has taken these before: somebody ended it at the engine.
      return "lost";
  }
}
