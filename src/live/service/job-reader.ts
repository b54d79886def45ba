import type { SQLOutputValue } from "node:sqlite";

import type { Database } from "../store/database.ts";
import { NOTHING_RUNS, type LiveJob } from "./books.ts";
import { WITH_POOL } from "./turn.ts";
import type { JobState } from "../store/job-states.ts";

const COLUMNS = `number, id, user, state, reason, time_seconds, priority, pool, machines, started_at, attempt,
  retries_left, is_held, is_paused, begin_at, deadline_at, octet_length(request), submitted_at,
  CASE WHEN attempt > 0 THEN (SELECT max(ended_at) FROM attempt WHERE attempt.job = number) END`;
/** Rows that are read at a time. */
const BATCH = 5000;

/** Reads jobs from their rows. A million of them wait in a large farm, so texts that they have in common are kept once. */
export class JobReader {
  private readonly database: Database;
  private readonly texts = new Map<string, string>();

  constructor(database: Database) {
    this.database = database;
  }

  /** The jobs that are not over. */
  *present(): Generator<LiveJob> {
    const sql = `SELECT ${COLUMNS} FROM job WHERE ended_at IS NULL AND number > ? ORDER BY number LIMIT ${BATCH}`;
    for (let last = 0, isMore = true; isMore;) {
      const rows = this.database.arrays(sql, last);
      for (const row of rows) {
        const job = this.read(row);
        last = job.number;
        yield job;
      }
      isMore = rows.length === BATCH;
    }
  }

  job(number: number): LiveJob {
    const [row] = this.database.arrays(`SELECT ${COLUMNS} FROM job WHERE number = ?`, number);
    if (row === undefined) throw new Error(`${this.database.path}: the row of job ${number} is missing`);
    return this.read(row);
  }

  private read(row: readonly SQLOutputValue[]): LiveJob {
    const [number, id, user, state, reason, timeSeconds, priority, pool, machines, startedAt] = row;
    const [attempt, retriesLeft, isHeld, isPaused, beginAt, deadlineAt, rowBytes] = row.slice(10);
    const [submittedAt, lastEndedAt] = row.slice(17);
    return {
      number: Number(number),
      id: String(id),
      user: this.shared(user),
      state: this.shared(state) as JobState,
      reason: this.shared(reason),
      timeSeconds: numberOrNull(timeSeconds),
      priority: Number(priority),
      rowBytes: Number(rowBytes),
      pool: pool === null ? null : this.shared(pool),
      startedAt: numberOrNull(startedAt),
      toldUntil: Math.max(Number(submittedAt), Number(lastEndedAt ?? 0)),
      attempt: Number(attempt),
      retriesLeft: Number(retriesLeft),
      isHeld: isHeld === 1,
      isPaused: isPaused !== 0,
      isPausedWithPool: isPaused === WITH_POOL,
      ...NOTHING_RUNS,
      beginAt: numberOrNull(beginAt),
      deadlineAt: numberOrNull(deadlineAt),
      ...(machines === "[]" ? {} : { machines: JSON.parse(String(machines)) as string[] }),
    };
  }

  private shared(value: SQLOutputValue | undefined): string {
    const text = String(value);
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.texts.set(text, text);
    return text;
  }
}

function numberOrNull(value: SQLOutputValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
