import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";

import { InputError } from "../../workload/index.ts";
import { migrations, type Migration } from "./migrations.ts";

/** A change that is still to be written. */
export interface Write {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

export type Row = Record<string, SQLOutputValue>;

/** "Crft", so that no other program's database is taken for ours. */
const APPLICATION_ID = 0x43726674;
/** The indexes of a million jobs stay in it. */
const CACHE_KIB = 64 * 1024;
/** 40 MiB. Writing the log back costs as much as some hundred commits, so it is done rarely. */
const CHECKPOINT_PAGES = 10_000;
const IN_MEMORY = ":memory:";
const BUSY_MILLISECONDS = 1000;

/**
 * The database file: one writer, whose writes are durable when `commit` returns. All statements are prepared once.
 */
export class Database {
  readonly path: string;
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  private readonly arrayStatements = new Map<string, StatementSync>();

  /** @throws InputError where the file is not a farm's database, or one of a newer Croft */
  constructor(path: string) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      if (path !== IN_MEMORY) closeToOthers(path);
      this.database = new DatabaseSync(path, { timeout: BUSY_MILLISECONDS });
      // A second service on the same data would start everything twice.
      this.database.exec("PRAGMA locking_mode = EXCLUSIVE");
      this.database.exec("PRAGMA journal_mode = WAL");
      this.database.exec("PRAGMA synchronous = FULL");
      this.database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
      this.database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      this.database.exec("BEGIN IMMEDIATE; COMMIT");
      this.migrate();
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(openFailure(error), { file: path });
    }
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.statement(sql).all(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.statement(sql).get(...values);
  }

  /** Rows as arrays, in the order of the columns: many rows are read twice as fast so. */
  arrays(sql: string, ...values: SQLInputValue[]): SQLOutputValue[][] {
    let statement = this.arrayStatements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      statement.setReturnArrays(true);
      this.arrayStatements.set(sql, statement);
    }
    return statement.all(...values) as unknown as SQLOutputValue[][];
  }

  iterate(sql: string, ...values: SQLInputValue[]): NodeJS.Iterator<Row> {
    return this.statement(sql).iterate(...values);
  }

  /** Writes all of them durably, or throws and writes none; then they can be tried again. */
  commit(writes: readonly Write[]): void {
    if (writes.length === 0) return;
    this.transaction(() => {
      for (const { sql, values } of writes) this.statement(sql).run(...values);
    });
  }

  /** A copy of the whole as it is now, made while it is in use: all of it or no file. It must not be there yet. */
  copyTo(path: string): void {
    const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
    try {
      this.database.prepare("VACUUM INTO ?").run(temporary);
      chmodSync(temporary, 0o600);
      const file = openSync(temporary, "r+");
      fsyncSync(file);
      closeSync(file);
      renameSync(temporary, path);
    } finally {
      for (const left of [temporary, `${temporary}-journal`]) rmSync(left, { force: true });
    }
  }

  close(): void {
    this.statements.clear();
    this.arrayStatements.clear();
    this.database.close();
  }

  private statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  private migrate(): void {
    const version = this.pragma("user_version");
    const application = this.pragma("application_id");
    const isEmpty = this.get("SELECT name FROM sqlite_schema LIMIT 1") === undefined;
    if (!isEmpty && application !== APPLICATION_ID)
      throw new InputError("it is the database of another program", { file: this.path });
    if (version > migrations.length)
      throw new InputError(
        `a newer Croft has written it (version ${version}; this one knows ${migrations.length}): start that one, or restore a backup from before`,
        { file: this.path },
      );
    this.statements.clear();
    for (let step = version; step < migrations.length; step++) this.bring(step + 1, migrations[step]!);
  }

  /** Brings the database to a version. */
  private bring(version: number, migration: Migration): void {
    this.transaction(() => {
      this.database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      if (typeof migration === "string") this.database.exec(migration);
      else migration(this.database);
      this.database.exec(`PRAGMA user_version = ${version}`);
    });
  }

  /** All of it, durably, or nothing. */
  private transaction(change: () => void): void {
    this.database.exec("BEGIN IMMEDIATE");
    try {
      change();
      this.database.exec("COMMIT");
    } catch (error) {
      if (this.database.isTransaction) this.database.exec("ROLLBACK");
      throw error;
    }
  }

  private pragma(name: string): number {
    return Number(Object.values(this.database.prepare(`PRAGMA ${name}`).get()!)[0]);
  }
}

/** SQLITE_BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN: https://sqlite.org/rescode.html */
const TRANSIENT: readonly unknown[] = [5, 6, 7, 8, 10, 13, 14];

/** Whether a write has failed for a reason that passes: then the same write may succeed later. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.includes(codeOf(error));
}

/** SQLite's; null where it is no error of SQLite. */
function codeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error)) return null;
  // The lowest byte of an extended code is the code.
  return Number(error.errcode) & 0xff;
}

/** SQLITE_CORRUPT, NOTADB. */
const DAMAGED: readonly unknown[] = [11, 26];
export const RESTORE = "move it away and restore a backup: docs/live/operate.md";

/** What a failure of the database means to a person, and what to do. */
export function databaseFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return DAMAGED.includes(codeOf(error)) ? `the database is damaged (${text}): ${RESTORE}` : text;
}

/** SQLite makes the files beside it with the mode of the database's own. */
function closeToOthers(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

function openFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (text.includes("locked"))
    return "another croft serve uses this data: stop that one, or give another folder with --data";
  if (DAMAGED.includes(codeOf(error))) return databaseFailure(error);
  if (
    /EACCES|EPERM|EROFS|EISDIR|ENOSPC/.test(text) ||
    text.includes("readonly") ||
    text.includes("disk I/O error") ||
    text.includes("unable to open")
  )
    return `the database cannot be written (${text}): its folder has to be writable for this user, with room on the disk`;
  return `the database cannot be opened: ${text}`;
}
