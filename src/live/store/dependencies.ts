import type { FinalState } from "./job-states.ts";
import type { Connection } from "./database.ts";

/** Jobs that are not over and wait for an end of another that has ended otherwise. */
export function unmetDependencies(
  connection: Connection,
): { readonly job: number; readonly after: number; readonly state: FinalState }[] {
  return connection
    .all(
      `SELECT dependency.job, dependency.after, other.state FROM dependency
         JOIN job AS one ON one.number = dependency.job AND one.ended_at IS NULL
         JOIN job AS other ON other.number = dependency.after AND other.ended_at IS NOT NULL
         WHERE condition <> 'any' AND (condition = 'ok') <> (other.state = 'ended')`,
    )
    .map(({ job, after, state }) => ({
      job: Number(job),
      after: Number(after),
      state: state as FinalState,
    }));
}
