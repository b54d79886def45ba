import { lookup } from "node:dns/promises";
import { accessSync, constants, readFileSync, statfsSync } from "node:fs";
import { connect } from "node:net";
import { totalmem } from "node:os";

import { ownUser } from "../../workload/own-user.ts";
import { systemCommands, type Commands } from "../engines/system/commands.ts";

/** What checks see of the machine beside the files of the farm, so that a test can plant faults in it. */
export interface Host {
  readonly user: { readonly uid: number; readonly username: string };
  readonly commands: Commands;
  /** Node.js's own, and those of what is in it. */
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly memoryMiB: number;
  /** Where a unit may be. */
  readonly unitPaths: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Null where there is no such file, or it may not be read. */
  text(path: string): string | null;
  mayWrite(path: string): boolean;
  /** Whether its file system lets nobody write here, whatever the rights say: such as one that a cluster puts into a pod. */
  isReadOnly(path: string): boolean;
  room(folder: string): Room;
  /** Whether there is an address of that name. */
  resolves(name: string): Promise<boolean>;
  /** Why nobody takes a connection there; null: somebody does. Nothing is sent. */
  connects(name: string, port: number): Promise<string | null>;
  unixSeconds(): number;
  monotonicSeconds(): number;
}

export interface Room {
  readonly freeMiB: number;
  readonly wholeMiB: number;
  /** Files that can still be made; null: the file system does not count them. */
  readonly filesFree: number | null;
}

const MIB = 1024 * 1024;
const CONNECT_MILLISECONDS = 5000;

export const thisHost: Host = {
  user: ownUser(),
  commands: systemCommands,
  versions: process.versions,
  memoryMiB: totalmem() / MIB,
  unitPaths: ["/etc/systemd/system/croft.service", "/usr/lib/systemd/system/croft.service"],
  environment: process.env,
  text(path) {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return null;
    }
  },
  mayWrite(path) {
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  },
  isReadOnly(path) {
    try {
      accessSync(path, constants.W_OK);
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EROFS";
    }
  },
  room(folder) {
    const { bavail, blocks, bsize, files, ffree } = statfsSync(folder);
    return {
      freeMiB: (bavail * bsize) / MIB,
      wholeMiB: (blocks * bsize) / MIB,
      filesFree: files === 0 ? null : ffree,
    };
  },
  resolves: async (name) =>
    lookup(name).then(
      () => true,
      () => false,
    ),
  connects: (host, port) =>
    new Promise((resolve) => {
      const socket = connect({ host, port, timeout: CONNECT_MILLISECONDS });
      const end = (why: string | null): void => {
        socket.destroy();
        resolve(why);
      };
      socket.once("connect", () => end(null));
      socket.once("timeout", () => end(`no answer within ${CONNECT_MILLISECONDS / 1000} s`));
      socket.once("error", ({ message }) => end(message));
    }),
  unixSeconds: () => Date.now() / 1000,
  monotonicSeconds: () => performance.now() / 1000,
};

/** The file or folder nearest above, or at, a path that is there. */
export function nearest(path: string): string {
  let at = path;
  for (;;) {
    try {
      accessSync(at);
      return at;
    } catch (error) {
      const above = at.slice(0, Math.max(1, at.lastIndexOf("/")));
      // One in a folder that this user may not enter is there, for all that can be known.
      if (above === at || (error as NodeJS.ErrnoException).code === "EACCES") return above;
      at = above;
    }
  }
}
