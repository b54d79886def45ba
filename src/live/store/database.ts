import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";

import { InputError } from "../../workload/index.ts";
import { Connection, openDatabase } from "./connection.ts";
import { Lock } from "./lock.ts";
import { migrations, type Migration } from "./migrations.ts";

export { Connection, type Row } from "./connection.ts";

/** A change that is still to be written. */
export interface Write {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** "Crft", so that no other program's database is taken for ours. */
export const APPLICATION_ID = 0x43726674;
/** The indexes of a million jobs stay in it. */
const CACHE_KIB = 64 * 1024;
/** Of rows that have changed, after which the log is to be written back: that costs as much as some hundred commits. */
const CHECKPOINT_BYTES = 8 * 1024 * 1024;
const ROW_BYTES = 100;
/** 400 MiB: if nobody else has written the log back by then, a commit does. */
const CHECKPOINT_PAGES = 100_000;
export const IN_MEMORY = ":memory:";

/** The database file: one writer, whose writes are durable when `commit` returns. Others may read. */
export class Database extends Connection {
  private readonly lock: Lock | null;
  /** About what was written since the log was written back. */
  private bytes: number;

  /** @throws InputError where the file is not a farm's database, or one of a newer Croft */
  constructor(path: string) {
    const { lock, database } = open(path);
    super(path, database);
    this.lock = lock;
    // What a service that was killed has left there counts too: many of them in turn would let the log grow.
    this.bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    try {
      this.migrate();
    } catch (error) {
      this.close();
      throw translated(error, path);
    }
  }

  /** Writes all of them durably, or throws and writes none; then they can be tried again. */
  commit(writes: readonly Write[]): void {
    if (writes.length === 0) return;
    let rows = 0;
    this.transaction(() => {
      for (const { sql, values } of writes) rows += Number(this.statement(sql).run(...values).changes);
    });
    // A statement that deletes a thousand rows fills the log as a thousand that add one.
    this.bytes += rows * ROW_BYTES;
    for (const { values } of writes)
      for (const value of values) if (typeof value === "string") this.bytes += value.length;
  }

  /** Whether the log should be written back now, by a reader; it is then taken to be. */
  takeCheckpoint(): boolean {
    const isDue = this.bytes > CHECKPOINT_BYTES;
    if (isDue) this.bytes = 0;
    return isDue;
  }

  override close(): void {
    super.close();
    this.lock?.release();
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
    this.forget();
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

/** What has kept a farm from starting. SQLite finds damage where it first reads it, which may be anywhere. */
export function startFailure(error: unknown, path: string): unknown {
  if (error instanceof InputError || codeOf(error) === null || isTransient(error)) return error;
  const text = databaseFailure(error);
  const what = text.includes(RESTORE) ? text : `the database is not as it was written (${text}): ${RESTORE}`;
  return new InputError(what, { file: path });
}

/** A second service on the same data would start everything twice: it gets no lock. */
function open(path: string): { readonly lock: Lock | null; readonly database: DatabaseSync } {
  let lock: Lock | null = null;
  try {
    if (path !== IN_MEMORY) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      lock = new Lock(`${path}-lock`);
      closeToOthers(path);
    }
    const database = openDatabase(path, false);
    const mode = database.prepare("PRAGMA journal_mode = WAL").get()!["journal_mode"];
    if (path !== IN_MEMORY && mode !== "wal")
      throw new InputError(
        "its file system has no memory that processes share, which SQLite needs (mode WAL): give a folder on another with --data",
        { file: path },
      );
    database.exec("PRAGMA synchronous = FULL");
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    database.exec("BEGIN IMMEDIATE; COMMIT");
    return { lock, database };
  } catch (error) {
    lock?.release();
    throw translated(error, path);
  }
}

function translated(error: unknown, path: string): InputError {
  return error instanceof InputError ? error : new InputError(openFailure(error), { file: path });
}

/** SQLite makes the files beside it with the mode of the database's own. */
function closeToOthers(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
  // What is in them is nobody's either, whatever its own mode.
  for (const folder of ["jobs", "history"].map((name) => join(dirname(path), name)))
    if (existsSync(folder)) chmodSync(folder, 0o700);
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
    text.includes("disk is full") ||
    text.includes("unable to open")
  )
    return `the database cannot be written (${text}): its folder has to be writable for this user, with room on the disk`;
  return `the database cannot be opened: ${text}`;
}
