import { Type } from "typebox";

import { Refusal } from "../refusal.ts";
import { doingOf } from "../service/doing.ts";
import { attemptsOf, findJob, isForecast, type JobList, type JobView } from "../store/job-views.ts";
import type { SortKey } from "../store/sort-keys.ts";
import { asJson, Raw, type Asked, type Route } from "./api.ts";
import { listOf, integer } from "./schema-parts.ts";
import { json, SubmittedJobs, ref } from "./answers.ts";
import { readAfterArrays } from "./after-arrays.ts";
import { mayBe } from "../identity.ts";
import { filterOf } from "./filters.ts";
import { ChangeBody, SubmitBody, SubmitListBody } from "./job-schemas.ts";
import { JobParams, JobsQuery, OutputQuery, WaitQuery } from "./selection-schemas.ts";
import type { ServiceHandle } from "./service-handle.ts";
import { rerunEach } from "./rerun.ts";
import { arrayOf, requestOf, submit } from "./submissions.ts";
import { changing } from "./to-each.ts";

export const jobRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/v1/jobs",
    summary: "submit a job, or an array of them",
    role: "user",
    body: SubmitBody,
    takesKey: true,
    answers: json(Type.Union([ref("SubmittedJob"), SubmittedJobs])),
    async handle(asked, farm) {
      const { array, environment, ...body } = asked.body as SubmitBody;
      const arrays = await readAfterArrays(asked.identity, farm, [body]);
      const requests = array === undefined ? [requestOf(body, arrays)] : arrayOf(body, array, arrays);
      const jobs = await submit(asked, farm, requests, environment ?? {});
      return array === undefined ? jobs[0] : { jobs };
    },
  },
  {
    method: "POST",
    path: "/v1/job-lists",
    summary: "submit many jobs at once: all of them are taken, or none",
    role: "user",
    body: SubmitListBody,
    takesKey: true,
    answers: json(SubmittedJobs),
    async handle(asked, farm) {
      const { jobs, environment } = asked.body as SubmitListBody;
      const arrays = await readAfterArrays(asked.identity, farm, jobs);
      const requests = jobs.map((body) => requestOf(body, arrays));
      return { jobs: await submit(asked, farm, requests, environment ?? {}) };
    },
  },
  {
    method: "GET",
    path: "/v1/jobs",
    summary: "list jobs, the last ones, by number",
    role: "viewer",
    query: JobsQuery,
    answers: json(listOf(ref("ListedJob"))),
    async handle({ identity, query }, farm) {
      const { state, tag, above, sort, limit = 1000, ...rest } = query as JobsQuery;
      const filter = filterOf(identity, farm, {
        ...rest,
        ...(state === undefined ? {} : { states: state.split(",").map((each) => each.trim()) }),
        ...(tag === undefined ? {} : { tags: tag }),
      });
      if (filter === null) return [];
      const jobs = await farm.lists.do("jobs", {
        unixSeconds: farm.service.unixSeconds(),
        limit,
        ...filter,
        ...(above === undefined ? {} : { above }),
        ...(sort === undefined ? {} : { sort: orderOf(sort) }),
      });
      return asJson(jobs);
    },
  },
  {
    method: "GET",
    path: "/v1/jobs/:job",
    summary: "tell all about a job; with wait, once it is over or the time has passed",
    role: "viewer",
    params: JobParams,
    query: WaitQuery,
    answers: json(ref("JobInFull")),
    async handle(asked, farm) {
      const job = jobOf(asked, farm);
      const { wait = 0 } = asked.query as WaitQuery;
      // After a reload it is another service with other books.
      const isOver = (): true | null => (farm.service.books.jobs.has(job.number) ? null : true);
      await farm.followers.until(isOver, wait, asked.gone);
      asked.checkAgain();
      const { database, forecasts } = farm;
      const now = findJob(database, job.number)!;
      const forecast = isForecast(now) ? forecasts.kept(job.number) : null;
      const { books, pools } = farm.service;
      const present = books.jobs.get(job.number);
      const doing = present === undefined ? null : doingOf(present, pools);
      return { ...now, attempts: attemptsOf(database, job.number), forecast, doing };
    },
  },
  {
    method: "GET",
    path: "/v1/jobs/:job/output",
    summary: "read what a job has printed, from a byte on; croft-job-over tells whether more may come",
    role: "viewer",
    params: JobParams,
    query: OutputQuery,
    answers: { "application/octet-stream": {} },
    answerHeaders: {
      "croft-next-byte": integer("where the next read begins"),
      "croft-job-attempt": integer("its last attempt"),
      "croft-job-over": Type.Boolean({ description: "whether nothing more will come" }),
    },
    async handle(asked, farm) {
      const job = jobOf(asked, farm);
      const last = Math.max(1, job.attempt);
      const { stream = "stdout", from = 0, attempt = last } = asked.query as OutputQuery;
      if (attempt > last)
        throw new Refusal(404, `job ${job.number} has no attempt ${attempt}: its last is ${last}`);
      const isElsewhere = job.output !== null || (stream === "stderr" && job.errorOutput !== null);
      if (isElsewhere) throw new Refusal(409, `job ${job.number} writes to a file of its own: read it there`);
      // Asked before reading, so that output that comes in between is not missed: the client reads once more.
      const isOver = !farm.service.books.jobs.has(job.number);
      const bytes = await farm.output.read(job, attempt, stream, from);
      return new Raw("application/octet-stream", bytes, {
        "croft-next-byte": String(from + bytes.length),
        "croft-job-attempt": String(last),
        "croft-job-over": String(isOver),
      });
    },
  },
  {
    method: "GET",
    path: "/v1/jobs/:job/events",
    summary: "tell what has happened to a job",
    role: "viewer",
    params: JobParams,
    answers: json(listOf(ref("Event"))),
    async handle(asked, farm) {
      const { number } = jobOf(asked, farm);
      return asJson(await farm.lists.do("events", { after: 0, job: number, user: null, limit: 10_000 }));
    },
  },
  {
    method: "PATCH",
    path: "/v1/jobs/:job",
    summary: "change the priority, the limits, the times or the pool of a job that has not started",
    role: "user",
    params: JobParams,
    body: ChangeBody,
    answers: json(ref("Job")),
    async handle(asked, farm) {
      const { number } = changeable(asked, farm);
      const { toJob } = await changing(asked.body as ChangeBody, asked, farm);
      await farm.service.loop.act((turn) => toJob(turn, number));
      return findJob(farm.database, number);
    },
  },
  {
    method: "POST",
    path: "/v1/jobs/:job/rerun",
    summary: "submit a job again as it was, held by nobody and waiting for no other job",
    role: "user",
    params: JobParams,
    takesKey: true,
    answers: json(ref("SubmittedJob")),
    async handle(asked, farm) {
      const job = changeable(asked, farm);
      const numbers = [job.number];
      const groups = await farm.lists.do("requests", { numbers });
      const { jobs } = await rerunEach(asked, farm, numbers, groups, (_, refusal) => {
        throw refusal;
      });
      return jobs.get(job.number);
    },
  },
];

