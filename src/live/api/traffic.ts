import type { ServerOptions } from "node:http";
import type { Socket } from "node:net";

import type { FastifyReply, FastifyRequest } from "fastify";

import { MOST_BODY_BYTES } from "../limits.ts";
import { Refusal } from "../refusal.ts";

/** What clients may have under way, so that none can fill the service's memory. */
const MIB = 1024 * 1024;
export const MAX_CONNECTIONS = 4000;
/** Requests on one connection that come before the last one is answered: usual clients wait for each answer. */
const MAX_WAITING = 8;
/** Of requests that are being received and answers that are being sent: of one user, and of all. */
const MAX_USER_BYTES = 128 * MIB;
const MAX_BYTES = 512 * MIB;
/** What always passes: refusals are of this size. */
const SMALL_BYTES = 4096;

/** In milliseconds. A request has to be sent to its end in time; what neither sends nor reads is closed. */
export const timeouts = {
  requestTimeout: 120_000,
  // Longer than any answer takes that is waited for.
  connectionTimeout: 180_000,
  keepAliveTimeout: 72_000,
} as const;

export const httpOptions: ServerOptions = { headersTimeout: 20_000, connectionsCheckingInterval: 5000 };

/** Those that say who asks, whom and for what: a proxy may have looked at another one than the farm does. */
const SINGLE: readonly string[] = ["host", "authorization", "origin", "idempotency-key", "content-type"];

/** What one connection has under way. */
interface Connection {
  /** Begin those that wait for the answer of the one before. */
  readonly waiting: (() => void)[];
  isBusy: boolean;
  readonly releases: Set<() => void>;
}

/** Counts what is under way, and refuses more than there may be. */
export class Traffic {
  private readonly connections = new WeakMap<Socket, Connection>();
  private readonly ofUsers = new Map<string, number>();
  private bytes = 0;

  /**
   * Begins a request when those before it on its connection are answered and the answers are read. Where there are too
   * many, the connection is closed and the request is never begun.
   */
  begins({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply, begin: () => void): void {
    const connection = this.connectionOf(socket);
    const { waiting } = connection;
    if (waiting.length >= MAX_WAITING) socket.destroy();
    if (socket.destroyed) return;
    raw.once("close", () => {
      const next = waiting.shift();
      if (next === undefined || socket.destroyed) connection.isBusy = false;
      else next();
    });
    if (connection.isBusy) return void waiting.push(begin);
    connection.isBusy = true;
    begin();
  }

  /** @throws Refusal where a header stands there twice */
  static checkHeaders({ raw: { rawHeaders } }: FastifyRequest): void {
    const seen = new Set<string>();
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]!.toLowerCase();
      if (!SINGLE.includes(name)) continue;
      if (seen.has(name)) throw new Refusal(400, `the header ${name} stands there twice`);
      seen.add(name);
    }
  }

  /** @throws Refusal where there is no room for the request's body */
  receives(request: FastifyRequest, reply: FastifyReply, user: string): void {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    const bytes = encoding === undefined ? Number(length ?? 0) : MOST_BODY_BYTES;
    this.hold(request, reply, user, Math.min(bytes, MOST_BODY_BYTES));
  }

  /** @throws Refusal where there is no room for the answer */
  sends(request: FastifyRequest, reply: FastifyReply, user: string, answer: unknown): void {
    if (typeof answer === "string") this.hold(request, reply, user, Buffer.byteLength(answer));
    else if (answer instanceof Uint8Array) this.hold(request, reply, user, answer.byteLength);
  }

  private hold(request: FastifyRequest, reply: FastifyReply, user: string, bytes: number): void {
    // Of a connection that is closed nothing is sent, and nothing would release it.
    if (bytes <= SMALL_BYTES || request.raw.socket.destroyed) return;
    const before = this.ofUsers.get(user) ?? 0;
    if (before + bytes > MAX_USER_BYTES || this.bytes + bytes > MAX_BYTES)
      throw new Refusal(503, "too much is under way that is not sent or read to its end: try again later");
    this.ofUsers.set(user, before + bytes);
    this.bytes += bytes;
    const { releases } = this.connectionOf(request.raw.socket);
    const release = (): void => {
      if (!releases.delete(release)) return;
      this.bytes -= bytes;
      const left = this.ofUsers.get(user)! - bytes;
      if (left === 0) this.ofUsers.delete(user);
      else this.ofUsers.set(user, left);
    };
    releases.add(release);
    reply.raw.once("close", release);
  }

  private connectionOf(socket: Socket): Connection {
    const known = this.connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { waiting: [], isBusy: false, releases: new Set() };
    this.connections.set(socket, connection);
    // An answer that waits behind another one is not told that the connection is closed.
    socket.once("close", () => {
      for (const release of connection.releases) release();
    });
    return connection;
  }
}
