import { MOST_DEPENDENCIES } from "../limits.ts";
import type { JobRequest } from "../store/job-request.ts";
import { Refusal } from "../refusal.ts";
import { firstOfArray } from "./filters.ts";
import type { Identity } from "../identity.ts";
import type { JobBody } from "./job-schemas.ts";
import type { ServiceHandle } from "./service-handle.ts";

/** That the jobs of a request may name: each is read. */
const MOST_ARRAYS = 100;

/** The jobs of arrays that jobs of a request wait for. */
export class AfterArrays {
  /** By the job that names an array: the number of each of its jobs, by index. */
  private readonly arrays: ReadonlyMap<number, ReadonlyMap<number, number>>;
  private named = 0;

  constructor(arrays: AfterArrays["arrays"] = new Map()) {
    this.arrays = arrays;
  }

  /**
   * The jobs that a job waits for, each with its condition.
   *
   * @param index its own in its array; null: it is of none
   * @throws Refusal where there is no job of the index, or there are too many jobs in all
   */
  jobsOf(after: JobBody["after"] = [], index: number | null = null): JobRequest["after"] {
    const jobs = after.flatMap(({ job, condition = "ok", of = "job" }) =>
      this.meant(job, of, index).map((each) => ({ job: each, condition })),
    );
    this.named += jobs.length;
    if (this.named > MOST_DEPENDENCIES)
      throw new Refusal(
        422,
        `these jobs name more than ${MOST_DEPENDENCIES} jobs to wait for, together: let one job wait for the others, and the rest for that one`,
      );
    return jobs;
  }

  private meant(job: number, of: "job" | "array" | "index", index: number | null): number[] {
    const array = this.arrays.get(job);
    if (of === "job" || array === undefined) return [job];
    if (of === "array") return [...array.values()];
    if (index === null)
      throw new Refusal(422, "only a job of an array can wait for the one of the same index of another");
    const same = array.get(index);
    if (same === undefined)
      throw new Refusal(422, `the array of job ${job} has no index ${index} to wait for`);
    return [same];
  }
}

/**
 * Reads the arrays that jobs wait for.
 *
 * @throws Refusal where there is no such array, or there are too many
 */
export async function readAfterArrays(
  { role, user }: Identity,
  farm: ServiceHandle,
  bodies: readonly Pick<JobBody, "after">[],
): Promise<AfterArrays> {
  const named = new Set<number>();
  for (const { after = [] } of bodies)
    for (const { job, of = "job" } of after) if (of !== "job") named.add(job);
  if (named.size > MOST_ARRAYS)
    throw new Refusal(
      422,
      `these jobs name ${named.size} arrays to wait for, and a request may name ${MOST_ARRAYS}`,
    );
  const arrays = new Map<number, ReadonlyMap<number, number>>();
  for (const job of named) {
    const first = firstOfArray(job, role === "user" ? user : undefined, farm.database, {
      status: 422,
      text: "to wait for",
    });
    arrays.set(job, new Map(await farm.lists.do("arrayJobs", { first })));
  }
  return new AfterArrays(arrays);
}
