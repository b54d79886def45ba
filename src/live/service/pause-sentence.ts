import type { Connection } from "../store/connection.ts";

/**
 * That a pool, or the farm, starts nothing, as somebody wants it so.
 *
 * @param pool its name; empty: the whole farm
 */
export function pauseSentence(actor: string, pool: string, reason: string): string {
  const [what, command] =
    pool === "" ? ["the farm", "croft unpause"] : [`pool ${pool}`, `croft unpause ${pool}`];
  const why = reason === "" ? "" : ` (${reason})`;
  return `${actor} has paused ${what}${why}: nothing starts there until an operator lets it (${command})`;
}

/** By the name of a pool; that of the whole farm is empty. */
export function pauseSentences(connection: Connection): Map<string, string> {
  return new Map(
    connection
      .all("SELECT pool, actor, reason FROM pause")
      .map(({ pool, actor, reason }) => [
        String(pool),
        pauseSentence(String(actor), String(pool), String(reason)),
      ]),
  );
}
