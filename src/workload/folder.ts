import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { InputError } from "./errors.ts";

/**
 * Makes the folder and those above it. Returns the ones that were missing, outermost first.
 *
 * They are made one by one: Node.js, asked for all at once, hangs on a file system such as /proc.
 *
 * @param mode of those that are made
 * @throws {InputError} if it cannot be made
 */
export function makeFolder(folder: string, mode = 0o777): string[] {
  if (folder === "") throw new InputError("the folder to write to has no name: give one");
  const missing: string[] = [];
  let path = resolve(folder);
  try {
    for (; statSync(path, { throwIfNoEntry: false }) === undefined; path = dirname(path))
      missing.unshift(path);
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
    for (const each of missing) {
      path = each;
      mkdirSync(each, mode);
    }
  } catch (error) {
    const place = missing.includes(path) ? dirname(path) : path;
    throw folderFailure(folder, "the folder cannot be made", place, error);
  }
  return missing;
}

/**
 * What a person can correct is an `InputError`; a full disk is a failure of the machine.
 *
 * @param what what was not possible
 * @param place the folder, or the file in its place, that refused
 */
export function folderFailure(folder: string, what: string, place: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT")
    return new Error(`${folder}: ${what}: the disk is full`, { cause: error });
  const reasons: Readonly<Record<string, string>> = {
    EACCES: `permission denied in ${place}`,
    EPERM: `permission denied in ${place}`,
    EROFS: `${place} can only be read`,
    ENOENT: `nothing can be stored in ${place}`,
    ENOTDIR: `${place} is a file`,
    EEXIST: `in ${place} a link of that name leads nowhere`,
    ELOOP: "its links go round in a circle",
    ENAMETOOLONG: "the name is too long",
  };
  return new InputError(`${what}: ${reasons[code ?? ""] ?? message}; name another folder`, { file: folder });
}
