import type { Client } from "../../live/client/client.ts";
import { say } from "../terminal.ts";
import { jobNames, sayRefused } from "./farm.ts";

interface Answer<Job> {
  readonly jobs: readonly Job[];
  /** Of `rerun`. */
  readonly withoutDeadline?: number;
  readonly refused: readonly { readonly job: string; readonly status: number; readonly error: string }[];
}

/** A job that is submitted again is not quite as it was. */
export function tellDeadlines({ withoutDeadline = 0 }: { readonly withoutDeadline?: number }): void {
  if (withoutDeadline > 0)
    say(
      `croft: ${withoutDeadline === 1 ? "one has no deadline" : `${withoutDeadline} have no deadline`}: that of the job before cannot be kept any more (croft change --deadline gives another)`,
    );
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
    tellDeadlines(answer);
    // As they are named: the first gives the exit status.
    const places = new Map(body.jobs.map((name, place) => [name, place]));
    const refused = answer.refused.toSorted((a, b) => places.get(a.job)! - places.get(b.job)!);
    for (const { status, error } of refused) sayRefused({ status, message: error });
  }
  return done;
}
