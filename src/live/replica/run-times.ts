import { NOBODY, RunTimeModel, type JobTraits } from "../../forecast/index.ts";
import type { Connection, Row } from "../store/connection.ts";
import { STOOD_SECONDS } from "../store/job-views.ts";

/** Submissions that are learnt from, the last: weeks of most farms. */
export const MOST_SUBMISSIONS = 50_000;

/** Columns of `job` that tell what the models know of a job, and how long it ran. */
export const TAUGHT_COLUMNS = `user, name, time_seconds, state, started_at, ended_at, ${STOOD_SECONDS} AS stood`;

/** States of jobs that did not come to their end. */
const CUT_OFF = ["cancelled", "lost"];

export const UNKNOWN_TRAITS: JobTraits = { user: NOBODY, name: NOBODY, requestedSeconds: Infinity };

/** Run times as the jobs teach them that have ended, in the order of their ends. */
export function learntRunTimes(connection: Connection): RunTimeModel {
  const runTimes = new RunTimeModel();
  const sql = `SELECT * FROM (SELECT number, ${TAUGHT_COLUMNS} FROM job ORDER BY number DESC LIMIT ?)
    WHERE ended_at IS NOT NULL ORDER BY ended_at, number DESC`;
  for (const row of connection.iterate(sql, MOST_SUBMISSIONS)) {
    const seconds = ranSeconds(row);
    if (seconds !== null) runTimes.learn(traitsOfRow(row), seconds);
  }
  return runTimes;
}

/** How long a job ran that came to its end; null: nobody knows how long it would have. */
export function ranSeconds({ state, started_at: startedAt, ended_at: endedAt, stood }: Row): number | null {
  if (CUT_OFF.includes(String(state)) || typeof startedAt !== "number" || typeof endedAt !== "number")
    return null;
  return Math.max(0, endedAt - startedAt - Number(stood ?? 0));
}

/** As the models know a job. */
export function traitsOf(user: string, name: string, timeSeconds: number | null): JobTraits {
  return { user: codeOf(user), name: codeOf(name), requestedSeconds: timeSeconds ?? Infinity };
}

export function traitsOfRow({ user, name, time_seconds: time }: Row): JobTraits {
  return traitsOf(String(user), String(name), time === null ? null : Number(time));
}

/** A number for a text (FNV-1a): to keep a table of all names would take memory for ever. */
function codeOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 1;
}
