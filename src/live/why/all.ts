import { meaningOf, tokenNames, type ReasonToken } from "../../simulation/index.ts";
import { PAUSED_WITH_POOL } from "../service/books.ts";
import type { Connection } from "../store/connection.ts";
import { heldToken } from "../store/held-for.ts";
import { replicaOf, type Replica } from "../replica/replica.ts";
import { Told } from "./told.ts";
import { waitingJobs, type Culprit } from "./waiting.ts";

/** Why the jobs of a farm do not run, counted. */
export interface WaitingSummary {
  readonly waiting: number;
  readonly examined: number;
  readonly reasons: readonly {
    readonly token: ReasonToken;
    readonly meaning: string;
    readonly jobs: number;
    readonly first: readonly number[];
  }[];
  readonly culprits: readonly {
    readonly token: ReasonToken;
    readonly what: string;
    readonly jobs: number;
    readonly first: readonly number[];
    readonly machines: readonly string[];
  }[];
  readonly notTold: string | null;
}

const NAMED = 5;
const MOST_CULPRITS = 20;
const MOST_ROWS = 200_000;

interface Because {
  readonly job: number;
  readonly token: ReasonToken;
  readonly culprit: Culprit;
}

export interface WhyAll {
  /** The farm's time. */
  readonly at: number;
  /** Whose jobs; null: everybody's. */
  readonly user: string | null;
}

const told = new Told<string | null, WaitingSummary>();

export function whyAll(connection: Connection, asked: WhyAll): WaitingSummary {
  const replica = replicaOf(connection);
  if (replica === null) return summary(connection, null, asked);
  const known = told.get(connection, replica, asked.user, asked.at);
  if (known !== undefined) return known;
  const found = summary(connection, replica, asked);
  told.set(connection, asked.user, found);
  return found;
}

function summary(connection: Connection, replica: Replica | null, { at, user }: WhyAll): WaitingSummary {
  const rows = connection.all(
    `SELECT number, state, reason, is_held, is_paused FROM job
       WHERE ended_at IS NULL AND state IN ('waiting', 'held', 'suspended') ${user === null ? "" : "AND user = ?"}
       ORDER BY number LIMIT ${MOST_ROWS}`,
    ...(user === null ? [] : [user]),
  );
  const waiting = new Set<number>();
  const all: Because[] = [];
  for (const { number, state, reason, is_held, is_paused } of rows) {
    const job = Number(number);
    if (state === "waiting") waiting.add(job);
    else all.push({ job, ...stands(String(state), String(reason), is_held === 1, is_paused === 1) });
  }
  if (replica !== null && waiting.size > 0) {
    const found = new Set<number>();
    for (const { job, dominant, culprit } of waitingJobs(replica, connection, at, (each) =>
      waiting.has(each),
    ))
      if (!found.has(job)) {
        found.add(job);
        all.push({ job, token: dominant.token, culprit });
      }
  }
  return {
    waiting: rows.length,
    examined: all.length,
    reasons: counted(all, ({ token }) => token)
      .map(({ one: { token }, jobs, first }) => ({ token, meaning: meaningOf(token), jobs, first }))
      .sort((a, b) => b.jobs - a.jobs || tokenNames.indexOf(a.token) - tokenNames.indexOf(b.token)),
    culprits: counted(all, ({ token, culprit: { what } }) => `${token} ${what}`)
      .map(({ one: { token, culprit }, jobs, first }) => ({ token, ...culprit, jobs, first }))
      .sort((a, b) => b.jobs - a.jobs || a.what.localeCompare(b.what, "en"))
      .slice(0, MOST_CULPRITS),
    notTold:
      waiting.size > 0 && replica === null
        ? "the farm has too many jobs for a copy of it to be looked at"
        : null,
  };
}

/** A job that is held or suspended. */
function stands(state: string, reason: string, isHeld: boolean, isPaused: boolean): Omit<Because, "job"> {
  const named = (token: ReasonToken, what: string): Omit<Because, "job"> => ({
    token,
    culprit: { what, machines: [] },
  });
  if (state === "held") {
    if (isHeld) return named("held", "a release");
    const token = heldToken(reason);
    return named(token, token === "begin-time" ? "its time to begin" : reason.replace(/^waits for /, ""));
  }
  if (reason === PAUSED_WITH_POOL) return named("paused", "whoever paused its pool");
  return isPaused
    ? named("suspended-by-hand", "whoever suspended it")
    : named("suspended", reason.startsWith("for ") ? reason.slice("for ".length) : "room on its machines");
}

function counted(
  all: readonly Because[],
  keyOf: (because: Because) => string,
): { one: Because; jobs: number; first: number[] }[] {
  const groups = new Map<string, { one: Because; jobs: number; first: number[] }>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key) ?? { one: each, jobs: 0, first: [] };
    groups.set(key, group);
    group.jobs++;
    if (group.first.length < NAMED) group.first.push(each.job);
  }
  return [...groups.values()];
}
