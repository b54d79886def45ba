import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Jobs } from "../jobs/jobs.ts";
import { WaitingKinds } from "../jobs/waiting-kinds.ts";
import { NONE } from "../none.ts";
import { FailedRequests } from "./failed-requests.ts";
import { aJob } from "./pool.fixture.ts";

const anyRequest = fc.record({
  cores: fc.integer({ min: 1, max: 3 }),
  memory: fc.nat(2),
  gpu: fc.nat(1),
  tasks: fc.integer({ min: 1, max: 2 }),
  requirement: fc.nat(2),
  family: fc.nat(1),
});
type Request = typeof anyRequest extends fc.Arbitrary<infer T> ? T : never;

/** Whether a job of one request fails because a job of the other did. */
function fails(request: Request, failed: Request): boolean {
  return (
    request.cores >= failed.cores &&
    request.memory >= failed.memory &&
    request.gpu >= failed.gpu &&
    request.tasks >= failed.tasks &&
    (failed.requirement === 0 || request.requirement === failed.requirement) &&
    request.family === failed.family
  );
}

test("a request for no less than one that failed fails, with no more room", () => {
  const requests = fc.array(anyRequest, { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(requests, fc.array(fc.nat(39), { maxLength: 6 }), (requests, tried) => {
      const jobs = new Jobs();
      const waiting = new WaitingKinds();
      const handles = requests.map((request) => jobs.add(aJob(request)));
      for (const job of handles) waiting.wait(jobs.kind[job]);
      const failed = new FailedRequests(jobs, waiting);
      for (let pass = 0; pass < 2; pass++) {
        const known: Request[] = [];
        const isKnown = (request: Request): boolean => known.some((each) => fails(request, each));
        for (const i of tried) {
          const at = i % requests.length;
          if (failed.roomFor(handles[at]) !== NONE) continue;
          failed.add(handles[at], known.length);
          known.push(requests[at]);
          for (const [i, request] of requests.entries()) {
            // The room is that of the first failed request that this one is no less than.
            const first = known.findIndex((each) => fails(request, each));
            expect(failed.roomFor(handles[i])).toBe(first === -1 ? NONE : first);
            const family = requests.filter((each) => each.family === request.family);
            if (family.every(isKnown)) expect(failed.coversFamilyOf(handles[i])).toBe(true);
            else expect(failed.coversFamilyOf(handles[i])).toBe(false);
          }
          expect(failed.coversAll).toBe(requests.every(isKnown));
        }
        failed.clear();
        expect(handles.every((job) => failed.roomFor(job) === NONE)).toBe(true);
        expect(failed.coversAll).toBe(false);
      }
    }),
  );
});

test("the failure of a job that may not use all machines says nothing of others", () => {
  const jobs = new Jobs();
  const waiting = new WaitingKinds();
  const [excluded, larger] = [1000, 2000].map((cores) => jobs.add(aJob({ cores })));
  jobs.exclude(excluded, true);
  for (const job of [excluded, larger]) waiting.wait(jobs.kind[job]);
  const failed = new FailedRequests(jobs, waiting);
  failed.add(excluded, 0);
  expect([excluded, larger].map((job) => failed.roomFor(job))).toEqual([0, NONE]);
  expect(failed.coversAll).toBe(false);
  failed.add(larger, 0);
  expect(failed.coversAll).toBe(true);
});
