import { chmodSync, existsSync, statSync, unlinkSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";

import type { FastifyInstance } from "fastify";

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
  const folder = dirname(path);
  makeFolder(folder, 0o700);
  const { uid, mode } = statSync(folder);
  // A user who may write to the folder could put another socket in its place.
  if (uid !== process.getuid?.() && uid !== 0)
    throw new InputError("the folder of the socket belongs to another user: give a path with --socket", {
      file: path,
    });
  if ((mode & 0o022) !== 0 && (mode & 0o1000) === 0)
    throw new InputError("others may write to the folder of the socket: give another path with --socket", {
      file: path,
    });
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
