import type { LimitExcess } from "../../core/index.ts";
import { exceededLimit, type Account } from "../../simulation/index.ts";
import type { Connection } from "../store/connection.ts";
import { Numbered } from "./numbered.ts";
import type { PlainFarm } from "./plain-farm.ts";
import type { Requirements } from "./requirements.ts";

/** Whom jobs count against. */
export type Accounts = Numbered<Account>;

/** @param texts by number, from 1 */
export function accountsOf(texts: readonly string[]): Accounts {
  return new Numbered(readAccount, { user: "", group: "", project: "" }, texts);
}

function readAccount(text: string): Account {
  const [user, group, project] = JSON.parse(text) as [string, string, string];
  return { user, group, project };
}

export function accountText({ user, group, project }: Account): string {
  return JSON.stringify([user, group, project]);
}

/**
 * The account of each job that is in the decision engine, by the engine's number of it. Those that have no number get
 * one: jobs that came before the farm had limits.
 */
export function accountsOfJobs(
  connection: Connection,
  { accounts }: Requirements,
): (engineJob: number) => number {
  const jobOf = new Map(
    connection
      .all("SELECT engine_job, job FROM twin")
      .map(({ engine_job, job }) => [Number(engine_job), Number(job)]),
  );
  return (engineJob) => {
    const row = connection.get(
      `SELECT user, json_extract(request, '$.group') AS "group", json_extract(request, '$.project') AS project
         FROM job WHERE number = ?`,
      jobOf.get(engineJob) ?? engineJob,
    );
    if (row === undefined) return 0;
    const { user, group, project } = row;
    const text = accountText({
      user: String(user),
      group: String(group ?? ""),
      project: String(project ?? ""),
    });
    return accounts.numberOf(text) || accounts.add(text);
  };
}

/** Whose limit a job exceeds. */
export function limitNamed(
  { limits = [] }: PlainFarm,
  { accounts }: Requirements,
  excess: LimitExcess,
): ReturnType<typeof exceededLimit> {
  return exceededLimit(limits, (number) => accounts.of(number), excess);
}
