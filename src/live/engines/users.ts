import { ownUser } from "../../workload/own-user.ts";
import { shown } from "./request.ts";
import type { Commands } from "./system/commands.ts";

/** The user that a job runs as. */
export interface Runner {
  /** Null: as the service does. */
  readonly user: User | null;
  /** Variables of that user for the environment, unless the job sets them itself. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface Refusal {
  readonly refused: string;
  readonly fault: "job" | "transient";
}

const TIMEOUT_SECONDS = 30;
/** The status of getent for a name that does not exist. */
const NO_SUCH_KEY = 2;
const MAX_KNOWN = 10_000;
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
const CLEAN = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };

/**
 * Decides which user a job runs as. If the service is root, each job runs as its own user, and as root only if that
 * is allowed; otherwise all jobs run as the service's user.
 */
export class Users {
  private readonly commands: Commands;
  private readonly allowRoot: boolean;
  /** Many jobs of a user may start before the first answer. */
  private readonly known = new Map<string, Promise<Runner | Refusal>>();
  readonly isRoot = process.getuid?.() === 0;

  constructor(commands: Commands, allowRoot: boolean) {
    this.commands = commands;
    this.allowRoot = allowRoot;
  }

  /** The user that a job of `user` runs as, or why it cannot run here. */
  async runner(user: string | null): Promise<Runner | Refusal> {
    if (!this.isRoot) {
      const { username, homedir } = ownUser();
      return { user: null, variables: variablesOf(username, homedir) };
    }
    if (user === null) {
      if (this.allowRoot) return { user: null, variables: variablesOf("root", "/root") };
      return refused("it has no user to run as, and jobs do not run as root here");
    }
    let known = this.known.get(user);
    if (known === undefined) {
      known = this.lookUp(user);
      if (this.known.size >= MAX_KNOWN) this.known.clear();
      this.known.set(user, known);
      // It may be known another time.
      if ("refused" in (await known)) this.known.delete(user);
    }
    return known;
  }

  private async lookUp(user: string): Promise<Runner | Refusal> {
    const entry = await this.entry(user);
    if ("refused" in entry) return entry;
    if (entry.uid === 0 && !this.allowRoot)
      return refused("jobs do not run as root here: submit as another user, or allow it with --allow-root");
    return { user: entry, variables: variablesOf(entry.name, entry.home) };
  }

  /** Asks getent, so that users of a directory service are found as well as local ones. */
  private async entry(user: string): Promise<User | Refusal> {
    // A number would be taken for an id, and a dash for an option.
    if (!/^[A-Za-z_][A-Za-z0-9_.@-]*\$?$/.test(user))
      return refused(`${shown(user)} cannot be the name of a user`);
    const { status, stdout, stderr } = await this.commands.run("getent", ["passwd", "--", user], {
      environment: CLEAN,
      timeoutSeconds: TIMEOUT_SECONDS,
    });
    const [name, , uid, gid, , home] = stdout.split("\n")[0]!.split(":");
    if (status === NO_SUCH_KEY) return refused(`there is no user ${shown(user)} on this machine`);
    if (status !== 0 || !/^\d+$/.test(uid ?? "") || !/^\d+$/.test(gid ?? ""))
      return refused(`the machine cannot look up the user ${shown(user)}: ${stderr.trim()}`, "transient");
    return { name: name!, uid: Number(uid), gid: Number(gid), home: home ?? "/" };
  }
}

export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

function refused(reason: string, fault: Refusal["fault"] = "job"): Refusal {
  return { refused: reason, fault };
}

function variablesOf(name: string, home: string): Record<string, string> {
  return { USER: name, LOGNAME: name, HOME: home, PATH: DEFAULT_PATH };
}
