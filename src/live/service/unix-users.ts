import type { Commands } from "../engines/system/commands.ts";
import { Refusal } from "../refusal.ts";

const TIMEOUT_SECONDS = 30;
/** For so long a user's groups are not looked up again. */
const KEPT_SECONDS = 30;
const MAX_KEPT = 10_000;
/** The status of getent for a name that does not exist. */
const NO_SUCH_KEY = 2;
const CLEAN = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };

/** The users of this machine, those of its directory service included. */
export class UnixUsers {
  private readonly commands: Commands;
  private readonly monotonicSeconds: () => number;
  private readonly kept = new Map<
    string,
    { readonly groups: readonly string[] | null; readonly at: number }
  >();

  constructor(commands: Commands, monotonicSeconds: () => number) {
    this.commands = commands;
    this.monotonicSeconds = monotonicSeconds;
  }

  /**
   * The names of a user's groups; null: there is no such user.
   *
   * @throws Refusal where the machine cannot look it up
   */
  async groupsOf(user: string): Promise<readonly string[] | null> {
    const now = this.monotonicSeconds();
    const known = this.kept.get(user);
    if (known !== undefined && now - known.at < KEPT_SECONDS) return known.groups;
    const groups = await this.lookUp(user);
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    this.kept.set(user, { groups, at: now });
    return groups;
  }

  /** @throws Refusal where the machine cannot look it up */
  async hasGroup(group: string): Promise<boolean> {
    // A number would be taken for an id.
    return /^[A-Za-z_]/.test(group) && (await this.getent("group", group)) !== null;
  }

  /**
   * The members of a Unix group with their numbers, without those whose first group it is: a machine lists none of them.
   *
   * @throws Refusal where there is no such group, or the machine cannot look it up
   */
  async membersOf(group: string): Promise<ReadonlyMap<string, number>> {
    const entry = await this.getent("group", group);
    if (entry === null) throw new Refusal(422, `there is no Unix group ${group}: groupadd ${group}`);
    const members = new Map<string, number>();
    for (const name of (entry.split(":")[3] ?? "").split(",").filter((each) => each !== "")) {
      const uid = Number((await this.getent("passwd", name))?.split(":")[2]);
      // Names in a group may be of users who are gone.
      if (Number.isInteger(uid)) members.set(name, uid);
    }
    return members;
  }

  /** The line of a name; null: there is none. */
  private async getent(database: string, name: string): Promise<string | null> {
    const { status, stdout, stderr } = await this.commands.run("getent", [database, "--", name], {
      environment: CLEAN,
      timeoutSeconds: TIMEOUT_SECONDS,
    });
    if (status === NO_SUCH_KEY) return null;
    const line = stdout.split("\n")[0]!;
    // Without a line it has not told: taken for a group without members it would close everybody's socket.
    if (status !== 0 || line === "")
      throw new Refusal(503, `the machine cannot look up ${name}: ${stderr.trim() || `status ${status}`}`);
    return line;
  }

  private async lookUp(user: string): Promise<readonly string[] | null> {
    // A number would be taken for an id, and a dash for an option.
    if (!/^[A-Za-z_]/.test(user)) return null;
    const run = (program: string, ...args: string[]) =>
      this.commands.run(program, args, { environment: CLEAN, timeoutSeconds: TIMEOUT_SECONDS });
    const entry = await run("getent", "passwd", "--", user);
    if (entry.status === NO_SUCH_KEY) return null;
    // With a zero after each: names of a directory service have blanks in them.
    const groups = entry.status === 0 ? await run("id", "-Gnz", "--", user) : entry;
    if (groups.status !== 0 || groups.stdout === "")
      throw new Refusal(
        503,
        `the machine cannot look up the user ${user}: ${groups.stderr.trim() || `status ${groups.status}`}`,
      );
    return groups.stdout.split("\0").filter((name) => name !== "");
  }
}
