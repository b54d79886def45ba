import type { Client } from "../../live/client/client.ts";
import { jobNames, sayRefused } from "./farm.ts";

interface Answer<Job> {
  readonly jobs: readonly Job[];
  readonly refused: readonly { readonly job: string; readonly status: number; readonly error: string }[];
}

/** Of the API. */
const MAX_LIST = 10_000;

/**
 * Does something to jobs that are named by their numbers, as many as a request takes at a time. What the farm refuses of
 * one is told: the exit status is that of the first refusal.
 *
 * @returns the jobs; of a rerun, those that were submitted
 */
export async function toNamed<Job>(
  farm: Client,
  texts: readonly string[],
  verb: string,
  more: object = {},
): Promise<Job[]> {
  const names = jobNames(texts);
  const done: Job[] = [];
  for (let from = 0; from < names.length; from += MAX_LIST) {
    const body = { jobs: names.slice(from, from + MAX_LIST), ...more };
    const path = `/v1/job-lists/${verb}`;
    const answer =
      verb === "rerun"
        ? await farm.sendOnce<Answer<Job>>(path, body, null)
        : await farm.send<Answer<Job>>("POST", path, body);
    for (const job of answer.jobs) done.push(job);
    // As they are named: the first gives the exit status.
    const places = new Map(body.jobs.map((name, place) => [name, place]));
    const refused = answer.refused.toSorted((a, b) => places.get(a.job)! - places.get(b.job)!);
    for (const { status, error } of refused) sayRefused({ status, message: error });
  }
  return done;
}
