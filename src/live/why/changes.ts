import type { ReasonToken } from "../../simulation/index.ts";
import type { Connection } from "../store/connection.ts";
import { heldStretches } from "./held.ts";

/** A stretch of a job's wait in which it waited for the same reason. Times are ISO 8601, in UTC. */
export interface ReasonChange {
  readonly token: ReasonToken;
  /** As it was when this began. */
  readonly sentence: string;
  readonly from: string;
  /** Null: it is so. */
  readonly to: string | null;
}

/** Changes that are kept of a job: the last ones. */
export const MOST_CHANGES = 100;

/**
 * How the reason for which a job waited has changed: when it was held, by its events, and what it waited for else, as the
 * farm has noted it: see `NotingReasons`.
 */
export function changesOf(connection: Connection, job: number): ReasonChange[] {
  const held = heldStretches(connection, job);
  const noted = connection
    .all("SELECT at, token, sentence FROM wait_reason WHERE job = ?", job)
    .map(({ at, token, sentence }) => ({
      at: Number(at),
      until: Infinity,
      token: String(token) as ReasonToken,
      sentence: String(sentence),
    }));
  const rows = [...held, ...noted].sort((one, other) => one.at - other.at);
  if (rows.length === 0) return [];
  const ends = connection
    .all("SELECT started_at FROM attempt WHERE job = ? AND started_at IS NOT NULL ORDER BY started_at", job)
    .map(({ started_at }) => Number(started_at));
  const over = connection.get("SELECT ended_at FROM job WHERE number = ?", job)?.["ended_at"];
  if (over !== null && over !== undefined) ends.push(Number(over));
  return rows.map(({ at, until, token, sentence }, number) => {
    const next = rows[number + 1];
    const end = ends.find((each) => each >= at) ?? Infinity;
    const to = Math.min(end, until, next?.at ?? Infinity);
    return { token, sentence, from: iso(at), to: to === Infinity ? null : iso(to) };
  });
}

function iso(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString();
}
