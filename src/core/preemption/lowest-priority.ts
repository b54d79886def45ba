import type { VictimRule } from "./victim-rule.ts";

/** The job that has run for the shortest time: a restart would lose the least. */
export const lowestPriority: VictimRule = {
  name: "lowest-priority",
  summary: "of the lowest priority, the job that has run for the shortest time",
  // Two running jobs gain progress alike, so the order of their starts is that of their progress.
  key: (jobs, job) => -jobs.virtualStart[job],
};
