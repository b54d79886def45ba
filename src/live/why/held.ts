import type { ReasonToken } from "../../simulation/index.ts";
import type { Connection } from "../store/connection.ts";
import { heldToken } from "../store/held-for.ts";

/** A stretch of time in which a job was held, in seconds since 1970. */
export interface Held {
  readonly at: number;
  /** Infinity: it is. */
  readonly until: number;
  readonly token: ReasonToken;
  readonly sentence: string;
}

/** When a job was held, and for what, as its events tell. */
export function heldStretches(connection: Connection, job: number): Held[] {
  const row = connection.get("SELECT submitted_at, state, reason FROM job WHERE number = ?", job);
  if (row === undefined) return [];
  const events = connection.all(
    `SELECT at, kind, text FROM event WHERE job = ? AND kind IN ('held', 'released', 'attempt-over', 'preempted')
       ORDER BY seq`,
    job,
  );
  const held: Held[] = [];
  // It is held from its submission on, by somebody, or from the end of an attempt.
  let since = Number(row["submitted_at"]);
  const add = (until: number, reason: string): void => {
    if (until > since)
      held.push({ at: since, until, token: heldToken(reason), sentence: `it was held ${reason}`.trim() });
  };
  for (const { at, kind, text } of events) {
    if (kind === "released") add(Number(at), String(text));
    since = Number(at);
  }
  if (row["state"] === "held") add(Infinity, String(row["reason"]));
  return held;
}
