import { existsSync } from "node:fs";

import type { Connection, Write } from "./database.ts";

/**
 * Jobs of months that are over are moved out of the database into a file a month, `DATA/history/2026-10.parquet`, that
 * `croft simulate` reads. The row of `moving` says how far that is:
 *
 * 1. `begun`: which month, and which file is being written. A file that is half there is written again.
 * 2. `filed`: the file is whole; `ranges` are the jobs that are deleted now.
 * 3. `deleted`, again and again: so many at a time that other work goes on; `done` is the last one.
 * 4. `moved`: nothing is left of them.
 */
export interface Moving extends Month {
  readonly file: string;
  /** First and last numbers of jobs, in order; null: the file is not whole yet. */
  readonly ranges: Float64Array | null;
  /** The jobs up to this one are deleted. */
  readonly done: number;
}

/** Times in seconds since 1970. */
export interface Month {
  /** `2026-10`. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** As docs/farm-file.md tells. */
export const DEFAULT_RETENTION_SECONDS = 7 * 86_400;

export interface MonthAsked {
  readonly folder: string;
  readonly unixSeconds: number;
  /** A month is moved when it has been over for so long. */
  readonly retentionSeconds: number;
}

/**
 * A job that can be moved: not the one of the highest number, which stays so that its number is not given again, and none
 * with an attempt that is still being ended, which would not be known as the farm's own.
 */
export const MOVABLE =
  "number < (SELECT max(number) FROM job) AND NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.job = job.number AND outcome IS NULL)";

/** The oldest month that can be moved, and a name for its file that is free; null: none. */
export function monthToMove(
  connection: Connection,
  { folder, unixSeconds, retentionSeconds }: MonthAsked,
): (Month & { readonly file: string }) | null {
  const oldest = connection.get(
    `SELECT ended_at AS at FROM job WHERE ended_at IS NOT NULL AND ${MOVABLE} ORDER BY ended_at LIMIT 1`,
  )?.["at"];
  if (oldest === null || oldest === undefined) return null;
  const begin = new Date(Number(oldest) * 1000);
  const [year, month] = [begin.getUTCFullYear(), begin.getUTCMonth()];
  const from = Date.UTC(year, month) / 1000;
  const to = Date.UTC(year, month + 1) / 1000;
  if (to + retentionSeconds > unixSeconds) return null;
  const name = begin.toISOString().slice(0, "2026-10".length);
  // If a clock that jumped has put more jobs into a month that was moved already, they get a file of their own.
  const isMoved = connection.get("SELECT 1 FROM archive WHERE name = ?", name) !== undefined;
  return { name, from, to, file: isMoved ? freePath(folder, name) : `${folder}/${name}.parquet` };
}

function freePath(folder: string, name: string): string {
  for (let more = 2; ; more++) {
    const path = `${folder}/${name}-${more}.parquet`;
    if (!existsSync(path)) return path;
  }
}

/** The month that is being moved; null: none. */
export function movingNow(connection: Connection): Moving | null {
  const row = connection.get("SELECT * FROM moving");
  if (row === undefined) return null;
  const ranges = row["ranges"] as Uint8Array | null;
  return {
    name: String(row["name"]),
    from: Number(row["from_at"]),
    to: Number(row["to_at"]),
    file: String(row["file"]),
    ranges: ranges === null ? null : new Float64Array(ranges.slice().buffer),
    done: Number(row["done"]),
  };
}

/** The first so many numbers of those that are not deleted yet, as ranges. */
export function nextRanges(
  ranges: Float64Array,
  done: number,
  most: number,
): [first: number, last: number][] {
  const next: [number, number][] = [];
  let left = most;
  for (let at = firstAfter(ranges, done); at < ranges.length && left > 0; at += 2) {
    const first = Math.max(ranges[at]!, done + 1);
    const last = Math.min(ranges[at + 1]!, first + left - 1);
    left -= last - first + 1;
    next.push([first, last]);
  }
  return next;
}

/** The place of the first range that ends after a number. */
function firstAfter(ranges: Float64Array, number: number): number {
  let [low, high] = [0, ranges.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle * 2 + 1]! <= number) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}

export const movingWrites = {
  begun: ({ name, from, to, file }: Omit<Moving, "ranges" | "done">): Write[] => [
    {
      sql: "INSERT INTO moving (name, from_at, to_at, file) VALUES (?, ?, ?, ?)",
      values: [name, from, to, file],
    },
  ],

  filed: (name: string, ranges: Float64Array): Write[] => [
    { sql: "UPDATE moving SET ranges = ?", values: [new Uint8Array(ranges.buffer)] },
    { sql: "INSERT OR IGNORE INTO archive (name) VALUES (?)", values: [name] },
  ],

  deleted: (ranges: readonly (readonly [first: number, last: number])[]): Write[] => [
    ...ranges.flatMap((values) =>
      [
        "DELETE FROM attempt WHERE job BETWEEN ? AND ?",
        "DELETE FROM event WHERE job BETWEEN ? AND ?",
        "DELETE FROM wait_reason WHERE job BETWEEN ? AND ?",
        "DELETE FROM dependency WHERE job BETWEEN ? AND ?",
        "DELETE FROM job WHERE number BETWEEN ? AND ?",
      ].map((sql) => ({ sql, values })),
    ),
    { sql: "UPDATE moving SET done = ?", values: [ranges.at(-1)![1]] },
  ],

  moved: (): Write[] => [{ sql: "DELETE FROM moving", values: [] }],
} as const;
