import { jobStates, type JobState } from "../store/job-states.ts";
import { listed, Refusal } from "../refusal.ts";
import type { JobFilter } from "../store/job-filter.ts";
import { hasJobsOf } from "../store/job-views.ts";
import type { Identity } from "../identity.ts";
import type { ServiceHandle } from "./service-handle.ts";

/**
 * What a request chooses jobs by, as far as whoever asks may see them; null: there can be none.
 *
 * @param filter `array` may be any job of the array
 * @throws Refusal where it names what there is not
 */
export function filterOf(
  identity: Identity,
  { database, service }: ServiceHandle,
  filter: JobFilter,
): JobFilter | null {
  const { user, states, pool, array } = filter;
  const pools = service.pools.map((each) => each.name);
  // Jobs that are over may have been in a pool that is not in the farm's file any more.
  if (pool !== undefined && !pools.includes(pool) && !hasJobsOf(database, pool))
    throw new Refusal(
      400,
      `jobs are listed by the pool they are in, and none is ${JSON.stringify(pool)}: ${listed(pools)}`,
    );
  const unknown = states?.find((each) => !jobStates.includes(each as JobState));
  if (unknown !== undefined)
    throw new Refusal(400, `there is no state ${JSON.stringify(unknown)}: there are ${jobStates.join(", ")}`);
  const isOwn = identity.role === "user";
  if (isOwn && user !== undefined && user !== identity.user) return null;
  const own = isOwn ? { ...filter, user: identity.user } : filter;
  return array === undefined
    ? own
    : {
        ...own,
        array: firstOfArray(array, own.user, database, {
          status: 404,
          text: "by which an array could be chosen",
        }),
      };
}

/**
 * The first job of the array of which a job is one.
 *
 * @param user whose it has to be; absent: anybody's
 * @param missing what is answered where there is no such job
 * @throws Refusal where there is none
 */
export function firstOfArray(
  job: number,
  user: string | undefined,
  database: ServiceHandle["database"],
  missing: { readonly status: 404 | 422; readonly text: string },
): number {
  const row = database.get(
    "SELECT user, request ->> '$.array.first' AS first FROM job WHERE number = ?",
    job,
  );
  if (row === undefined || (user !== undefined && row["user"] !== user))
    throw new Refusal(missing.status, `there is no job ${job} ${missing.text}`);
  if (row["first"] === null) throw new Refusal(422, `job ${job} is of no array`);
  return Number(row["first"]);
}
