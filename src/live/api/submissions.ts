import { ownersOf } from "../../simulation/index.ts";
import { jobRequest, type JobRequest } from "../service/job-request.ts";
import type { Grants } from "../service/grants.ts";
import { sizeOf } from "../service/request-size.ts";
import { Refusal } from "../service/refusal.ts";
import type { Asked } from "./api.ts";
import { mayBe, type Identity } from "./identity.ts";
import { MAX_LIST, type JobBody } from "./schemas.ts";
import type { ServiceHandle } from "./service-handle.ts";

/** Submits jobs for whoever asks. */
export async function submit(
  { identity, key }: Asked,
  { service, database, grants }: ServiceHandle,
  jobs: readonly JobRequest[],
  environment: Readonly<Record<string, string>>,
) {
  const bytes = sizeOf(jobs, environment);
  if (identity.role === "user") checkAfter(database, identity.user, jobs);
  const own = Object.keys(environment).find(
    (name) => name.startsWith("CROFT_") && !name.startsWith("CROFT_SIMULATED_"),
  );
  if (own !== undefined)
    throw new Refusal(
      422,
      `variables that begin with CROFT_ are set by the farm itself: ${own.slice(0, 60)}`,
    );
  if (Object.hasOwn(environment, "__proto__"))
    throw new Refusal(422, "no variable of a job can be called __proto__");
  await checkGrants(identity, grants, jobs, ownersOf(service.farm));
  const submission = { user: identity.user, jobs, environment, key };
  return service.loop.actInSteps(service.submitting.inSteps(submission), { bytes });
}

/** Refuses what a user may not ask for. An operator may change all jobs, and so asks for anything. */
export async function checkGrants(
  identity: Identity,
  grants: Grants,
  jobs: readonly JobRequest[],
  owners: readonly string[],
): Promise<void> {
  if (mayBe(identity, "operator")) return;
  const checked = new Set<string>();
  for (const [at, { group: asked, project, priority, array }] of jobs.entries()) {
    // A group that nobody has heard of is refused as such, when the job is taken.
    const group = owners.includes(asked) ? asked : "";
    const key = JSON.stringify([group, project, priority]);
    if (checked.has(key)) continue;
    checked.add(key);
    try {
      await grants.check(identity.user, { group, project, priority });
    } catch (error) {
      if (jobs.length === 1 || array !== null || !(error instanceof Refusal)) throw error;
      throw new Refusal(error.status, `jobs/${at}: ${error.message}`);
    }
  }
}

/** Refuses to wait for another user's job, as if it were not there: whether it is and how it ends is not told. */
export function checkAfter(
  database: ServiceHandle["database"],
  user: string,
  jobs: readonly JobRequest[],
): void {
  const own = new Set<number>();
  for (const [at, { after, array }] of jobs.entries())
    for (const { job } of after) {
      if (own.has(job)) continue;
      if (database.get("SELECT user FROM job WHERE number = ?", job)?.["user"] !== user)
        throw new Refusal(
          422,
          `${jobs.length > 1 && array === null ? `jobs/${at}: ` : ""}there is no job ${job} to wait for`,
        );
      own.add(job);
    }
}

/** The request for a job, from a body. */
export function requestOf({ command, after = [], ...asked }: JobBody): JobRequest {
  // The schema wants one word at least.
  return jobRequest(command as [string, ...string[]], {
    ...asked,
    after: after.map(({ job, condition }) => ({ job, condition: condition ?? "ok" })),
  });
}

/** The requests for an array of jobs. */
export function arrayOf(body: JobBody, { from, to }: { from: number; to: number }): JobRequest[] {
  if (to < from || to - from >= MAX_LIST)
    throw new Refusal(
      422,
      `an array has 1 to ${MAX_LIST} jobs: ${from}-${to} has ${Math.max(0, to - from + 1)}`,
    );
  const request = requestOf(body);
  // The number of the first is known when it is taken.
  return Array.from({ length: to - from + 1 }, (_, at) => ({
    ...request,
    array: { first: 0, index: from + at },
  }));
}
