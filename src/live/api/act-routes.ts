import { MOST_LIST_BYTES } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import { findJob } from "../store/job-views.ts";
import { asJson, type Route } from "./api.ts";
import { json, ref, ActedOnJobs } from "./answers.ts";
import { changeable, mayChange } from "./job-routes.ts";
import { acting, toEach } from "./to-each.ts";
import { JobListBody, JobParams } from "./selection-schemas.ts";

export const acts = [
  ["cancel", "take a job back, and end what runs of it"],
  ["hold", "keep a waiting job from starting"],
  ["release", "let a held job take its turn"],
  ["suspend", "stop what runs of a job; it keeps its cores and memory"],
  ["resume", "let a job go on that was suspended by hand"],
] as const;
export type Act = (typeof acts)[number][0];

/** What people do to jobs: to one, or to each of a list. */
export const actRoutes: readonly Route[] = acts.flatMap(([verb, summary]): Route[] => [
  {
    method: "POST",
    path: `/v1/jobs/:job/${verb}`,
    summary,
    role: "user",
    params: JobParams,
    answers: json(ref("Job")),
    async handle(asked, farm) {
      const { number } = changeable(asked, farm);
      await toEach([number], acting(verb, asked, farm), farm, (_, refusal) => {
        throw refusal;
      });
      return findJob(farm.database, number);
    },
  },
  {
    method: "POST",
    path: `/v1/job-lists/${verb}`,
    summary: `of each job of a list: ${summary}; what is refused of one job leaves the others as they are`,
    role: "user",
    body: JobListBody,
    answers: json(ActedOnJobs),
    async handle(asked, farm) {
      const refused: { job: string; status: number; error: string }[] = [];
      const refuse = (job: string, { status, message }: Refusal): void =>
        void refused.push({ job, status, error: message });
      const numbers = new Map<number, string>();
      let bytes = 0;
      const names = (asked.body as JobListBody).jobs;
      const owners = await farm.lists.do("owners", { names });
      for (const [at, owner] of owners.entries())
        try {
          const { number, bytes: length } = mayChange(owner, names[at]!, asked);
          numbers.set(number, names[at]!);
          bytes += length;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          refuse(names[at]!, error);
        }
      if (bytes > MOST_LIST_BYTES)
        throw new Refusal(
          422,
          `these jobs are described by more than ${MOST_LIST_BYTES / 1024 / 1024} MiB, which an answer does not take: name fewer at a time`,
        );
      const isRefused = new Set<number>();
      await toEach([...numbers.keys()], acting(verb, asked, farm), farm, (number, refusal) => {
        isRefused.add(number);
        refuse(numbers.get(number)!, refusal);
      });
      const done = [...numbers.keys()].filter((number) => !isRefused.has(number));
      const jobs = await farm.lists.do("jobsNumbered", { numbers: done });
      const rest = `,"refused":${JSON.stringify(refused)}}`;
      return asJson(Buffer.concat([Buffer.from('{"jobs":'), jobs, Buffer.from(rest)]));
    },
  },
]);
