import type { JobForecast } from "../forecasting/start-forecast.ts";
import { waitsForText } from "../service/books.ts";
import { isMet } from "../service/dependencies.ts";
import { isFinal, stateText, type JobState } from "../store/job-states.ts";
import { findJob, isForecast, type JobView } from "../store/job-views.ts";
import type { Route } from "./api.ts";
import { readAfterArrays } from "./after-arrays.ts";
import { json, ref } from "./answers.ts";
import { jobOf } from "./job-routes.ts";
import { ForecastBody } from "./job-schemas.ts";
import { JobParams } from "./selection-schemas.ts";
import { checkAfter, checkGrants, requestOf } from "./submissions.ts";
import { sizeOf } from "../service/request-size.ts";

/** A request that is not submitted may leave out what it runs: that does not matter to when it starts. */
const SOME_COMMAND = ["job"];

/** When jobs start. */
export const forecastRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/jobs/:job/forecast",
    summary:
      "forecast when a waiting job starts, anew where the last forecast is old; GET /v1/jobs/{job} has the last one",
    role: "viewer",
    params: JobParams,
    answers: json(ref("JobForecast")),
    async handle(asked, farm): Promise<JobForecast> {
      const before = jobOf(asked, farm);
      const { number } = before;
      const forecast = isForecast(before) ? await farm.forecasts.of(number) : null;
      asked.checkAgain();
      // It may have started meanwhile.
      const now = forecast === null ? before : (findJob(farm.database, number) ?? before);
      const { state, reason, startedAt } = now;
      const lastStartAt = startedAt === null ? lastStartOf(now) : null;
      return {
        job: number,
        state,
        reason,
        startedAt,
        lastStartAt,
        forecast: isForecast(now) ? forecast : null,
      };
    },
  },
  {
    method: "POST",
    path: "/v1/forecasts",
    summary: "forecast when a job would start if it were submitted now; nothing is submitted",
    role: "viewer",
    body: ForecastBody,
    answers: json(ref("JobForecast")),
    async handle(asked, farm): Promise<JobForecast> {
      const { identity, checkAgain } = asked;
      const { command = SOME_COMMAND, ...body } = asked.body as ForecastBody;
      const arrays = await readAfterArrays(identity, farm, [body]);
      const request = requestOf({ command, ...body }, arrays);
      const { service, database, grants, forecasts } = farm;
      sizeOf([request]);
      if (identity.role === "user") checkAfter(database, identity.user, [request]);
      await checkGrants(identity, grants, [request], service.submitting.names.groups);
      service.submitting.checks.check(request, service.unixSeconds());
      const stateOf: StateOf = (job) => findJob(database, job)?.state ?? null;
      const keeps = keepsFor(request, stateOf);
      const { deadlineAt } = request;
      const reason = keeps === "" ? waitsFor(request, stateOf, service.unixSeconds()) : keeps;
      const forecast = keeps === "" ? await forecasts.ofRequest(request, identity.user) : null;
      checkAgain();
      const lastStartAt = lastStartOf({
        deadlineAt: deadlineAt === null ? null : new Date(deadlineAt * 1000).toISOString(),
        timeSeconds: request.timeSeconds,
      });
      return { job: null, state: null, reason, startedAt: null, lastStartAt, forecast };
    },
  },
];

/** By when a job that has not started has to; null: it has no deadline. */
export function lastStartOf({
  deadlineAt,
  timeSeconds,
}: Pick<JobView, "deadlineAt" | "timeSeconds">): string | null {
  return deadlineAt === null
    ? null
    : new Date(Date.parse(deadlineAt) - 1000 * (timeSeconds ?? 0)).toISOString();
}

type StateOf = (job: number) => JobState | null;

/** What keeps a job from starting, until nobody knows when; empty: nothing. */
function keepsFor({ hold, after }: ReturnType<typeof requestOf>, stateOf: StateOf): string {
  if (hold) return "it would be held until it is released";
  for (const { job, condition } of after) {
    const state = stateOf(job);
    if (state !== null && isFinal(state) && !isMet(condition, state))
      return `it would be cancelled: job ${job}, which it would wait for, ${stateText(state)}`;
  }
  return "";
}

/** For what it would be held, as `holdReason` says of one that is; empty: it would not. */
function waitsFor(
  { after, beginAt }: ReturnType<typeof requestOf>,
  stateOf: StateOf,
  unixSeconds: number,
): string {
  const open = after.map(({ job }) => job).filter((job) => !isFinal(stateOf(job) ?? "lost"));
  if (open.length > 0) return waitsForText(open);
  return beginAt !== null && beginAt > unixSeconds ? `until ${new Date(beginAt * 1000).toISOString()}` : "";
}
