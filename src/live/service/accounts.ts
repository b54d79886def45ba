import type { LimitExcess } from "../../core/index.ts";
import { exceededLimit, type Account } from "../../simulation/index.ts";
import type { Connection } from "../store/connection.ts";
import type { PlainFarm } from "./plain-farm.ts";
import type { Requirements } from "./requirements.ts";

/** Whom jobs count against, by the numbers that the decision engine knows it by. 0 is nobody. */
export class Accounts {
  private readonly accounts: Account[] = [{ user: "", group: "", project: "" }];
  private readonly numbers = new Map<string, number>();

  /** @param texts by number, from 1 */
  constructor(texts: readonly string[]) {
    for (const text of texts) this.add(text);
  }

  /** 0 where it has no number yet. */
  numberOf(text: string): number {
    return this.numbers.get(text) ?? 0;
  }

  add(text: string): number {
    const [user, group, project] = JSON.parse(text) as [string, string, string];
    const number = this.accounts.push({ user, group, project }) - 1;
    this.numbers.set(text, number);
    return number;
  }

  /** How many there are. */
  get count(): number {
    return this.accounts.length - 1;
  }

  of(number: number): Account {
    return this.accounts[number] ?? this.accounts[0]!;
  }

  /** The texts of those from this number on. */
  textsAfter(count: number): string[] {
    return this.accounts.slice(count + 1).map(accountText);
  }
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
