import type { FarmLimit } from "../farm.ts";
import type { LimitsEntry } from "./farm-shape.ts";

/** The name that stands for each that is not named. */
const EACH = "*";

/** The limits of a farm: those of users, then of groups, then of projects, in the order of the file. */
export function limitsOf(entry: LimitsEntry | null): FarmLimit[] {
  if (entry === null) return [];
  const kinds = [
    ["user", entry.users],
    ["group", entry.groups],
    ["project", entry.projects],
  ] as const;
  return kinds.flatMap(([of, named]) =>
    Array.from(named ?? [], ([name, { value, at }]): FarmLimit => {
      const { runningJobs, runningCores, waitingJobs, jobsAtOnce, stored } = value;
      if ([runningJobs, runningCores, waitingJobs, jobsAtOnce, stored].every((each) => each === null))
        at.refuse("this limits nothing: give runningJobs, runningCores, waitingJobs, jobsAtOnce or stored");
      return {
        of,
        name: name === EACH ? null : name,
        runningJobs,
        runningCores,
        waitingJobs,
        jobsAtOnce,
        ...(stored === null ? {} : { storedMiB: stored }),
      };
    }),
  );
}

/** The same as a file has it. */
export function limitsEntry(limits: readonly FarmLimit[]): Record<string, Record<string, object>> {
  const entry: Record<string, Record<string, object>> = {};
  for (const { of, name, storedMiB: stored = null, ...amounts } of limits)
    (entry[`${of}s`] ??= {})[name ?? EACH] = Object.fromEntries(
      Object.entries({ ...amounts, stored }).filter(([, amount]) => amount !== null),
    );
  return entry;
}
