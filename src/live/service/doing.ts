import type { LiveJob } from "./books.ts";
import type { LivePool } from "./live-pool.ts";

/** What an engine does for a job now other than running its command: a hook, reading what it printed. */
export interface DoingView {
  readonly text: string;
  /** ISO 8601, in UTC. */
  readonly since: string;
}

/** As the engines of its attempts know it; null: nothing. */
export function doingOf(
  { id, attempts }: Pick<LiveJob, "id" | "attempts">,
  pools: readonly LivePool[],
): DoingView | null {
  for (const { pool, attempt } of attempts) {
    const doing = pools[pool]!.engine.doing?.({ job: id, attempt }) ?? null;
    if (doing !== null)
      return { text: doing.text, since: new Date(doing.sinceUnixSeconds * 1000).toISOString() };
  }
  return null;
}
