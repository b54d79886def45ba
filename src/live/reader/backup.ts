import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

import type { Reader } from "./tasks.ts";

/** A copy of the whole database as it is now, made while it is in use: all of it or no file. It must not be there yet. */
export async function backup(reader: Reader, path: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    // SQLite keeps the mode of a file that is there and empty.
    await (await open(temporary, "wx", 0o600)).close();
    await reader.do("backup", { path: temporary });
    await rename(temporary, path);
  } finally {
    for (const left of [temporary, `${temporary}-journal`]) await rm(left, { force: true });
  }
}
