import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

import { InputError } from "../../workload/errors.ts";
import { FarmError, LostAnswer, NoAnswer, OthersFarm } from "./farm-error.ts";
import { withoutSocket, type Server } from "./places.ts";
import { strangerAtSocket } from "./strangers.ts";

/** Whoever listens at the socket is sent the environment of jobs. */
export function refuseStrangers(server: Extract<Server, { socket: string }>): void {
  try {
    // Whoever makes it first is looked at below, each time that it is asked.
    statSync(server.socket);
  } catch (error) {
    throw unreachable(server, error as NodeJS.ErrnoException);
  }
  const stranger = strangerAtSocket(server.socket);
  if (stranger !== null)
    throw new FarmError(
      0,
      `the socket ${server.socket} is not used: ${stranger}, so whoever listens there need not be your farm. Set XDG_RUNTIME_DIR or give another path with --socket, to the service and to its clients`,
    );
}

/** What is malformed is the caller's mistake, as a wrong option is. */
export function refusalOf(status: number, body: Buffer): Error {
  const problem = problemOf(status, body);
  return status === 400 ? new InputError(problem) : new FarmError(status, problem);
}

function problemOf(status: number, body: Buffer): string {
  try {
    const { error } = JSON.parse(body.toString("utf8")) as { error?: unknown };
    if (typeof error === "string") return error;
  } catch {
    // Not JSON: the answer does not come from a farm.
  }
  return `the server answers with status ${status} and no message of a farm: a proxy or another service may have answered`;
}

const BROKEN: readonly (string | undefined)[] = ["ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNABORTED"];

export function unreachable(server: Server, { code, message }: NodeJS.ErrnoException): FarmError {
  const where = "socket" in server ? server.socket : server.url.origin;
  if (code === "ENOENT" || code === "ECONNREFUSED")
    return new NoAnswer(
      `no farm answers at ${where}: start one with \`croft serve\`, or say where it is with --server or --socket${withoutSocket()}`,
      code === "ECONNREFUSED"
        ? "socket"
        : "socket" in server && existsSync(dirname(server.socket))
          ? "folder"
          : "not",
    );
  if (code === "EACCES") return new OthersFarm(0, `the farm at ${where} is another user's`);
  if (BROKEN.includes(code))
    return new LostAnswer(0, `the connection to the farm at ${where} broke: ${message}`);
  return new FarmError(0, `the farm at ${where} cannot be reached: ${message}`);
}
