import type { SQLOutputValue } from "node:sqlite";

import type { Placement } from "../engines/engine.ts";
import type { Connection } from "./database.ts";

/** By what usage is told. */
export const usageKeys = ["user", "project", "pool"] as const;
export type UsageKey = (typeof usageKeys)[number];

export interface UsageAsked {
  readonly by: UsageKey;
  /** In seconds since 1970, as is `now`. */
  readonly since: number;
  readonly now: number;
  /** Only this user's jobs; null: all. */
  readonly user: string | null;
}

/** Used against asked for, of what has ended in the period and is known. */
export interface Efficiency {
  /** Of 1; null: it is known of none. */
  readonly part: number | null;
  /** Runs that have ended of which it is known. */
  readonly known: number;
}

/** What jobs of one user, project or pool have used in a period. */
export interface UsageRow {
  readonly name: string;
  /** That ran in the period, or run. */
  readonly jobs: number;
  /** Of jobs: a job may run several times. */
  readonly runs: number;
  /** Of them, those that have ended in the period. */
  readonly runsEnded: number;
  /** Cores that they had, by the hours that they had them: in the period. */
  readonly coreHours: number;
  readonly gpuHours: number;
  readonly memoryGiBHours: number;
  /** From submission to the first start, of those that started first in the period; null: none did. */
  readonly waitMeanSeconds: number | null;
  readonly waitMaxSeconds: number | null;
  /** Processor time, of that of the cores that they had. */
  readonly coresUsed: Efficiency;
  /** The most memory that they took, of what they had asked for; of those that asked. */
  readonly memoryUsed: Efficiency;
  /** How long they ran, of their time limits; of those that have one. */
  readonly timeUsed: Efficiency;
}

export interface UsageFound {
  readonly rows: readonly UsageRow[];
  /** Before this, in seconds since 1970, jobs are in the files of past months and not counted; null: all are. */
  readonly countedSince: number | null;
}

class Sum {
  private used = 0;
  private asked = 0;
  private known = 0;

  add(used: number, asked: number): void {
    this.used += used;
    this.asked += asked;
    this.known++;
  }

  get efficiency(): Efficiency {
    return { part: this.asked > 0 ? this.used / this.asked : null, known: this.known };
  }
}

class Account {
  readonly jobs = new Set<number>();
  runs = 0;
  runsEnded = 0;
  coreSeconds = 0;
  gpuSeconds = 0;
  memoryMiBSeconds = 0;
  waits = 0;
  waitSeconds = 0;
  waitMaxSeconds = 0;
  readonly cores = new Sum();
  readonly memory = new Sum();
  readonly time = new Sum();

  row(name: string): UsageRow {
    return {
      name,
      jobs: this.jobs.size,
      runs: this.runs,
      runsEnded: this.runsEnded,
      coreHours: this.coreSeconds / 3600,
      gpuHours: this.gpuSeconds / 3600,
      memoryGiBHours: this.memoryMiBSeconds / 3600 / 1024,
      waitMeanSeconds: this.waits === 0 ? null : this.waitSeconds / this.waits,
      waitMaxSeconds: this.waits === 0 ? null : this.waitMaxSeconds,
      coresUsed: this.cores.efficiency,
      memoryUsed: this.memory.efficiency,
      timeUsed: this.time.efficiency,
    };
  }
}

/** Jobs that are not over, or ended in the period: by an index each. Then their runs. */
const SQL = `
  SELECT job.number, job.user, job.project, attempt.pool, job.submitted_at, job.time_seconds,
    NOT EXISTS (SELECT 1 FROM attempt AS earlier WHERE earlier.job = attempt.job AND earlier.attempt < attempt.attempt
      AND earlier.started_at IS NOT NULL),
    attempt.placement, attempt.started_at, attempt.ended_at, outcome ->> '$.usage.elapsedSeconds',
    outcome ->> '$.usage.cpuSeconds', outcome ->> '$.usage.memoryPeakMiB',
    attempt.suspended_seconds
  FROM (SELECT number FROM job WHERE ended_at > ? UNION ALL SELECT number FROM job WHERE ended_at IS NULL) AS some
  JOIN job ON job.number = some.number
  JOIN attempt ON attempt.job = job.number
  WHERE attempt.started_at IS NOT NULL AND (attempt.ended_at IS NULL OR attempt.ended_at > ?)`;

/** What jobs have used in a period: those that ran the longest on the most cores first. */
export function usageOf(connection: Connection, { by, since, now, user }: UsageAsked): UsageFound {
  const accounts = new Map<string, Account>();
  const sql = user === null ? SQL : `${SQL} AND job.user = ?`;
  const values = [since, since, ...(user === null ? [] : [user])];
  for (const row of connection.iterateArrays(sql, ...values)) {
    const name = String(row[{ user: 1, project: 2, pool: 3 }[by]]);
    let account = accounts.get(name);
    if (account === undefined) accounts.set(name, (account = new Account()));
    count(account, row, since, now);
  }
  const rows = Array.from(accounts, ([name, account]) => account.row(name));
  rows.sort((a, b) => b.coreHours - a.coreHours || (a.name < b.name ? -1 : 1));
  return { rows, countedSince: countedSince(connection, since) };
}

function count(account: Account, row: readonly SQLOutputValue[], since: number, now: number): void {
  const [number, , , , submittedAt, limit, isFirst, placement, startedAt, endedAt] = row;
  const [elapsed, cpuSeconds, peakMiB, stood] = row.slice(10).map(numberOrNull);
  const [start, end] = [Number(startedAt), numberOrNull(endedAt)];
  const places = JSON.parse(String(placement)) as Placement[];
  const sum = (of: (place: Placement) => number): number =>
    places.reduce((total, place) => total + of(place), 0);
  const cores = sum(({ coresMilli }) => coresMilli) / 1000;
  const memoryMiB = sum((place) => place.memoryMiB);
  const seconds = Math.max(0, (end ?? now) - Math.max(start, since));
  account.jobs.add(Number(number));
  account.runs++;
  account.coreSeconds += cores * seconds;
  account.gpuSeconds += (sum(({ gpuMilli }) => gpuMilli) / 1000) * seconds;
  account.memoryMiBSeconds += memoryMiB * seconds;
  if (isFirst === 1 && start >= since) {
    const wait = Math.max(0, start - Number(submittedAt));
    account.waits++;
    account.waitSeconds += wait;
    account.waitMaxSeconds = Math.max(account.waitMaxSeconds, wait);
  }
  if (end === null) return;
  account.runsEnded++;
  // Of the whole run, also of what it ran before the period. Limits count no time that it stood still.
  const ran = Math.max(0, (elapsed ?? end - start) - (stood ?? 0));
  const most = numberOrNull(limit);
  if (cpuSeconds !== null && cpuSeconds !== undefined) account.cores.add(cpuSeconds, cores * ran);
  if (peakMiB !== null && peakMiB !== undefined && memoryMiB > 0)
    account.memory.add(peakMiB * ran, memoryMiB * ran);
  if (most !== null) account.time.add(ran, most);
}

/** The end of the last month whose jobs were moved into a file, if it is in the period. */
function countedSince(connection: Connection, since: number): number | null {
  const last = connection.get("SELECT max(name) AS name FROM archive")?.["name"];
  const [year, month] = String(last ?? "")
    .split("-")
    .map(Number);
  if (year === undefined || month === undefined) return null;
  const end = Date.UTC(year, month) / 1000;
  return end > since ? end : null;
}

function numberOrNull(value: SQLOutputValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
