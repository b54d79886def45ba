import { userInfo } from "node:os";

export interface OwnUser {
  readonly uid: number;
  readonly username: string;
  readonly homedir: string;
}

/**
 * The user that this process runs as. One that the machine does not know, as containers may have it, is called by its
 * number.
 */
export function ownUser(look: () => OwnUser = userInfo): OwnUser {
  try {
    return look();
  } catch {
    const uid = process.getuid!();
    return { uid, username: String(uid), homedir: process.env["HOME"] || "/" };
  }
}

/** Where this user keeps files. */
export function ownHome(environment: NodeJS.ProcessEnv): string {
  return environment["HOME"] || ownUser().homedir;
}
