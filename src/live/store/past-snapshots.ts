import type { Connection } from "./connection.ts";
import type { Write } from "./database.ts";
import { snapshotOf, type StoredSnapshot } from "./snapshots.ts";

/**
 * Snapshots from which the journal can be replayed, since its oldest events go: one of this many events is kept. Larger
 * ones are not, because the service does nothing else while they are copied.
 */
const APART = 500_000;
const MOST_BYTES = 16_000_000;

/**
 * The writes that keep the last snapshot before another takes its place, and drop those before the journal.
 *
 * @param first the journal has the events after this one
 */
export function pastSnapshotWrites(first: number): Write[] {
  return [
    {
      sql: `INSERT INTO past_snapshot (seq, part, data) SELECT seq, part, data FROM snapshot
        WHERE (SELECT sum(length(data)) FROM snapshot) <= ?
          AND NOT EXISTS (SELECT 1 FROM past_snapshot WHERE past_snapshot.seq > snapshot.seq - ?)`,
      values: [MOST_BYTES, APART],
    },
    { sql: "DELETE FROM past_snapshot WHERE seq < ?", values: [first] },
  ];
}

/** The numbers of the events that snapshots were kept of, ascending. */
export function pastSnapshots(connection: Connection): number[] {
  return connection
    .all("SELECT seq FROM past_snapshot WHERE part = 0 ORDER BY seq")
    .map(({ seq }) => Number(seq));
}

/** @throws Error where a part of it is missing or damaged */
export function readPastSnapshot(connection: Connection, seq: number): StoredSnapshot | null {
  return snapshotOf(connection.all("SELECT seq, data FROM past_snapshot WHERE seq = ? ORDER BY part", seq));
}
