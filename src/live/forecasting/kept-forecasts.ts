import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";

import { openDatabase } from "../store/connection.ts";
import { isTransient } from "../store/database.ts";
import { shown, type Forecast, type StartForecast } from "./start-forecast.ts";

/** Beside the farm's database, which only the farm itself writes. */
const FILE = "forecasts.db";
const VERSION = 1;
/** Forecasts that came true, to learn from; and of those that still wait. */
const MOST_OVER = 2000;
const MOST_OPEN = 5000;

/** A forecast as it was made when its job was new. */
export interface Told {
  readonly job: number;
  /** Since 1970. */
  readonly at: number;
  /** Of the wait from then on, by `SHARES`, before it was corrected. */
  readonly raw: readonly number[];
  /** As it was corrected. */
  readonly told: readonly number[];
}

export interface CameTrue extends Told {
  readonly waitedSeconds: number;
}

/**
 * The forecasts in a database of their own: the last one of each waiting job, and what came of earlier ones, from which
 * the calibration learns. One thread writes it. It is not flushed to the disk, since a farm can do without it.
 */
export class KeptForecasts {
  private readonly database: DatabaseSync;

  constructor(data: string) {
    const path = join(data, FILE);
    closeSync(openSync(path, "a", 0o600));
    try {
      this.database = opened(path);
    } catch (error) {
      // A full disk, say: the file is not damaged, and is opened again later.
      if (isTransient(error)) throw error;
      // It is damaged, or of another version. What it has taught is lost, and nothing else.
      renameSync(path, `${path}.damaged`);
      for (const left of [`${path}-wal`, `${path}-shm`]) rmSync(left, { force: true });
      closeSync(openSync(path, "a", 0o600));
      this.database = opened(path);
    }
  }

  /** In the order in which they came true. */
  over(): CameTrue[] {
    const rows = this.database
      .prepare("SELECT job, at, raw, told, waited FROM told WHERE waited IS NOT NULL ORDER BY at + waited")
      .all();
    return rows.map((row) => ({ ...toldOf(row), waitedSeconds: Number(row["waited"]) }));
  }

  /** Those whose jobs still wait. */
  open(): Told[] {
    return this.database
      .prepare("SELECT job, at, raw, told FROM told WHERE waited IS NULL ORDER BY job")
      .all()
      .map(toldOf);
  }

  /** Puts these in the place of all forecasts of waiting jobs, and notes what was told and what came. */
  write(
    forecasts: ReadonlyMap<number, Forecast>,
    news: {
      readonly told: readonly Told[];
      readonly over: readonly { readonly job: number; readonly waitedSeconds: number }[];
      readonly withdrawn: readonly number[];
    },
  ): void {
    const { database } = this;
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec("DELETE FROM present_job");
      const newest = database.prepare("INSERT INTO present_job (job, text) VALUES (?, ?)");
      for (const [job, forecast] of forecasts) newest.run(job, JSON.stringify(forecast));
      const told = database.prepare("INSERT OR REPLACE INTO told (job, at, raw, told) VALUES (?, ?, ?, ?)");
      for (const each of news.told) told.run(each.job, each.at, textOf(each.raw), textOf(each.told));
      const over = database.prepare("UPDATE told SET waited = ? WHERE job = ?");
      for (const { job, waitedSeconds } of news.over) over.run(waitedSeconds, job);
      const withdrawn = database.prepare("DELETE FROM told WHERE job = ? AND waited IS NULL");
      for (const job of news.withdrawn) withdrawn.run(job);
      for (const [is, most] of [
        ["IS NOT NULL", MOST_OVER],
        ["IS NULL", MOST_OPEN],
      ] as const)
        database
          .prepare(
            `DELETE FROM told WHERE waited ${is} AND job <=
               (SELECT job FROM told WHERE waited ${is} ORDER BY job DESC LIMIT 1 OFFSET ?)`,
          )
          .run(most);
      database.exec("COMMIT");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.database.close();
  }
}

/** After it could not be read it is not tried again for so long: a list asks for each of its jobs. */
const RETRY_MILLISECONDS = 1000;

/** Reads the last forecasts of waiting jobs, for answers: a look-up by number, and nothing is computed. */
export class ForecastsRead {
  private readonly path: string;
  private database: DatabaseSync | null = null;
  private select: StatementSync | null = null;
  /** By `performance.now`. */
  private notBefore = -Infinity;

  constructor(data: string) {
    this.path = join(data, FILE);
  }

  /**
   * Null where none was made yet.
   *
   * @param unixSeconds the farm's clock
   */
  of(job: number, unixSeconds: number): StartForecast | null {
    if (performance.now() < this.notBefore) return null;
    try {
      this.database ??= openDatabase(this.path, true);
      this.select ??= this.database.prepare("SELECT text FROM present_job WHERE job = ?");
      const row = this.select.get(job);
      if (row === undefined) return null;
      const forecast = JSON.parse(String(row["text"])) as Forecast;
      return shown(forecast, unixSeconds - forecast.unixSeconds);
    } catch {
      // There is none, or it was put away as damaged.
      this.close();
      this.notBefore = performance.now() + RETRY_MILLISECONDS;
      return null;
    }
  }

  /** It may be another file from now on. */
  close(): void {
    const { database } = this;
    this.database = null;
    this.select = null;
    this.notBefore = -Infinity;
    database?.close();
  }
}

function opened(path: string): DatabaseSync {
  const database = openDatabase(path, false);
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
    const version = Number(database.prepare("PRAGMA user_version").get()!["user_version"]);
    if (version !== 0 && version !== VERSION) throw new Error(`it has version ${version}`);
    database.exec(`
      -- Of a Croft before: its forecasts do not say all that these do.
      DROP TABLE IF EXISTS present;
      DROP TABLE IF EXISTS latest;
      DROP TABLE IF EXISTS newest;
      CREATE TABLE IF NOT EXISTS present_job (job INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS told (
        job INTEGER PRIMARY KEY, at REAL NOT NULL, raw TEXT NOT NULL, told TEXT NOT NULL, waited REAL
      ) STRICT;
      PRAGMA user_version = ${VERSION}
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function toldOf(row: Record<string, unknown>): Told {
  return {
    job: Number(row["job"]),
    at: Number(row["at"]),
    raw: numbersOf(row["raw"]),
    told: numbersOf(row["told"]),
  };
}

/** JSON has no Infinity. */
function textOf(values: readonly number[]): string {
  return JSON.stringify(values.map((value) => (value === Infinity ? null : value)));
}

function numbersOf(text: unknown): number[] {
  return (JSON.parse(String(text)) as (number | null)[]).map((each) => each ?? Infinity);
}
