import { chown, lstat, mkdir, rmdir } from "node:fs/promises";

import type { User } from "../users.ts";

/** @returns what went wrong; null: it is there, and the user's alone */
export async function makeOwn(path: string, user: User | null): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // Of a start that was interrupted.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return error as Error;
    if (!(await lstat(path)).isDirectory()) return new Error(`${path} is no folder`);
  }
  try {
    if (user !== null) await chown(path, user.uid, user.gid);
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** @returns whether nothing was left in it, so that it is gone */
export async function isEmptied(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTEMPTY") return false;
    throw error;
  }
}
