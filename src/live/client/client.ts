import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { setTimeout as pause } from "node:timers/promises";

import { InputError } from "../../workload/errors.ts";
import { defaultSocket } from "./places.ts";
import { strangerAtSocket } from "./strangers.ts";

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

/** The connection broke before there was an answer: what was asked may have been done. */
class LostAnswer extends FarmError {}

export interface ClientOptions {
  /** Tells a person why nothing happens. */
  readonly say?: (text: string) => void;
  /** How long an answer may take before that is said. */
  readonly patienceSeconds?: number;
}

const PATIENCE_SECONDS = 5;
/** Between two questions to a farm that is gone: it may be started again. */
const RETRY_SECONDS = 1;
/** How long a farm that was lost is asked again. */
const LOST_SECONDS = 60;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A farm as a client has it. */
export class Client {
  private readonly server: Server;
  private readonly say: (text: string) => void;
  private readonly patienceSeconds: number;
  private serverMilliseconds: number | null = null;

  constructor(server: Server, { say, patienceSeconds = PATIENCE_SECONDS }: ClientOptions = {}) {
    this.server = server;
    this.say = say ?? (() => undefined);
    this.patienceSeconds = patienceSeconds;
  }

  /** The farm's time, from its last answer: a simulated farm has a time of its own. */
  get unixMilliseconds(): number {
    return this.serverMilliseconds ?? Date.now();
  }

  /** @param takesSeconds how long the answer may take in good order */
  async get<Result>(path: string, takesSeconds = 0): Promise<Result> {
    return parsed(await this.patiently(takesSeconds, () => this.ask("GET", path))) as Result;
  }

  /**
   * Sends what must not be done twice. It has a key, and is sent again with the same one if the connection breaks before
   * the answer has come: the farm then answers what it answered before.
   *
   * @param key null: a new one
   */
  async sendOnce<Result>(path: string, body: unknown, key: string | null): Promise<Result> {
    const headers = { "idempotency-key": key ?? randomUUID() };
    const until = performance.now() + LOST_SECONDS * 1000;
    for (let isLost = false; ;) {
      try {
        return await this.send<Result>("POST", path, body, headers);
      } catch (error) {
        if (!(error instanceof FarmError)) throw error;
        if (error instanceof LostAnswer && !isLost) {
          isLost = true;
          this.say("the connection broke before the answer came: asking again, for the same jobs");
        }
        // Before that the farm has not taken it. Afterwards it may have, and only an answer tells.
        const isOpen = error.status === 0 || error.status === 503;
        if (!isLost || !isOpen) throw error;
        if (performance.now() > until)
          throw new FarmError(
            error.status,
            `${error.message}; the jobs may have been taken before the connection broke: \`croft jobs\` tells`,
          );
        await pause(RETRY_SECONDS * 1000);
      }
    }
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
  raw(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return this.patiently(0, () => this.ask(method, path, body, headers));
  }

  /** Says so where an answer takes long. */
  private async patiently(takesSeconds: number, ask: () => Promise<Answer>): Promise<Answer> {
    let isOver = false;
    const timer = setTimeout(
      () => {
        void this.whyItTakesLong().then((text) => {
          if (!isOver) this.say(text);
        });
      },
      (takesSeconds + this.patienceSeconds) * 1000,
    );
    try {
      return await ask();
    } finally {
      isOver = true;
      clearTimeout(timer);
    }
  }

  private async whyItTakesLong(): Promise<string> {
    const isSilent = pause(this.patienceSeconds * 1000, null, { ref: false });
    const ready = await Promise.race([this.answer("GET", "/ready"), isSilent]).catch(() => null);
    if (ready === null) return "the farm does not answer: still waiting";
    if (ready.status === 200) return "the farm takes long to answer: still waiting";
    const { status } = parsed(ready) as { status?: unknown };
    return `the farm can write nothing at present (${String(status)}): waiting until it can`;
  }

  private async ask(...asked: Parameters<Client["raw"]>): Promise<Answer> {
    const answer = await this.answer(...asked);
    if (answer.status >= 400) throw refusalOf(answer.status, answer.body);
    return answer;
  }

  private async answer(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await this.open(method, path, body, headers);
    const time = Date.parse(String(response.headers["croft-time"]));
    if (Number.isFinite(time)) this.serverMilliseconds = time;
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await bodyOf(response).catch((error: NodeJS.ErrnoException) => {
        throw unreachable(this.server, error);
      }),
    };
  }

  /** The lines of an answer that goes on. */
  async *lines(path: string): AsyncGenerator<string> {
    const response = await this.open("GET", path, undefined, {});
    if ((response.statusCode ?? 0) >= 400) throw refusalOf(response.statusCode ?? 0, await bodyOf(response));
    response.setEncoding("utf8");
    let rest = "";
    for await (const chunk of response) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop()!;
      yield* lines;
    }
  }

  private open(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<IncomingMessage> {
    const server = this.server;
    const text = body === undefined ? null : JSON.stringify(body);
    const all: Record<string, string | number> = {
      ...headers,
      ...(text === null
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      ...("url" in server && server.token !== null ? { authorization: `Bearer ${server.token}` } : {}),
    };
    return new Promise((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException): void => reject(unreachable(server, error));
      if ("socket" in server) refuseStrangers(server);
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

/** Whoever listens at the socket is sent the environment of jobs. */
function refuseStrangers(server: Extract<Server, { socket: string }>): void {
  try {
    // What is not there yet is not waited for: somebody else could be the first to make it.
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

const BROKEN: readonly (string | undefined)[] = ["ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNABORTED"];

function unreachable(server: Server, { code, message }: NodeJS.ErrnoException): FarmError {
  const where = "socket" in server ? server.socket : server.url.origin;
  if (code === "ENOENT" || code === "ECONNREFUSED")
    return new FarmError(
      0,
      `no farm answers at ${where}: start one with \`croft serve\`, or say where it is with --server or --socket`,
    );
  if (code === "EACCES") return new FarmError(0, `the farm at ${where} is another user's`);
  if (BROKEN.includes(code))
    return new LostAnswer(0, `the connection to the farm at ${where} broke: ${message}`);
  return new FarmError(0, `the farm at ${where} cannot be reached: ${message}`);
}
