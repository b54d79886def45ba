import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

import { workloadWriters } from "../../workload/index.ts";
import type { Database, Write } from "./database.ts";
import { workloadOf } from "./history.ts";
import { jobsEndedIn, MOVABLE } from "./job-views.ts";

const DAY_SECONDS = 86_400;
/** A month is moved when it has been over for so long. */
const KEPT_DAYS = 7;

/**
 * Moves the jobs of months that are over into a file a month, `DATA/history/2026-10.parquet`, that `croft simulate`
 * reads. If the service dies between the file and the deletion, the same file is written again.
 *
 * @returns what deletes them from the database; nothing where no month is to be moved
 */
export async function archiveMonth(
  database: Database,
  data: string,
  unixSeconds: number,
): Promise<{ readonly file: string; readonly jobs: number; readonly writes: Write[] } | null> {
  const oldest = database.get(
    `SELECT ended_at AS at FROM job WHERE ended_at IS NOT NULL AND ${MOVABLE} ORDER BY ended_at LIMIT 1`,
  )?.["at"];
  if (oldest === null || oldest === undefined) return null;
  const begin = new Date(Number(oldest) * 1000);
  const [year, month] = [begin.getUTCFullYear(), begin.getUTCMonth()];
  const from = Date.UTC(year, month) / 1000;
  const to = Date.UTC(year, month + 1) / 1000;
  if (to + KEPT_DAYS * DAY_SECONDS > unixSeconds) return null;
  const jobs = jobsEndedIn(database, from, to);
  const folder = join(data, "history");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = begin.toISOString().slice(0, "2026-10".length);
  const file = freePath(
    folder,
    name,
    database.get("SELECT 1 FROM archive WHERE name = ?", name) !== undefined,
  );
  const parquet = workloadWriters.find((writer) => writer.name === "parquet")!;
  await parquet.write(workloadOf(jobs, name), file);
  chmodSync(file, 0o600);
  const chosen = `SELECT number FROM job WHERE ended_at >= ? AND ended_at < ? AND ${MOVABLE}`;
  const of = (table: string, column: string): Write => ({
    sql: `DELETE FROM ${table} WHERE ${column} IN (${chosen})`,
    values: [from, to],
  });
  return {
    file,
    jobs: jobs.length,
    writes: [
      of("attempt", "job"),
      of("event", "job"),
      of("dependency", "job"),
      of("job", "number"),
      // The decision engine needs the events since its snapshot only.
      { sql: "DELETE FROM journal WHERE seq <= (SELECT max(seq) FROM snapshot) - ?", values: [JOURNAL_KEPT] },
      { sql: "INSERT OR IGNORE INTO archive (name) VALUES (?)", values: [name] },
    ],
  };
}

/** So many events before the last snapshot are kept, to be replayed. */
const JOURNAL_KEPT = 1_000_000;

/** If a clock that jumped has put more jobs into a month that was moved already, they get a file of their own. */
function freePath(folder: string, name: string, isMoved: boolean): string {
  if (!isMoved) return join(folder, `${name}.parquet`);
  for (let more = 2; ; more++) {
    const path = join(folder, `${name}-${more}.parquet`);
    if (!existsSync(path)) return path;
  }
}
