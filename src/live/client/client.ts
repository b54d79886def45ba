import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";

import { InputError } from "../../workload/errors.ts";
import { defaultSocket } from "./places.ts";

/** Where the farm is: a socket on this machine, or an address. */
export type Server = { readonly socket: string } | { readonly url: URL; readonly token: string | null };

export interface ServerFlags {
  readonly server?: string;
  readonly socket?: string;
}

/**
 * Where a client's farm is: `--server` or `--socket`, else `CROFT_SERVER`, else `CROFT_SOCKET`, else the user's own.
 *
 * @throws InputError where the address is none
 */
export function serverOf(flags: ServerFlags, environment: NodeJS.ProcessEnv): Server {
  if (flags.server !== undefined && flags.socket !== undefined)
    throw new InputError("--server and --socket name two farms: give one");
  const address = flags.server ?? (flags.socket === undefined ? environment["CROFT_SERVER"] : undefined);
  if (address !== undefined && address !== "") {
    const url = URL.parse(address);
    if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
      throw new InputError(
        `${JSON.stringify(address)} is no address of a farm: give one such as http://127.0.0.1:8470`,
      );
    return { url, token: environment["CROFT_TOKEN"] ?? null };
  }
  return { socket: flags.socket ?? (environment["CROFT_SOCKET"] || defaultSocket(environment)) };
}

/** The farm has refused, or failed. */
export class FarmError extends Error {
  override readonly name = "FarmError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A farm as a client has it. */
export class Client {
  readonly #server: Server;
  #unixMilliseconds: number | null = null;

  constructor(server: Server) {
    this.#server = server;
  }

  /** The farm's time, from its last answer: a simulated farm has a time of its own. */
  get unixMilliseconds(): number {
    return this.#unixMilliseconds ?? Date.now();
  }

  async get<Result>(path: string): Promise<Result> {
    return parsed(await this.raw("GET", path)) as Result;
  }

  async send<Result>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Result> {
    return parsed(await this.raw(method, path, body, headers)) as Result;
  }

  /**
   * @throws FarmError where the farm answers with an error, or does not answer
   * @throws InputError where it says that the request is malformed
   */
  async raw(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await this.#open(method, path, body, headers);
    const time = Date.parse(String(response.headers["croft-time"]));
    if (Number.isFinite(time)) this.#unixMilliseconds = time;
    const answer = {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await bodyOf(response),
    };
    if (answer.status >= 400) throw refusalOf(answer.status, answer.body);
    return answer;
  }

  /** The lines of an answer that goes on. */
  async *lines(path: string): AsyncGenerator<string> {
    const response = await this.#open("GET", path, undefined, {});
    if ((response.statusCode ?? 0) >= 400) throw refusalOf(response.statusCode ?? 0, await bodyOf(response));
    response.setEncoding("utf8");
    let rest = "";
    for await (const chunk of response) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop()!;
      yield* lines;
    }
  }

  #open(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<IncomingMessage> {
    const server = this.#server;
    const text = body === undefined ? null : JSON.stringify(body);
    const all: Record<string, string | number> = {
      ...headers,
      ...(text === null
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      ...("url" in server && server.token !== null ? { authorization: `Bearer ${server.token}` } : {}),
    };
    return new Promise((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException): void =>
        reject(new FarmError(0, unreachable(server, error)));
      const options = { method, headers: all };
      const asked =
        "socket" in server
          ? httpRequest({ ...options, socketPath: server.socket, path }, resolve)
          : (server.url.protocol === "https:" ? httpsRequest : httpRequest)(
              new URL(path, server.url),
              options,
              resolve,
            );
      asked.on("error", failed);
      asked.end(text ?? undefined);
    });
  }
}

function parsed({ body }: Answer): unknown {
  return JSON.parse(body.toString("utf8"));
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What is malformed is the caller's mistake, as a wrong option is. */
function refusalOf(status: number, body: Buffer): Error {
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

function unreachable(server: Server, { code, message }: NodeJS.ErrnoException): string {
  const where = "socket" in server ? server.socket : server.url.origin;
  if (code === "ENOENT" || code === "ECONNREFUSED")
    return `no farm answers at ${where}: start one with \`croft serve\`, or say where it is with --server or --socket`;
  if (code === "EACCES") return `the farm at ${where} is another user's`;
  return `the farm at ${where} cannot be reached: ${message}`;
}
