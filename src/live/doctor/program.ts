import { accessSync, constants, statSync } from "node:fs";

import { strangerOnTheWay } from "../client/strangers.ts";
import type { Finding } from "../engines/finding.ts";

const OTHERS_WRITE = 0o022;

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
  const stranger = strangerOnTheWay(path);
  if (stranger !== null || (stat.mode & OTHERS_WRITE) !== 0)
    return {
      found: stranger ?? "others may change what the service runs",
      change: `chmod go-w ${path}, and the folders above it`,
    };
  return { found: "there, and can be run", change: null };
}
