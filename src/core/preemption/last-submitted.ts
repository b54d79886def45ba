import type { VictimRule } from "./victim-rule.ts";

/** The job that came last. Jobs that have been there longer are left alone, however often they were suspended. */
export const lastSubmitted: VictimRule = {
  name: "last-submitted",
  summary: "of the lowest priority, the job that came to the pool last",
  key: (jobs, job) => -jobs.jobs.arrival[job],
};
