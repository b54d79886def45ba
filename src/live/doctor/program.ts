import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";

import { strangerAtProgram, type Stranger } from "../client/strangers.ts";
import type { Finding } from "../engines/finding.ts";

export type Rest = Omit<Finding, "what">;

/** Whether a program of the farm file can be run by the service, and changed by nobody else. */
export function program(path: string): Rest {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile())
    return {
      found: stat === undefined ? "there is no such file" : "it is no file",
      change: `put the program at ${path}, or leave it out of the farm file`,
    };
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return { found: "it cannot be run", change: `chmod 755 ${path}` };
  }
  const interpreter = interpreterOf(path);
  if (interpreter !== null && !existsSync(interpreter))
    return {
      found: `its first line names ${interpreter}, which is not there`,
      change: `install ${interpreter}, or change the first line of ${path}`,
    };
  const stranger = strangerAtProgram(path);
  if (stranger !== null)
    return {
      found: `${stranger.found}: others may change what the service runs`,
      change: takeBack(stranger),
    };
  return { found: "there, and can be run", change: null };
}

/** The command after which nobody else can change it. */
export function takeBack({ path, isOwner }: Stranger): string {
  return isOwner ? `chown ${process.getuid!()} ${path}` : `chmod go-w ${path}`;
}

/** The program that the first line of a script (`#!`) names; null: it names none, or may not be read. */
function interpreterOf(path: string): string | null {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(256);
      readSync(file, head, 0, head.length, 0);
      return /^#![ \t]*([^ \t\r\n\0]+)/.exec(head.toString("latin1"))?.[1] ?? null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
