import type { Client } from "../../live/client/client.ts";
import type { JobView } from "../../live/store/job-views.ts";
import { say } from "../terminal.ts";
import { areNamed } from "./chosen-jobs.ts";
import { liveStatuses } from "./exit-status.ts";
import { jobNames } from "./farm.ts";
import { filterQuery, type FilterFlags } from "./job-filter.ts";

/** Of a page: no more than a request takes. */
const PAGE = 10_000;

/**
 * The jobs that a command is given: those that are named, or those of a choice as it is now.
 *
 * @throws InputError where jobs are neither named nor chosen, or both
 */
export async function namedOrChosen(
  farm: Client,
  texts: readonly string[],
  flags: FilterFlags,
): Promise<string[]> {
  if (areNamed(texts, flags)) return jobNames(texts);
  const names: string[] = [];
  const query = filterQuery(flags);
  query.set("limit", String(PAGE));
  for (let above = 0; ;) {
    query.set("above", String(above));
    const page = await farm.get<JobView[]>(`/v1/jobs?${query.toString()}`);
    for (const { number } of page) names.push(String(number));
    const last = page.at(-1);
    if (last === undefined) break;
    above = last.number;
  }
  if (names.length > 0) return names;
  say("croft: no job is of that choice");
  // That no job is in a state any more is what somebody may wait for; that there is none at all hardly is.
  if (flags.state === undefined) process.exitCode = liveStatuses.notThere[0];
  return names;
}
