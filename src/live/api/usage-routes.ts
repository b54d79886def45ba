import { parseDate } from "../../workload/dates.ts";
import { Refusal } from "../refusal.ts";
import { json } from "./answers.ts";
import { UsageAnswer } from "./usage-answer.ts";
import type { Route } from "./api.ts";
import { UsageQuery } from "./farm-schemas.ts";

const DAY_SECONDS = 86_400;
const USUAL_DAYS = 30;

/** What has been used, by whom. */
export const usageRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/usage",
    summary:
      "tell what jobs have used in a period, how long they waited, and how well they used what they had",
    role: "viewer",
    query: UsageQuery,
    answers: json(UsageAnswer),
    async handle({ identity, query }, { service, trials }) {
      const { by = "user", since, lastSeconds = USUAL_DAYS * DAY_SECONDS } = query as UsageQuery;
      const now = service.unixSeconds();
      const from = since === undefined ? now - lastSeconds : parseDate(since) / 1000;
      if (!Number.isFinite(from))
        throw new Refusal(
          400,
          `since: ${JSON.stringify(since)} is no time: give one such as 2026-10-01T12:00:00Z`,
        );
      const user = identity.role === "user" ? identity.user : null;
      const found = await trials.do("usage", { by, since: from, now, user });
      const time = (seconds: number): string => new Date(seconds * 1000).toISOString();
      const { rows, countedSince } = found;
      return {
        by,
        since: time(from),
        until: time(now),
        countedSince: countedSince === null ? null : time(countedSince),
        rows,
      };
    },
  },
];
