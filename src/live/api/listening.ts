import { chmodSync, existsSync, statSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { dirname } from "node:path";

import type { FastifyInstance } from "fastify";

import { strangerAtSocket } from "../client/strangers.ts";
import { InputError, makeFolder } from "../../workload/index.ts";

/** The longest path that a Unix socket can have (`sun_path`). */
export const LONGEST_PATH_BYTES = 107;

/**
 * Listens on a Unix socket that only its owner may open.
 *
 * @param folderMode of its folder, where there is none yet
 * @throws InputError where another farm listens there, or the path cannot be used
 */
export async function listenOnSocket(app: FastifyInstance, path: string, folderMode = 0o700): Promise<void> {
  if (Buffer.byteLength(path) > LONGEST_PATH_BYTES)
    throw new InputError(
      `the path of the socket is longer than ${LONGEST_PATH_BYTES} bytes: give a shorter one with --socket`,
      { file: path },
    );
  makeFolder(dirname(path), folderMode);
  const stranger = strangerAtSocket(path);
  if (stranger !== null)
    throw new InputError(
      `${stranger}, so that your jobs could be sent to another user: set XDG_RUNTIME_DIR or give another path with --socket, to the service and to its clients`,
      { file: path },
    );
  await makeRoom(path);
  const before = process.umask(0o177);
  try {
    await app.listen({ path });
  } finally {
    process.umask(before);
  }
  chmodSync(path, 0o600);
}

/** @throws InputError where another farm listens there, or something else is there */
async function makeRoom(path: string): Promise<void> {
  if (!existsSync(path)) return;
  if (!statSync(path).isSocket())
    throw new InputError("something that is no socket is there: give another path with --socket", {
      file: path,
    });
  if (await answers(path)) throw new InputError("another farm listens there already", { file: path });
  unlinkSync(path);
}

const LOOK_MILLISECONDS = 5000;

/**
 * Looks now and then whether the socket is still there, and makes it again where it was removed: what cleans /tmp up
 * does not ask.
 *
 * @param say is told what happens, once
 * @returns ends it
 */
export function keepSocket(
  app: FastifyInstance,
  path: string,
  say: (text: string) => void,
  lookMilliseconds = LOOK_MILLISECONDS,
): () => void {
  let own = inodeOf(path);
  let others: Server[] = [];
  let said = "";
  const tell = (text: string): void => {
    if (text !== said) say(text);
    said = text;
  };
  const look = (): void => {
    const there = inodeOf(path);
    if (there === own && there !== null) return;
    try {
      if (there !== null)
        throw new InputError("something else is at the place of the socket: clients do not reach this farm", {
          file: path,
        });
      makeFolder(dirname(path), 0o700);
      const stranger = strangerAtSocket(path);
      if (stranger !== null)
        throw new InputError(`the socket was removed and is not made again: ${stranger}`, { file: path });
      // A server listens at one place only: this one hands its connections on.
      const server = createServer((connection) => void app.server.emit("connection", connection));
      server.on("error", (error) =>
        tell(`the socket was removed and cannot be made again: ${error.message}`),
      );
      const before = process.umask(0o177);
      try {
        server.listen(path);
      } finally {
        process.umask(before);
      }
      others = [...others, server];
      own = inodeOf(path);
      tell("the socket was removed, and is made again");
      said = "";
    } catch (error) {
      tell((error as Error).message);
    }
  };
  const timer = setInterval(look, lookMilliseconds).unref();
  return () => {
    clearInterval(timer);
    for (const server of others) server.close();
  };
}

function inodeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}

/** Whether somebody listens at a socket. */
export function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

/**
 * Listens over TCP; returns the address to ask at.
 *
 * @throws InputError where the address cannot be used
 */
export async function listenOnPort(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    return await app.listen({ host: host.replace(/^\[(.*)\]$/, "$1"), port });
  } catch (error) {
    throw new InputError(`cannot listen at ${host}:${port}: ${(error as Error).message}`);
  }
}
