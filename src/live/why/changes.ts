import type { ReasonToken } from "../../simulation/index.ts";
import type { Connection } from "../store/connection.ts";

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

/** How the reason for which a job waited has changed, as the farm has noted it: see `NotingReasons`. */
export function changesOf(connection: Connection, job: number): ReasonChange[] {
  const rows = connection.all("SELECT at, token, sentence FROM wait_reason WHERE job = ? ORDER BY at", job);
  if (rows.length === 0) return [];
  const ends = connection
    .all("SELECT started_at FROM attempt WHERE job = ? AND started_at IS NOT NULL ORDER BY started_at", job)
    .map(({ started_at }) => Number(started_at));
  const over = connection.get("SELECT ended_at FROM job WHERE number = ?", job)?.["ended_at"];
  if (over !== null && over !== undefined) ends.push(Number(over));
  return rows.map(({ at, token, sentence }, number) => {
    const next = rows[number + 1];
    const end = ends.find((each) => each >= Number(at)) ?? Infinity;
    const to = Math.min(end, next === undefined ? Infinity : Number(next["at"]));
    return {
      token: String(token) as ReasonToken,
      sentence: String(sentence),
      from: iso(Number(at)),
      to: to === Infinity ? null : iso(to),
    };
  });
}

function iso(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString();
}
