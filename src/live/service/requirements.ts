import { parseRequirement, type Requirement } from "../../core/index.ts";
import type { Connection } from "../store/connection.ts";
import { accountsOf, accountText, type Accounts } from "./accounts.ts";
import type { Numbers } from "./asked.ts";
import type { JobRequest } from "../store/job-request.ts";
import { licenceRequestsOf, type LicenceRequests } from "./licence-requests.ts";
import { Numbered } from "./numbered.ts";

/** What jobs have asked for, and whom they count against, by number. */
export class Requirements {
  readonly expressions: Numbered<Requirement | null>;
  readonly licences: LicenceRequests;
  /** For the farm's limits. */
  readonly accounts: Accounts;

  /**
   * @param expressions texts of `requires`, by number, from 1
   * @param licences texts of `licences`
   * @param accounts texts of accounts
   */
  constructor(expressions: readonly string[], licences: readonly string[], accounts: readonly string[]) {
    this.expressions = new Numbered<Requirement | null>(parseRequirement, null, expressions);
    this.licences = licenceRequestsOf(licences);
    this.accounts = accountsOf(accounts);
  }

  /**
   * The numbers of what a job asks for: new ones of texts that have none.
   *
   * @param user whose job it is; empty: nobody's, whom no limit holds back
   */
  numbersOf({ requires, licences, group, project }: JobRequest, user: string): Numbers {
    const account = accountText({ user, group, project });
    return {
      account: user === "" ? 0 : this.accounts.numberOf(account) || this.accounts.add(account),
      requirement:
        requires.trim() === "" ? 0 : this.expressions.numberOf(requires) || this.expressions.add(requires),
      licences: licences.trim() === "" ? 0 : this.licences.numberOf(licences) || this.licences.add(licences),
    };
  }
}

/** What the jobs of a farm have used so far. */
export function storedRequirements(connection: Connection): Requirements {
  const texts = (table: string): string[] =>
    connection.all(`SELECT text FROM ${table} ORDER BY number`).map(({ text }) => String(text));
  return new Requirements(texts("requirement"), texts("licence_request"), texts("account"));
}
