import { chmodSync, chownSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";

import type { FastifyInstance } from "fastify";

import { InputError, makeFolder } from "../../workload/index.ts";
import { Refusal } from "../refusal.ts";
import type { Identity, Role } from "../identity.ts";
import { answers, LONGEST_PATH_BYTES } from "./listening.ts";

/** Who may come in by a socket. */
export interface Member {
  readonly uid: number;
  readonly role: Role;
}

export interface UserSocketsOptions {
  readonly app: FastifyInstance;
  /** Where the sockets are: a folder that all may go through. */
  readonly folder: string;
  /** By name. Rejects where that cannot be told now. */
  readonly members: () => Promise<ReadonlyMap<string, Member>>;
  /** Is told what is odd, once. */
  readonly say: (text: string) => void;
}

interface Open {
  readonly server: Server;
  readonly uid: number;
  readonly inode: number;
}

/** As often as memberships are looked up for what users may ask for. */
const LOOK_MILLISECONDS = 30_000;
/** Of one user at a time. */
const MAX_CONNECTIONS = 256;
const MAX_MEMBERS = 2000;
const SUFFIX = ".sock";
const OTHERS_GO_THROUGH = 0o001;

/**
 * A socket for each user of the machine who may come in: `NAME.sock`, 0600, and his own. The kernel lets nobody else
 * open it, so that it tells who asks. Node.js cannot ask the kernel who is at the other end of a socket for all.
 */
export class UserSockets {
  private readonly options: UserSocketsOptions;
  private readonly open = new Map<string, Open>();
  private readonly users = new WeakMap<Socket, string>();
  private members: ReadonlyMap<string, Member> = new Map();
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;
  private said = "";

  constructor(options: UserSocketsOptions) {
    this.options = options;
  }

  /**
   * Opens the sockets, and keeps to who is a member.
   *
   * @throws InputError where another farm has the sockets of its users there
   */
  async start(): Promise<void> {
    const { folder, say } = this.options;
    makeFolder(folder, 0o755);
    // Whatever the umask has left of it.
    chmodSync(folder, 0o755);
    // Each would take the other's users over, and lose its own again.
    for (const name of readdirSync(folder))
      if (name.endsWith(SUFFIX) && (await answers(join(folder, name))))
        throw new InputError(
          "users of another farm have their sockets there: give --socket in another folder",
          { file: folder },
        );
    const above = dirname(folder);
    if ((statSync(above).mode & OTHERS_GO_THROUGH) === 0)
      say(`users do not get to their sockets, since ${above} is closed to them: chmod go+x ${above}`);
    await this.look();
    this.lookAgain();
  }

  /**
   * Who is at the other end; null: whoever it is, he did not come by one of these.
   *
   * @throws Refusal where it is nobody who may any more
   */
  identityOf(connection: Socket): Identity | null {
    const user = this.users.get(connection);
    if (user === undefined) return null;
    const member = this.members.get(user);
    if (member === undefined) throw new Refusal(403, `${user} may not come in here any more`);
    return { user, role: member.role };
  }

  /** Whether whoever is at the other end, if he came by one of these, still may. */
  stands(connection: Socket): boolean {
    const user = this.users.get(connection);
    return user === undefined || this.members.has(user);
  }

  /** Looks who is a member now. */
  async look(): Promise<void> {
    try {
      const members = await this.options.members();
      if (this.isStopped) return;
      this.members = new Map([...members].slice(0, MAX_MEMBERS));
      if (members.size > MAX_MEMBERS) this.tell(`only ${MAX_MEMBERS} of ${members.size} users have a socket`);
      for (const name of this.open.keys()) if (!this.members.has(name)) this.close(name);
      for (const [name, { uid }] of this.members) this.keep(name, uid);
    } catch (error) {
      // Those who were members stay until it can be told again.
      this.tell(`sockets of users stay as they are: ${(error as Error).message}`);
    }
  }

  stop(): void {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    for (const name of this.open.keys()) this.close(name);
  }

  /** Once the last look is over: on a busy machine one may take longer than the pause between them. */
  private lookAgain(): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.look().then(() => this.lookAgain()), LOOK_MILLISECONDS).unref();
  }

  private keep(name: string, uid: number): void {
    const path = this.pathOf(name);
    const open = this.open.get(name);
    if (open !== undefined && open.uid === uid && inodeOf(path) === open.inode) return;
    this.close(name);
    if (Buffer.byteLength(path) > LONGEST_PATH_BYTES)
      return this.tell(`${name} has no socket: its path would be longer than ${LONGEST_PATH_BYTES} bytes`);
    // What a service that was killed has left.
    rmSync(path, { force: true });
    const { app } = this.options;
    const server = createServer((connection) => {
      this.users.set(connection, name);
      app.server.emit("connection", connection);
    });
    server.maxConnections = MAX_CONNECTIONS;
    server.on("error", (error) => this.tell(`${name} has no socket: ${error.message}`));
    const before = process.umask(0o177);
    try {
      server.listen(path);
    } finally {
      process.umask(before);
    }
    const inode = inodeOf(path);
    if (inode === null) return;
    chownSync(path, uid, -1);
    this.open.set(name, { server, uid, inode });
  }

  private close(name: string): void {
    // Its file goes with it.
    this.open.get(name)?.server.close();
    this.open.delete(name);
  }

  private pathOf(name: string): string {
    return join(this.options.folder, name + SUFFIX);
  }

  private tell(text: string): void {
    if (text !== this.said) this.options.say(text);
    this.said = text;
  }
}

function inodeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}
