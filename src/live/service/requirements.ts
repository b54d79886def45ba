import { parseRequirement, type Requirement } from "../../core/index.ts";
import type { Connection } from "../store/connection.ts";
import { Accounts, accountText } from "./accounts.ts";
import type { Numbers } from "./asked.ts";
import type { JobRequest } from "./job-request.ts";
import { LicenceRequests } from "./licence-requests.ts";

/** Expressions that jobs have used, by the numbers that the decision engine knows them by. 0 asks for nothing. */
export class Requirements {
  private readonly byNumber: (Requirement | null)[] = [null];
  private readonly numbers = new Map<string, number>();
  /** What jobs have asked for of the pools' licences. */
  readonly licences: LicenceRequests;
  /** Whom jobs count against, for the farm's limits. */
  readonly accounts: Accounts;

  /**
   * @param texts by number, from 1
   * @param licences texts of `licences`, by number, from 1
   * @param accounts texts of `accounts`, by number, from 1
   */
  constructor(texts: readonly string[], licences: readonly string[], accounts: readonly string[]) {
    this.accounts = new Accounts(accounts);
    this.licences = new LicenceRequests(licences);
    for (const text of texts) this.add(text);
  }

  of(number: number): Requirement | null {
    return this.byNumber[number] ?? null;
  }

  /** 0 where the text has no number yet. */
  numberOf(text: string): number {
    return this.numbers.get(text) ?? 0;
  }

  /** @throws RequirementError where it cannot be read */
  add(text: string): number {
    const number = this.byNumber.push(parseRequirement(text)) - 1;
    this.numbers.set(text, number);
    return number;
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
      requirement: requires.trim() === "" ? 0 : this.numberOf(requires) || this.add(requires),
      licences: licences.trim() === "" ? 0 : this.licences.numberOf(licences) || this.licences.add(licences),
    };
  }

  get all(): readonly (Requirement | null)[] {
    return this.byNumber;
  }
}

/** What the jobs of a farm have used so far. */
export function storedRequirements(connection: Connection): Requirements {
  const texts = (table: string): string[] =>
    connection.all(`SELECT text FROM ${table} ORDER BY number`).map(({ text }) => String(text));
  return new Requirements(texts("requirement"), texts("licence_request"), texts("account"));
}
