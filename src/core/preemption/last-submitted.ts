import type { VictimRule } from "./victim-rule.ts";

/** The job that came last: who has been there for longer is left alone, however often it was suspended. */
export const lastSubmitted: VictimRule = {
  name: "last-submitted",
  summary: "of the lowest priority, the job that came to the pool last",
  key: (jobs, job) => -jobs.jobs.arrival[job],
};
