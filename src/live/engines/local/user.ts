import { userInfo } from "node:os";

import { shown } from "../request.ts";
import type { Commands } from "../system/commands.ts";

/** Whom a job runs as. */
export interface Runner {
  /** What its side of the wrapper is run with. */
  readonly prefix: readonly string[];
  /** Of its environment, where the job does not set them itself. */
  readonly variables: Readonly<Record<string, string>>;
}

const TIMEOUT_SECONDS = 30;
export const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
const CLEAN = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };

/**
 * Finds out whom jobs run as. Started as root, a job runs as its user, and as root only where that is
 * allowed; else all run as the service's own user.
 */
export class Users {
  private readonly commands: Commands;
  private readonly allowRoot: boolean;
  private readonly known = new Map<string, Runner>();
  readonly isRoot = process.getuid?.() === 0;

  constructor(commands: Commands, allowRoot: boolean) {
    this.commands = commands;
    this.allowRoot = allowRoot;
  }

  /** Why a job of that user cannot run here, in words, or whom it runs as. */
  async runner(user: string | null): Promise<Runner | string> {
    if (!this.isRoot) return { prefix: [], variables: variablesOf(userInfo().username, userInfo().homedir) };
    if (user === null) {
      if (this.allowRoot) return { prefix: [], variables: variablesOf("root", "/root") };
      return "it has no user to run as, and jobs do not run as root here";
    }
    const known = this.known.get(user);
    if (known !== undefined) return known;
    const entry = await this.entry(user);
    if (typeof entry === "string") return entry;
    if (entry.uid === 0 && !this.allowRoot)
      return "jobs do not run as root here: submit as another user, or allow it with --allow-root";
    const runner: Runner = {
      prefix:
        entry.uid === 0
          ? []
          : [
              "/usr/bin/env",
              "setpriv",
              `--reuid=${entry.uid}`,
              `--regid=${entry.gid}`,
              "--init-groups",
              "--inh-caps=-all",
              "--",
            ],
      variables: variablesOf(entry.name, entry.home),
    };
    this.known.set(user, runner);
    return runner;
  }

  /** From wherever the machine has its users: a file, a directory service. */
  private async entry(user: string): Promise<Entry | string> {
    // A number would be taken for an id, and a dash for an option.
    if (!/^[A-Za-z_][A-Za-z0-9_.@-]*\$?$/.test(user)) return `${shown(user)} cannot be the name of a user`;
    const { status, stdout } = await this.commands.run("getent", ["passwd", "--", user], {
      environment: CLEAN,
      timeoutSeconds: TIMEOUT_SECONDS,
    });
    const [name, , uid, gid, , home] = stdout.split("\n")[0]!.split(":");
    if (status !== 0 || !/^\d+$/.test(uid ?? "") || !/^\d+$/.test(gid ?? ""))
      return `there is no user ${shown(user)} on this machine`;
    return { name: name!, uid: Number(uid), gid: Number(gid), home: home ?? "/" };
  }
}

interface Entry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

function variablesOf(name: string, home: string): Record<string, string> {
  return { USER: name, LOGNAME: name, HOME: home, PATH: DEFAULT_PATH };
}
