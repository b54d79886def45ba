import { setImmediate } from "node:timers/promises";

import { STEP_BYTES, SUBMIT_STEP } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import { readRequest, type JobRequest } from "../store/job-request.ts";
import type { RequestGroup } from "../store/chosen-jobs.ts";
import { checkSize, sizeOf } from "../service/request-size.ts";
import type { SubmittedJob } from "../service/submitting.ts";
import { canKeepTimes } from "../service/timing.ts";
import type { Asked } from "./api.ts";
import type { ServiceHandle } from "./service-handle.ts";
import { checkGrants, submit } from "./submissions.ts";

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
  const made = new Map<number, SubmittedJob>();
  const found = new Set(groups.flatMap((group) => group.numbers));
  for (const number of Array.from(numbers))
    if (!found.has(number)) refuse(number, new Refusal(404, `job ${number} is in the farm's history`));
  for (const [at, group] of groups.entries()) {
    const possible = await withoutImpossible(asked, farm, group, refuse);
    const { jobs, environment, bytes } = possible;
    if (jobs.length === 0) continue;
    try {
      checkSize(bytes, jobs.length);
      const key = asked.key === null ? null : `${asked.key} ${at}`;
      // What a job asked for does not change any more: the numbers tell one such submission from another.
      const content = `again ${possible.numbers.join(" ")}`;
      const taken = await submit({ ...asked, key }, farm, jobs, environment, { bytes, content });
      for (const [place, number] of possible.numbers.entries()) made.set(number, taken[place]!);
      withoutDeadline += possible.withoutDeadline;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const number of possible.numbers) refuse(number, error);
    }
  }
  return { jobs: made, withoutDeadline };
}

const decoder = new TextDecoder();

/** Jobs to submit again together. */
interface Again {
  readonly numbers: number[];
  readonly jobs: JobRequest[];
  readonly environment: Readonly<Record<string, string>>;
  /** About what they take to hold and to write. */
  bytes: number;
  withoutDeadline: number;
}

/** A submission is taken whole or not at all: what cannot be submitted again is left out of it before. */
async function withoutImpossible(
  { identity }: Asked,
  { service, grants }: ServiceHandle,
  { numbers, requests, environment }: RequestGroup,
  refuse: (job: number, refusal: Refusal) => void,
): Promise<Again> {
  const variables = JSON.parse(environment) as Record<string, string>;
  const possible: Again = {
    numbers: [],
    jobs: [],
    environment: variables,
    bytes: sizeOf([], variables),
    withoutDeadline: 0,
  };
  let inStep = { jobs: 0, bytes: 0 };
  for (const [at, bytes] of requests.entries()) {
    // Other work goes on in between: to read long commands takes milliseconds each.
    if (inStep.jobs === SUBMIT_STEP || inStep.bytes > STEP_BYTES) {
      await setImmediate();
      inStep = { jobs: 0, bytes: 0 };
    }
    inStep.jobs++;
    inStep.bytes += bytes.length;
    try {
      const now = service.unixSeconds();
      const before = readRequest(decoder.decode(bytes));
      const request = again(before, numbers[at]!, now);
      await checkGrants(identity, grants, [request], service.submitting.names.groups);
      service.submitting.checks.check(request, now);
      possible.bytes += sizeOf([request]);
      if (request.deadlineAt === null && before.deadlineAt !== null) possible.withoutDeadline++;
      possible.numbers.push(numbers[at]!);
      possible.jobs.push(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse(numbers[at]!, error);
    }
  }
  return possible;
}

/** What a job that is submitted again asks for. A deadline that it cannot keep any more was for the run before. */
function again(before: JobRequest, rerunOf: number, unixSeconds: number): JobRequest {
  const request = { ...before, hold: false, after: [], rerunOf };
  return canKeepTimes(request, unixSeconds) ? request : { ...request, deadlineAt: null };
}
