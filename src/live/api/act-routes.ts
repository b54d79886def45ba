import { findJob } from "../store/job-views.ts";
import type { Route } from "./api.ts";
import { json, ref } from "./answers.ts";
import { changeable } from "./job-routes.ts";
import { acting, toEach } from "./to-each.ts";
import { JobParams } from "./selection-schemas.ts";

export const acts = [
  ["cancel", "take a job back, and end what runs of it"],
  ["hold", "keep a waiting job from starting"],
  ["release", "let a held job take its turn"],
  ["suspend", "stop what runs of a job; it keeps its cores and memory"],
  ["resume", "let a job go on that was suspended by hand"],
] as const;
export type Act = (typeof acts)[number][0];

/** What people do to a job. */
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
]);
