import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

import { InputError } from "../workload/index.ts";

/**
 * Refuses to write a file that the command reads, by whatever name or link, or that lies in a folder that it reads.
 *
 * @param read files, folders, or what stands for one; undefined: not given
 */
export function refuseOverwriting(written: string, read: readonly (string | undefined)[]): void {
  const target = statSync(written, { throwIfNoEntry: false });
  // A file that does not exist yet cannot be lost.
  if (target?.isFile() !== true) return;
  const folder = dirname(realpathSync(written));
  for (const path of read) {
    const source = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    if (source === undefined) continue;
    const isSame = source.dev === target.dev && source.ino === target.ino;
    if (isSame || (source.isDirectory() && realpathSync(path!) === folder))
      throw new InputError("is read by this command: write to another file", { file: written });
  }
}

/** What is said of a file that is there already, and will be replaced; empty where there is none. */
export function replacing(written: string): string {
  return statSync(written, { throwIfNoEntry: false })?.isFile() === true
    ? ", in place of the file that was there"
    : "";
}
