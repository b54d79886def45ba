import type { Write } from "./database.ts";

/** Drops the rows up to an event: the oldest, so many at most. */
export function journalDropped(seq: number, most: number): Write {
  return {
    sql: "DELETE FROM journal WHERE seq IN (SELECT seq FROM journal WHERE seq <= ? ORDER BY seq LIMIT ?)",
    values: [seq, most],
  };
}
