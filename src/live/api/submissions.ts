import { jobRequest, type JobRequest } from "../store/job-request.ts";
import type { JobChange } from "../service/acts.ts";
import type { Grants } from "../service/grants.ts";
import { withKind } from "../service/gpu-kind.ts";
import { sizeOf } from "../service/request-size.ts";
import { unixSecondsOf } from "./instants.ts";
import { Refusal } from "../refusal.ts";
import type { Asked } from "./api.ts";
import { AfterArrays } from "./after-arrays.ts";
import { mayBe, type Identity } from "../identity.ts";
import { MAX_LIST, type ArrayIndexes, type ChangeBody, type JobBody } from "./job-schemas.ts";
import type { ServiceHandle } from "./service-handle.ts";

/**
 * Submits jobs for whoever asks.
 *
 * @param known about what they take to hold and to write, and what tells submissions with one key apart, where that is
 *   known: to find it out of long commands takes long
 */
export async function submit(
  { identity, key }: Asked,
  { service, database, grants }: ServiceHandle,
  jobs: readonly JobRequest[],
  environment: Readonly<Record<string, string>>,
  known: { readonly bytes: number; readonly content: string | null } = {
    bytes: sizeOf(jobs, environment),
    content: null,
  },
) {
  const { bytes, content } = known;
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
  await checkGrants(identity, grants, jobs, service.submitting.names.groups);
  const submission = { user: identity.user, jobs, environment, key, content };
  return service.loop.actInSteps(service.submitting.inSteps(submission), { bytes });
}

/** Refuses what a user may not ask for. An operator may change all jobs, and so asks for anything. */
export async function checkGrants(
  identity: Identity,
  grants: Grants,
  jobs: readonly JobRequest[],
  groups: readonly string[],
): Promise<void> {
  if (mayBe(identity, "operator")) return;
  const checked = new Set<string>();
  for (const [at, { group: asked, project, priority, array }] of jobs.entries()) {
    // A group that nobody has heard of is refused as such, when the job is taken.
    const group = groups.includes(asked) ? asked : "";
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

const NO_ARRAYS = new AfterArrays();

/** The request for a job, from a body. */
export function requestOf(
  { command, after, beginAt, deadlineAt, gpuKind, notify = [], ...asked }: JobBody,
  arrays = NO_ARRAYS,
): JobRequest {
  // The schema wants one word at least.
  return jobRequest(command as [string, ...string[]], {
    ...asked,
    beginAt: beginAt === undefined ? null : unixSecondsOf(beginAt),
    deadlineAt: deadlineAt === undefined ? null : unixSecondsOf(deadlineAt),
    ...(gpuKind === undefined ? {} : { requires: requiredWith(asked, gpuKind) }),
    notify: notify.map(({ channel, on = ["end"] }) => ({ channel, on })),
    after: arrays.jobsOf(after),
  });
}

/** What a job is changed to, from a body. */
export function changeOf({ beginAt, deadlineAt, ...change }: ChangeBody): JobChange {
  const secondsOf = (at: string | null): number | null => (at === null ? null : unixSecondsOf(at));
  return {
    ...change,
    ...(beginAt === undefined ? {} : { beginAt: secondsOf(beginAt) }),
    ...(deadlineAt === undefined ? {} : { deadlineAt: secondsOf(deadlineAt) }),
  };
}

function requiredWith({ gpus = 0, requires = "" }: Pick<JobBody, "gpus" | "requires">, kind: string): string {
  if (gpus === 0) throw new Refusal(422, `say how many GPUs ${kind} the job takes, in gpus`);
  return withKind(requires, kind);
}

/** The requests for an array of jobs. */
export function arrayOf(
  { after = [], ...body }: JobBody,
  array: ArrayIndexes,
  arrays = NO_ARRAYS,
): JobRequest[] {
  const request = requestOf(body);
  const most = array.most === undefined ? {} : { most: array.most };
  // Most wait for the same: it is there once.
  const same = after.some(({ of }) => of === "index") ? null : arrays.jobsOf(after);
  // The number of the first is known when it is taken.
  return indexesOf(array).map((index) => ({
    ...request,
    after: same ?? arrays.jobsOf(after, index),
    array: { first: 0, index, ...most },
  }));
}

/** @throws Refusal where there are none, or too many */
function indexesOf({ from, to, step = 1, indexes }: ArrayIndexes): readonly number[] {
  if (indexes !== undefined) {
    if (from !== undefined || to !== undefined || step !== 1)
      throw new Refusal(422, "an array has from, to and step, or a list of indexes: not both");
    const twice = firstTwice(indexes);
    if (twice !== undefined) throw new Refusal(422, `an array has each index once: ${twice} is there twice`);
    return indexes;
  }
  if (from === undefined || to === undefined)
    throw new Refusal(422, "an array has from and to, or a list of indexes");
  const count = to < from ? 0 : Math.floor((to - from) / step) + 1;
  if (count < 1 || count > MAX_LIST)
    throw new Refusal(422, `an array has 1 to ${MAX_LIST} jobs: ${from}-${to} has ${count}`);
  return Array.from({ length: count }, (_, at) => from + at * step);
}

function firstTwice(numbers: readonly number[]): number | undefined {
  const seen = new Set<number>();
  return numbers.find((each) => seen.size === seen.add(each).size);
}
