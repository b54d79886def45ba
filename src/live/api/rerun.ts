import { setImmediate } from "node:timers/promises";

import { SUBMIT_STEP } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import { readRequest } from "../store/job-request.ts";
import type { RequestGroup } from "../store/chosen-jobs.ts";
import type { SubmittedJob } from "../service/submitting.ts";
import type { Asked } from "./api.ts";
import type { ServiceHandle } from "./service-handle.ts";
import { checkGrants, requestAgain, submitAgain } from "./submissions.ts";

export interface Rerun {
  /** The new job of each. */
  readonly jobs: ReadonlyMap<number, SubmittedJob>;
  /** Of how many the deadline could not be kept any more: the new ones have none. */
  readonly withoutDeadline: number;
}

/**
 * Submits jobs again as they were, for whoever asks. What is refused of one leaves the others; those of an array are one
 * again.
 *
 * @param groups what the jobs asked for: see `requestsOf`
 */
export async function rerunEach(
  asked: Asked,
  farm: ServiceHandle,
  numbers: ArrayLike<number>,
  groups: readonly RequestGroup[],
  refuse: (job: number, refusal: Refusal) => void,
): Promise<Rerun> {
  let withoutDeadline = 0;
  const again = new Map<number, SubmittedJob>();
  const found = new Set(groups.flatMap((group) => group.numbers));
  for (const number of Array.from(numbers))
    if (!found.has(number)) refuse(number, new Refusal(404, `job ${number} is in the farm's history`));
  for (const [at, group] of groups.entries()) {
    const possible = await withoutImpossible(asked, farm, group, refuse);
    if (possible.numbers.length === 0) continue;
    try {
      const key = asked.key === null ? null : `${asked.key} ${at}`;
      const jobs = await submitAgain({ ...asked, key }, farm, possible);
      for (const [place, number] of possible.numbers.entries()) again.set(number, jobs[place]!);
      withoutDeadline += possible.withoutDeadline;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const number of possible.numbers) refuse(number, error);
    }
  }
  return { jobs: again, withoutDeadline };
}

/** A submission is taken whole or not at all: what cannot be submitted again is left out of it before. */
async function withoutImpossible(
  { identity }: Asked,
  { service, grants }: ServiceHandle,
  { numbers, requests, environment }: RequestGroup,
  refuse: (job: number, refusal: Refusal) => void,
): Promise<RequestGroup & Pick<Rerun, "withoutDeadline">> {
  const possible = { numbers: [] as number[], requests: [] as string[], environment, withoutDeadline: 0 };
  for (const [at, text] of requests.entries()) {
    // Other work goes on in between.
    if (at > 0 && at % SUBMIT_STEP === 0) await setImmediate();
    try {
      const now = service.unixSeconds();
      const request = requestAgain(text, numbers[at]!, now);
      await checkGrants(identity, grants, [request], service.submitting.names.groups);
      service.submitting.checks.check(request, now);
      if (request.deadlineAt === null && readRequest(text).deadlineAt !== null) possible.withoutDeadline++;
      possible.numbers.push(numbers[at]!);
      possible.requests.push(text);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse(numbers[at]!, error);
    }
  }
  return possible;
}
