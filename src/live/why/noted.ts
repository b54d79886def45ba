import type { ReasonToken } from "../../simulation/index.ts";
import type { Connection } from "../store/connection.ts";
import { MOST_CHANGES } from "./changes.ts";
import { replicaOf } from "../replica/replica.ts";
import { waitingJobs } from "./waiting.ts";

/** A job waits for another reason than was noted last. */
export interface NewReason {
  readonly job: number;
  readonly token: ReasonToken;
  readonly sentence: string;
  /** The time of its oldest change, if so many are kept that it has to go; else null. */
  readonly dropped: number | null;
}

/** What has changed since it was noted, of at most so many jobs. */
export function newReasons(
  connection: Connection,
  { at, most }: { readonly at: number; readonly most: number },
): NewReason[] {
  const replica = replicaOf(connection);
  if (replica === null) return [];
  const changed: NewReason[] = [];
  const seen = new Set<number>();
  for (const { job, dominant } of waitingJobs(replica, connection, at, () => true)) {
    if (changed.length >= most) break;
    if (seen.has(job)) continue;
    seen.add(job);
    const last = connection.get(
      `SELECT token, at, (SELECT max(started_at) FROM attempt WHERE job = ?1) AS started,
           (SELECT count(*) FROM wait_reason WHERE job = ?1) AS changes,
           (SELECT min(at) FROM wait_reason WHERE job = ?1) AS oldest
         FROM wait_reason WHERE job = ?1 ORDER BY at DESC LIMIT 1`,
      job,
    );
    // What was noted before it ran is of another wait.
    const isSame = last?.["token"] === dominant.token && Number(last["started"] ?? 0) < Number(last["at"]);
    if (isSame) continue;
    const isFull = Number(last?.["changes"] ?? 0) >= MOST_CHANGES;
    changed.push({ job, ...dominant, dropped: isFull ? Number(last?.["oldest"]) : null });
  }
  return changed;
}