function orderOf(sort: NonNullable<JobsQuery["sort"]>): NonNullable<JobList["sort"]> {
  const isReversed = sort.startsWith("-");
  return { by: (isReversed ? sort.slice(1) : sort) as SortKey, isReversed };
}

/** The job that a request names. */
export function jobOf(asked: Asked, { database }: ServiceHandle): JobView {
  const { job: name } = asked.params as JobParams;
  return visible(findJobNamed(database, name), name, asked);
}

/** For a user, other users' jobs do not seem to exist. */
export function visible<Job extends { readonly user: string }>(
  job: Job | null,
  name: string,
  { identity }: Asked,
): Job {
  if (job === null || (identity.role === "user" && job.user !== identity.user))
    throw new Refusal(404, `there is no job ${name}`);
  return job;
}

/** A job that a request is to change: one of the user's own, or any job for an operator. */
export function mayChange<Job extends { readonly number: number; readonly user: string }>(
  job: Job | null,
  name: string,
  asked: Asked,
): Job {
  const { number, user } = visible(job, name, asked);
  if (user !== asked.identity.user && !mayBe(asked.identity, "operator"))
    throw new Refusal(403, `job ${number} belongs to ${user}`);
  return job!;
}

export function changeable(asked: Asked, { database }: ServiceHandle): JobView {
  const { job: name } = asked.params as JobParams;
  return mayChange(findJobNamed(database, name), name, asked);
}

function findJobNamed(database: ServiceHandle["database"], name: string): JobView | null {
  return findJob(database, /^\d+$/.test(name) ? Number(name) : name);
}
