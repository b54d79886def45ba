import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { APPLICATION_ID } from "../../store/database.ts";
import { migrations } from "../../store/migrations.ts";
import type { Check } from "../check.ts";

/** Offsets in the header of a database file: https://sqlite.org/fileformat2.html#the_database_header */
const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/**
 * Whether the database is ours, and of a version that this Croft knows. The file's header is read, without opening the
 * database, which would make files beside it, of whoever looks. Where they are there, and the log has what is newer, it
 * is opened to be read.
 */
export const database: Check = {
  name: "database",
  isOfService: true,
  look({ data }) {
    const path = join(data, "croft.db");
    const header = headerOf(path);
    const logged = loggedOf(path);
    if (header === null || (header.length === 0 && logged === null))
      return [{ what: path, found: "nothing is in it yet", change: null }];
    const { version, id } =
      logged ??
      (header.length < HEADER_BYTES
        ? { version: 0, id: -1 }
        : { version: header.readUInt32BE(USER_VERSION_AT), id: header.readUInt32BE(APPLICATION_ID_AT) });
    const restore = "stop the service, move it away and restore a backup: docs/live/operate.md";
    if (
      logged === null &&
      (header.length < HEADER_BYTES || header.toString("latin1", 0, MAGIC.length) !== MAGIC)
    )
      return [{ what: path, found: "it is damaged: it is no SQLite database", change: restore }];
    if (id !== 0 && id !== APPLICATION_ID)
      return [
        {
          what: path,
          found: "it is the database of another program",
          change: "give another folder with --data",
        },
      ];
    const known = `version ${version}; this Croft knows ${migrations.length}`;
    return [
      {
        what: path,
        found: version > migrations.length ? `a newer Croft has written it: ${known}` : known,
        change:
          version > migrations.length
            ? "start the newer Croft, or restore a backup from before: croft backup"
            : null,
      },
    ];
  },
};

interface Marks {
  readonly version: number;
  readonly id: number;
}

/** What the database says with its log; null: there is none, or it cannot be read. */
function loggedOf(path: string): Marks | null {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
  if (!existsSync(`${path}-shm`)) return null;
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const mark = (name: string): number =>
        Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
      return { version: mark("user_version"), id: mark("application_id") };
    } finally {
      database.close();
    }
  } catch {
    // What is wrong with it the file's header tells.
    return null;
  }
}

function headerOf(path: string): Buffer | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (["ENOENT", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
