import type { LiveHeldJob } from "../replica/held-jobs.ts";
import type { Condition } from "../store/job-request.ts";

/** Jobs that are named of many. */
const NAMED = 5;

/**
 * What is taken for granted of the jobs that a job waits for: how they end, and that none of them is tried again. Empty:
 * nothing is.
 *
 * @param held null: it waits for none
 */
export function assumedText(held: Pick<LiveHeldJob, "conditions" | "retried"> | null): string {
  if (held === null) return "";
  const { conditions, retried } = held;
  const told = (jobs: readonly number[], [one, several]: readonly [string, string]): string[] => {
    if (jobs.length === 0) return [];
    if (jobs.length === 1) return [`job ${jobs[0]} ${one}`];
    return [`jobs ${jobs.slice(0, NAMED).join(", ")}${jobs.length > NAMED ? ", …" : ""} ${several}`];
  };
  const ending = (wanted: Condition): number[] =>
    [...conditions].filter(([, condition]) => condition === wanted).map(([job]) => job);
  return [
    ...told(ending("ok"), ["ends with status 0", "end with status 0"]),
    ...told(ending("failed"), ["does not end with status 0", "do not end with status 0"]),
    ...told(retried, ["is not tried again", "are not tried again"]),
  ].join(", and ");
}
