import type { PortSnapshot } from "../../core/index.ts";
import { packed, unpacked } from "./columns.ts";
import type { Connection, Row } from "./connection.ts";
import type { Write } from "./database.ts";

/** The decision engine as it was after an event of the journal. */
export interface StoredSnapshot {
  /** The number of that event. */
  readonly seq: number;
  /** The number of the settings that it was made with. */
  readonly settings: number;
  /** How many random numbers it had drawn. */
  readonly draws: number;
  readonly port: PortSnapshot;
}

/** The writes that put this snapshot in the place of the last one: a row for its text, and one for each column. */
export function snapshotWrites({ seq, ...state }: StoredSnapshot): Write[] {
  const { text, columns } = packed(state);
  const insert = "INSERT INTO snapshot (part, seq, data) VALUES (?, ?, ?)";
  return [
    { sql: "DELETE FROM snapshot", values: [] },
    { sql: insert, values: [0, seq, text] },
    ...columns.map((column, at) => ({ sql: insert, values: [at + 1, seq, column] })),
  ];
}

/**
 * Null where none was written yet.
 *
 * @throws Error where a part of it is missing or damaged
 */
export function readSnapshot(connection: Connection): StoredSnapshot | null {
  return snapshotOf(connection.all("SELECT seq, data FROM snapshot ORDER BY part"));
}

/** @param parts in order; null where there are none */
export function snapshotOf([first, ...columns]: readonly Row[]): StoredSnapshot | null {
  if (first === undefined) return null;
  const state = unpacked({
    text: String(first["data"]),
    columns: columns.map(({ data }) => data as Uint8Array),
  }) as Omit<StoredSnapshot, "seq">;
  return { seq: Number(first["seq"]), ...state };
}
