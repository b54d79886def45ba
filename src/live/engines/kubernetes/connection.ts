import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

import type { Credentials } from "./credentials.ts";

/** An API server, as the engine sees it. */
export interface Connection {
  /** Never rejects. */
  call(request: ApiRequest): Promise<ApiAnswer>;
  /**
   * Reads a long answer as it comes. `began` is called when the server has agreed, `ended` once, with null where the
   * server ended it in order. While a promise of `receive` stands, no more is read. The function that it returns stops it; then none of them is called any more.
   */
  follow(
    path: string,
    query: Query,
    began: () => void,
    receive: (bytes: Uint8Array) => void | Promise<void>,
    ended: (failure: ApiFailure | null) => void,
  ): () => void;
  close(): void;
}

export type Query = Readonly<Record<string, string | number | boolean>>;

export interface ApiRequest {
  /** The body of a PATCH is merged as the API's kinds say: lists of conditions by their type. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
}

export type ApiAnswer = { readonly ok: true; readonly value: unknown } | ApiFailure;

export interface ApiFailure {
  readonly ok: false;
  /** Null: there was no answer. What was asked for may have been done. */
  readonly status: number | null;
  /** The API's word for it, such as `AlreadyExists`; empty where it gave none. */
  readonly reason: string;
  readonly message: string;
  /** How long the server wants to be left alone. */
  readonly retryAfterSeconds: number | null;
}

/** Whether the same request may well succeed later. */
export function isPassing({ status }: ApiFailure): boolean {
  return status === null || status === 429 || status >= 500;
}

const ANSWER_LIMIT_BYTES = 64 * 1024 * 1024;
const ANSWER_SECONDS = 30;
/** Requests at a time, since an API server counts them: more than there are binds, so that those never keep a lease waiting. */
const MAX_REQUESTS = 24;

/** Connects to the API server that the credentials name. They are asked for anew for each request, since tokens expire. */
export function connect(credentials: () => Promise<Credentials>): Connection {
  const calls = agents(MAX_REQUESTS);
  const streams = agents(Infinity);
  const open = async (
    pool: Agents,
    method: string,
    path: string,
    query: Query,
    body: string | null,
  ): Promise<{ response: Promise<IncomingMessage>; abort: (error?: Error) => void }> => {
    const { server, tls, headers } = await credentials();
    const url = new URL(server.replace(/\/+$/, "") + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const isPlain = url.protocol === "http:";
    const contentType = method === "PATCH" ? "application/strategic-merge-patch+json" : "application/json";
    const options: RequestOptions = {
      method,
      headers: {
        accept: "application/json, */*",
        "user-agent": "croft",
        ...headers,
        ...(body === null ? {} : { "content-type": contentType, "content-length": Buffer.byteLength(body) }),
      },
      agent: isPlain ? pool.http : pool.https,
      ...(isPlain ? {} : tls),
    };
    const sent = (isPlain ? httpRequest : httpsRequest)(url, options);
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      sent.on("response", (answer) => {
        // One that is not read any more may still fail.
        answer.on("error", () => undefined);
        resolve(answer);
      });
      sent.on("error", reject);
    });
    sent.end(body ?? undefined);
    return { response, abort: (error) => void sent.destroy(error) };
  };

  return {
    async call({ method, path, query = {}, body }) {
      let abort: (error?: Error) => void = () => undefined;
      const timer = setTimeout(
        () => abort(new Error(`no answer within ${ANSWER_SECONDS} s`)),
        ANSWER_SECONDS * 1000,
      );
      try {
        const sent = await open(calls, method, path, query, body === undefined ? null : JSON.stringify(body));
        abort = sent.abort;
        const response = await sent.response;
        return answerOf(response, await wholeText(response));
      } catch (error) {
        return noAnswer(error);
      } finally {
        clearTimeout(timer);
      }
    },

    follow(path, query, began, receive, ended) {
      let isOver = false;
      let abort: () => void = () => undefined;
      const end = (failure: ApiFailure | null): void => {
        if (isOver) return;
        isOver = true;
        ended(failure);
      };
      const read = async (): Promise<void> => {
        const sent = await open(streams, "GET", path, query, null);
        abort = () => sent.abort();
        if (isOver) return abort();
        const response = await sent.response;
        if (response.statusCode !== 200) {
          const answer = answerOf(response, await wholeText(response));
          return end(answer.ok ? null : answer);
        }
        if (isOver) return;
        began();
        for await (const piece of response) {
          if (isOver) return;
          await receive(piece as Buffer);
        }
        end(null);
      };
      read().catch((error: unknown) => end(noAnswer(error)));
      return () => {
        isOver = true;
        // Without an error, which nothing would hear once the server has ended the answer.
        abort();
      };
    },

    close() {
      for (const { http, https } of [calls, streams]) {
        http.destroy();
        https.destroy();
      }
    },
  };
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

function agents(maxSockets: number): Agents {
  const options = { keepAlive: true, maxSockets };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

async function wholeText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response) {
    bytes += (piece as Buffer).length;
    if (bytes > ANSWER_LIMIT_BYTES) throw new Error(`an answer of more than ${ANSWER_LIMIT_BYTES} bytes`);
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString();
}

function answerOf({ statusCode, headers }: IncomingMessage, text: string): ApiAnswer {
  const status = statusCode ?? 0;
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    if (status < 300) return { ...noAnswer(new Error("an answer that is no JSON")), status: 502 };
  }
  if (status >= 200 && status < 300)
    return isObjectOfApi(value)
      ? { ok: true, value }
      : { ...noAnswer(new Error("an answer that is no object of the API")), status: 502 };
  const { reason, message } = (value ?? {}) as { reason?: unknown; message?: unknown };
  const wait = Number(headers["retry-after"]);
  return {
    ok: false,
    status,
    reason: typeof reason === "string" ? reason : "",
    message: typeof message === "string" ? message : `the API server answers with ${status}`,
    retryAfterSeconds: Number.isFinite(wait) ? wait : null,
  };
}

/** Every object and list of the API has metadata; what tells its version has none. Something in between may send anything. */
function isObjectOfApi(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { metadata, gitVersion } = value as { metadata?: unknown; gitVersion?: unknown };
  return (typeof metadata === "object" && metadata !== null) || typeof gitVersion === "string";
}

function noAnswer(error: unknown): ApiFailure {
  // Node tries each address of a name, and puts what happened into one error without a message.
  const causes = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const message = causes.map((cause) => (cause instanceof Error ? cause.message : String(cause))).join("; ");
  return { ok: false, status: null, reason: "", message, retryAfterSeconds: null };
}
