import { dictionary, located, mapping, number, optional } from "../shape.ts";
import { MAX_INT32, amountMiB, projectPath } from "./parts.ts";

const jobCount = number({ min: 0, max: MAX_INT32, whole: true });

const limit = mapping({
  runningJobs: optional("jobs that may run at a time", jobCount, null),
  runningCores: optional(
    "cores of the jobs that run at a time",
    number({ min: 0, max: MAX_INT32 / 1000 }),
    null,
  ),
  waitingJobs: optional("of a live farm: jobs that may wait", jobCount, null),
  jobsAtOnce: optional("of a live farm: jobs of one submission", jobCount, null),
  stored: optional(
    "of a live farm: what it may have to store of jobs that wait, with their commands and environments",
    amountMiB,
    null,
  ),
});

const limitsOf = (whose: string, example: string) =>
  optional(
    `of ${whose}, by name; *: of each that is not named`,
    dictionary(located(limit), {
      names: projectPath,
      problem: `this is no name of ${example}`,
      most: 100_000,
    }),
    null,
  );

export const limits = mapping({
  users: limitsOf("users", "a user"),
  groups: limitsOf("the groups that jobs name", "a group"),
  projects: limitsOf("projects, with those below them", "a project"),
});
