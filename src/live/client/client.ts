import { randomUUID } from "node:crypto";
import type { IncomingMessage, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

import { InputError } from "../../workload/errors.ts";
import { refusalOf, refuseStrangers, unreachable } from "./failures.ts";
import { FarmError, LostAnswer, NoAnswer } from "./farm-error.ts";
import { usersSocket, type Server } from "./places.ts";

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
  return { socket: flags.socket ?? (environment["CROFT_SOCKET"] || usersSocket(environment)) };
}

export interface ClientOptions {
  /** Tells a person why nothing happens. */
  readonly say?: (text: string) => void;
  /** How long an answer may take before that is said. */
  readonly patienceSeconds?: number;
}

const PATIENCE_SECONDS = 5;
/** Between two questions to a farm that is gone: it may be started again. */
const RETRY_SECONDS = 1;
/** How long a farm that was lost, or that may be starting again, is asked again. */
const LOST_SECONDS = 60;
/** How long where there is no socket: a farm that stops takes its own away, and few are without it for longer. */
const SHORT_SECONDS = 5;
/** How long those that wait and follow ask it again. */
const AWAY_SECONDS = 600;
const LONGEST_PAUSE_SECONDS = 5;
/** Of a service that stops, or of a proxy in front of one that is away. */
const AWAY: readonly number[] = [502, 503, 504];

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
  private wasThere = false;
  /** Whether `insist` has said so. */
  private isAway = false;
  private away = 0;

  constructor(server: Server, { say, patienceSeconds = PATIENCE_SECONDS }: ClientOptions = {}) {
    this.server = server;
    this.say = say ?? (() => undefined);
    this.patienceSeconds = patienceSeconds;
  }

  /** The farm's time, from its last answer: a simulated farm has a time of its own. */
  get unixMilliseconds(): number {
    return this.serverMilliseconds ?? Date.now();
  }

  /** How long `insist` has waited for it in all, while it was away. */
  get awaySeconds(): number {
    return this.away;
  }

  /** @param takesSeconds how long the answer may take in good order */
  async get<Result>(path: string, takesSeconds = 0): Promise<Result> {
    return parsed(await this.patiently(takesSeconds, () => this.ask("GET", path))) as Result;
  }

  /**
   * Sends what must not be done twice. It has a key, and is sent again with the same one if the connection breaks before
   * the answer has come: the farm then answers what it answered before. A farm that may be starting again is waited for.
   *
   * @param key null: a new one
   */
  async sendOnce<Result>(path: string, body: unknown, key: string | null): Promise<Result> {
    const headers = { "idempotency-key": key ?? randomUUID() };
    const begin = performance.now();
    const until = begin + LOST_SECONDS * 1000;
    let isTold = false;
    let seconds = 0;
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
        if (!isLost && error instanceof NoAnswer) {
          // A socket that was there is made anew by a farm that starts: it is gone for a moment.
          seconds = Math.max(
            seconds,
            { socket: LOST_SECONDS, folder: SHORT_SECONDS, not: 0 }[error.wasThere],
          );
          const past = (performance.now() - begin) / 1000;
          if (past >= seconds) throw error;
          if (past >= this.patienceSeconds && !isTold) {
            isTold = true;
            this.say(
              `the farm does not answer: asking it again for ${seconds} s, since it may be starting again`,
            );
          }
          await pause(RETRY_SECONDS * 1000);
          continue;
        }
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

  /**
   * Asks again while a farm that was there before is away: it may be started again, and jobs run on meanwhile.
   *
   * @throws FarmError when it has been away for `AWAY_SECONDS`
   */
  async insist<Result>(ask: () => Promise<Result>): Promise<Result> {
    let until: number | null = null;
    for (let seconds = 0.25; ; seconds = Math.min(LONGEST_PAUSE_SECONDS, 2 * seconds)) {
      const begun = performance.now();
      try {
        const result = await ask();
        this.isAway = false;
        return result;
      } catch (error) {
        const isAway =
          error instanceof LostAnswer ||
          error instanceof NoAnswer ||
          (error instanceof FarmError && AWAY.includes(error.status));
        // A connection that breaks was one with a farm.
        if (error instanceof LostAnswer) this.wasThere = true;
        if (!isAway || !this.wasThere) throw error;
        const now = performance.now();
        // Of several at a time, as of both streams of a job, the first says so.
        if (until === null && !this.isAway)
          this.say(`the farm is away: asking it again for ${AWAY_SECONDS / 60} minutes (${error.message})`);
        this.isAway = true;
        until ??= now + AWAY_SECONDS * 1000;
        if (now > until)
          throw new FarmError(
            error.status,
            `the farm has been away for ${AWAY_SECONDS / 60} minutes: ${error.message}`,
          );
        await pause(seconds * 1000);
        this.away += (performance.now() - begun) / 1000;
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

  /** The farm's time now, in milliseconds. */
  async time(): Promise<number> {
    await this.patiently(0, () => this.answer("GET", "/ready"));
    return this.unixMilliseconds;
  }

  /** Why the farm can write nothing, and so takes nothing; null: it can. */
  async writeError(): Promise<string | null> {
    const ready = await this.answer("GET", "/ready");
    if (ready.status === 200) return null;
    const { status } = parsed(ready) as { status?: unknown };
    return String(status);
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
    this.wasThere = true;
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

  /**
   * The lines of an answer that goes on.
   *
   * @throws FarmError when it ends: the farm stops, or the connection breaks
   */
  async *lines(path: string): AsyncGenerator<string, never> {
    const response = await this.open("GET", path, undefined, {});
    if ((response.statusCode ?? 0) >= 400) throw refusalOf(response.statusCode ?? 0, await bodyOf(response));
    this.wasThere = true;
    response.setEncoding("utf8");
    let rest = "";
    try {
      for await (const chunk of response) {
        const lines = (rest + String(chunk)).split("\n");
        rest = lines.pop()!;
        yield* lines;
      }
    } catch (error) {
      throw unreachable(this.server, error as NodeJS.ErrnoException);
    }
    throw new LostAnswer(503, "the farm is stopping: jobs run on");
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
          ? requestOf("node:http")({ ...options, socketPath: server.socket, path }, resolve)
          : requestOf(server.url.protocol === "https:" ? "node:https" : "node:http")(
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

/**
 * Not an import: that would evaluate all exports of node:http, and among them WebSocket, which loads undici and HTTP/2.
 * These took about as long as all else that a command needs to start.
 */
function requestOf(module: "node:http" | "node:https"): typeof request {
  return process.getBuiltinModule(module).request;
}
