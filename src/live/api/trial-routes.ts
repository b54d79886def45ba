import type { Fits } from "../replica/fits.ts";
import type { Instant } from "../replica/replica.ts";
import type { ReloadTrial } from "../replica/try-reload.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service/service.ts";
import type { Route } from "./api.ts";
import { json, ref } from "./answers.ts";
import { checkGrants, requestOf } from "./submissions.ts";
import { FitsBody, TryReloadBody } from "./trial-schemas.ts";

const COUNT = 1000;
/** Each takes some seconds, in which nobody is told why jobs wait. */
const MOST_TRYING = 4;
let trying = 0;

/** What is tried on a copy of the farm. */
export const trialRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/v1/fits",
    summary:
      "count how many such jobs would start now and within a week, behind all that wait, if nothing else came",
    role: "viewer",
    body: FitsBody,
    answers: json(ref("Fits")),
    async handle({ identity, body, checkAgain }, { service, grants, trials }): Promise<Fits> {
      const { tasks = 1, count = COUNT, ...asked } = body as FitsBody;
      const request = requestOf({ command: ["job"], ...asked });
      await checkGrants(identity, grants, [request], service.submitting.names.groups);
      service.submitting.checks.check(request, service.unixSeconds());
      const wanted = { request, tasks, count, instant: instantOf(service) };
      const found = await tried(() => trials.do("fits", wanted));
      checkAgain();
      return found;
    },
  },
  {
    method: "POST",
    path: "/v1/reload/try",
    summary: "tell what would become of the jobs if the farm read this file; nothing is changed",
    role: "operator",
    body: TryReloadBody,
    answers: json(ref("ReloadTrial")),
    async handle({ body, checkAgain }, { service, trials }): Promise<ReloadTrial> {
      const file = body as TryReloadBody;
      const trial = await tried(() => trials.do("tryReload", { ...file, instant: instantOf(service) }));
      checkAgain();
      return trial;
    },
  },
];

function instantOf(service: Service): Instant {
  return { farmSeconds: service.farmTime(), unixSeconds: service.unixSeconds() };
}

async function tried<Result>(trial: () => Promise<Result | null>): Promise<Result> {
  if (trying >= MOST_TRYING) throw new Refusal(503, "too many try something at the same time: try again");
  trying++;
  try {
    const result = await trial();
    if (result === null) throw new Refusal(503, "the farm has too many jobs for a copy of it to be tried on");
    return result;
  } finally {
    trying--;
  }
}
