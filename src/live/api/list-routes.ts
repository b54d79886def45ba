import { MOST_LIST_BYTES } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import { acts } from "./act-routes.ts";
import { asJson, type Asked, type Route } from "./api.ts";
import { json, ActedOnJobs, SubmittedAgain } from "./answers.ts";
import { mayChange } from "./job-routes.ts";
import { rerunEach } from "./rerun.ts";
import { ChangeListBody, JobListBody } from "./selection-schemas.ts";
import type { ServiceHandle } from "./service-handle.ts";
import { acting, changing, toEach, type Doing } from "./to-each.ts";

interface RefusedJob {
  readonly job: string;
  readonly status: number;
  readonly error: string;
}

/** What people do to each job of a list: one request, however many they are. */
export const listRoutes: readonly Route[] = [
  ...acts.map(([verb, summary]) =>
    listRoute(verb, summary, JobListBody, async (asked, farm) => acting(verb, asked, farm)),
  ),
  listRoute(
    "change",
    "change the priority, the limits, the times or the pool of jobs that have not started",
    ChangeListBody,
    (asked, farm) => changing((asked.body as ChangeListBody).change, asked, farm),
  ),
  {
    method: "POST",
    path: "/v1/job-lists/rerun",
    summary:
      "of each job of a list: submit it again as it was, held by nobody and waiting for no other job; what is refused of one job leaves the others as they are",
    role: "user",
    takesKey: true,
    body: JobListBody,
    answers: json(SubmittedAgain),
    async handle(asked, farm) {
      const { numbers, refused } = await namedJobs(asked, farm);
      const refuse = (number: number, { status, message }: Refusal): void =>
        void refused.push({ job: numbers.get(number)!, status, error: message });
      const wanted = [...numbers.keys()];
      const groups = await farm.lists.do("requests", { numbers: wanted });
      const again = await rerunEach(asked, farm, wanted, groups, refuse);
      const jobs = wanted.flatMap((number) => {
        const job = again.jobs.get(number);
        return job === undefined ? [] : [{ ...job, rerunOf: number }];
      });
      return { jobs, withoutDeadline: again.withoutDeadline, refused };
    },
  },
];

function listRoute(
  verb: string,
  summary: string,
  body: object,
  doingOf: (asked: Asked, farm: ServiceHandle) => Promise<Doing>,
): Route {
  return {
    method: "POST",
    path: `/v1/job-lists/${verb}`,
    summary: `of each job of a list: ${summary}; what is refused of one job leaves the others as they are`,
    role: "user",
    body,
    answers: json(ActedOnJobs),
    async handle(asked, farm) {
      const doing = await doingOf(asked, farm);
      const { numbers, refused } = await namedJobs(asked, farm);
      const isRefused = new Set<number>();
      await toEach([...numbers.keys()], doing, farm, (number, { status, message }) => {
        isRefused.add(number);
        refused.push({ job: numbers.get(number)!, status, error: message });
      });
      const done = [...numbers.keys()].filter((number) => !isRefused.has(number));
      const jobs = await farm.lists.do("jobsNumbered", { numbers: done });
      const rest = `,"refused":${JSON.stringify(refused)}}`;
      return asJson(Buffer.concat([Buffer.from('{"jobs":'), jobs, Buffer.from(rest)]));
    },
  };
}

/** The jobs of the list that whoever asks may change, with their names there; and those that he may not. */
async function namedJobs(
  asked: Asked,
  farm: ServiceHandle,
): Promise<{ readonly numbers: Map<number, string>; readonly refused: RefusedJob[] }> {
  const refused: RefusedJob[] = [];
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
      refused.push({ job: names[at]!, status: error.status, error: error.message });
    }
  if (bytes > MOST_LIST_BYTES)
    throw new Refusal(
      422,
      `these jobs are described by more than ${MOST_LIST_BYTES / 1024 / 1024} MiB, which an answer does not take: name fewer at a time`,
    );
  return { numbers, refused };
}
