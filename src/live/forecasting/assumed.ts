import type { Condition } from "../store/job-request.ts";

/** Jobs that are named of many. */
const NAMED = 5;

/** How the jobs have to end that a job waits for, which is taken for granted; empty: they may end as they like. */
export function assumedText(conditions: Iterable<readonly [job: number, condition: Condition]>): string {
  const all = [...conditions];
  const of = (wanted: Condition, [one, several]: readonly [string, string]): string[] => {
    const jobs = all.filter(([, condition]) => condition === wanted).map(([job]) => job);
    if (jobs.length === 0) return [];
    if (jobs.length === 1) return [`job ${jobs[0]} ${one}`];
    return [`jobs ${jobs.slice(0, NAMED).join(", ")}${jobs.length > NAMED ? ", …" : ""} ${several}`];
  };
  return [
    ...of("ok", ["ends with status 0", "end with status 0"]),
    ...of("failed", ["does not end with status 0", "do not end with status 0"]),
  ].join(", and ");
}
