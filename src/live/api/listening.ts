import { chmodSync, existsSync, statSync, unlinkSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";

import type { FastifyInstance } from "fastify";

import { strangerAtSocket } from "../client/strangers.ts";
import { InputError, makeFolder } from "../../workload/index.ts";

/** The longest path that a Unix socket can have (`sun_path`). */
const LONGEST_PATH_BYTES = 107;

/**
 * Listens on a Unix socket that only its owner may open.
 *
 * @throws InputError where another farm listens there, or the path cannot be used
 */
export async function listenOnSocket(app: FastifyInstance, path: string): Promise<void> {
  if (Buffer.byteLength(path) > LONGEST_PATH_BYTES)
    throw new InputError(
      `the path of the socket is longer than ${LONGEST_PATH_BYTES} bytes: give a shorter one with --socket`,
      { file: path },
    );
  makeFolder(dirname(path), 0o700);
  const stranger = strangerAtSocket(path);
  if (stranger !== null)
    throw new InputError(
      `${stranger}, so that your jobs could be sent to another user: set XDG_RUNTIME_DIR or give another path with --socket, to the service and to its clients`,
      { file: path },
    );
  if (existsSync(path)) {
    if (!statSync(path).isSocket())
      throw new InputError("something that is no socket is there: give another path with --socket", {
        file: path,
      });
    if (await answers(path)) throw new InputError("another farm listens there already", { file: path });
    unlinkSync(path);
  }
  const before = process.umask(0o177);
  try {
    await app.listen({ path });
  } finally {
    process.umask(before);
  }
  chmodSync(path, 0o600);
}

function answers(path: string): Promise<boolean> {
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
