import { HELD, NONE, type Port } from "../../core/index.ts";
import type { HeldJob, LimitedArray } from "../../forecast/index.ts";
import type { Connection } from "../store/connection.ts";
import type { Condition, JobRequest } from "../store/job-request.ts";

/** Held jobs, and jobs of arrays, that are looked at, the first: some tenths of a second. */
const MOST_HELD = 100_000;

/** A job that is held until others are over, until a time, or for a place of its array. */
export interface LiveHeldJob extends HeldJob {
  /** How those have to end that it waits for. */
  readonly conditions: ReadonlyMap<number, Condition>;
  /** Those of them that are tried again if they fail: they may be over later than after one run. */
  readonly retried: readonly number[];
}

/**
 * The held jobs that the farm releases by itself, by number: before each of them are those that it waits for.
 *
 * @param offsetSeconds time since 1970 less the farm's
 */
export function heldJobs(connection: Connection, port: Port, offsetSeconds: number): LiveHeldJob[] {
  const { jobs } = port.view;
  if (jobs.held === 0) return [];
  const waitedFor = new Map<number, WaitedFor>();
  for (const { job, after, condition, retries } of connection.iterate(
    `SELECT job, after, condition, other.retries_left AS retries FROM job AS one CROSS JOIN dependency ON job = one.number
       CROSS JOIN job AS other ON other.number = after
       WHERE one.ended_at IS NULL AND one.state = 'held' AND other.ended_at IS NULL`,
  )) {
    const others = waitedFor.get(Number(job)) ?? nothing();
    waitedFor.set(Number(job), others);
    others.conditions.set(Number(after), condition as Condition);
    if (Number(retries) > 0) others.retried.push(Number(after));
  }
  const rows = connection.all(
    `SELECT number, begin_at FROM job WHERE ended_at IS NULL AND state = 'held' AND is_held = 0
       ORDER BY number LIMIT ${MOST_HELD}`,
  );
  return rows.flatMap(({ number, begin_at: beginAt }) => {
    const job = Number(number);
    const handle = port.handleOf(job);
    if (handle === NONE || jobs.stateOf(handle) !== HELD) return [];
    const notBefore = beginAt === null ? -Infinity : Number(beginAt) - offsetSeconds;
    return [heldJob(job, waitedFor.get(job) ?? nothing(), notBefore)];
  });
}

/**
 * What would hold a job that is not submitted; null: nothing.
 *
 * @param times when it is, since 1970, and how that differs from the farm's time
 */
export function heldAs(
  connection: Connection,
  job: number,
  { after, beginAt }: JobRequest,
  { unixSeconds, offsetSeconds }: { readonly unixSeconds: number; readonly offsetSeconds: number },
): LiveHeldJob | null {
  const others = nothing();
  for (const { job: other, condition } of after) {
    const row = connection.get("SELECT ended_at, retries_left FROM job WHERE number = ?", other);
    if (row?.["ended_at"] !== null) continue;
    others.conditions.set(other, condition);
    if (Number(row["retries_left"]) > 0) others.retried.push(other);
  }
  const isTimed = beginAt !== null && beginAt > unixSeconds;
  if (others.conditions.size === 0 && !isTimed) return null;
  return heldJob(job, others, isTimed ? beginAt - offsetSeconds : -Infinity);
}

interface WaitedFor {
  readonly conditions: Map<number, Condition>;
  readonly retried: number[];
}

function nothing(): WaitedFor {
  return { conditions: new Map(), retried: [] };
}

function heldJob(job: number, others: WaitedFor, notBefore: number): LiveHeldJob {
  return { job, after: [...others.conditions.keys()], notBefore, ...others };
}

/**
 * Those that run only if others fail, and those that run only if one of those ends well: mostly they are cancelled. Those
 * of them whose end others wait for to be told when they start are left out.
 *
 * @param held each behind those that it waits for
 */
export function forFailures(held: readonly LiveHeldJob[]): Set<number> {
  const found = new Set<number>();
  const followed = new Set<number>();
  for (const { job, conditions } of held)
    for (const [other, condition] of conditions)
      if (condition === "failed" || (condition === "ok" && found.has(other))) {
        found.add(job);
        if (condition === "ok") followed.add(other);
      }
  for (const job of followed) found.delete(job);
  return found;
}

/**
 * The arrays of which jobs are held: who has a place, and who needs one.
 *
 * @param held those that are released by themselves
 */
export function limitedArrays(connection: Connection, held: readonly HeldJob[]): LimitedArray[] {
  if (held.length === 0) return [];
  const released = new Set(held.map(({ job }) => job));
  const rows = connection.all(
    `SELECT first, most, number, state FROM array_limit JOIN job ON number BETWEEN first AND last
       WHERE ended_at IS NULL ORDER BY number LIMIT ${MOST_HELD}`,
  );
  const arrays = new Map<number, { most: number; placed: number[]; held: number[] }>();
  for (const { first, most, number, state } of rows) {
    const array = arrays.get(Number(first)) ?? { most: Number(most), placed: [], held: [] };
    arrays.set(Number(first), array);
    const job = Number(number);
    if (state !== "held") array.placed.push(job);
    else if (released.has(job)) array.held.push(job);
  }
  return [...arrays.values()].filter(({ held }) => held.length > 0);
}
