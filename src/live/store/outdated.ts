import type { Connection } from "./connection.ts";

/** Events after which a job asks for something else than before, waits elsewhere, or waits again. */
export const OUTDATING: readonly string[] = [
  "changed",
  "held",
  "attempt-over",
  "preempted",
  "start-failed",
  "moved",
];

/** Whether what was known of a job's wait at a time does not hold any more: it is another wait since. */
export function isOutdated(connection: Connection, job: number, unixSeconds: number): boolean {
  const kinds = OUTDATING.map((kind) => `'${kind}'`).join(", ");
  const sql = `SELECT 1 FROM event WHERE job = ? AND at >= ? AND kind IN (${kinds}) LIMIT 1`;
  return connection.get(sql, job, unixSeconds) !== undefined;
}
