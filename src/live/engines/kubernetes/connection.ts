import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

import { answerOf, noAnswer, unshown, withOrigin } from "./answer.ts";
import type { Credentials, CredentialSource } from "./credentials.ts";

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

/** One whose owner closes, and waits for no answer. */
export interface StoppableConnection extends Connection {
  /** Ends requests that only ask (GET), and makes no more of them: they end as if the server had not answered. */
  stopAsking(): void;
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

/** Whether the API server does not know who asks: that says nothing of what was asked for. */
export function isUnauthorized({ status }: ApiFailure): boolean {
  return status === 401;
}

const ANSWER_LIMIT_BYTES = 64 * 1024 * 1024;
const ANSWER_SECONDS = 30;
const NO_MORE = "its engine is closed";
/** Requests at a time, since an API server counts them: more than there are binds, so that those never keep a lease waiting. */
const MAX_REQUESTS = 24;

/** Connects to the API server that the credentials name. They are asked for anew for each request, since tokens expire. */
export function connect(credentials: CredentialSource): StoppableConnection {
  const calls = agents(MAX_REQUESTS);
  const streams = agents(Infinity);
  const open = (
    pool: Agents,
    method: string,
    path: string,
    query: Query,
    body: string | null,
    { server, tls, headers }: Credentials,
  ): { response: Promise<IncomingMessage>; abort: (error?: Error) => void } => {
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

  const asking = new Set<(error: Error) => void>();
  let asksNoMore = false;
  let isClosed = false;
  const ask = async ({ method, path, query = {}, body }: ApiRequest, by: Credentials): Promise<ApiAnswer> => {
    const text = body === undefined ? null : JSON.stringify(body);
    if (isClosed || (method === "GET" && asksNoMore)) throw new Error(NO_MORE);
    const { response, abort } = open(calls, method, path, query, text, by);
    const timer = setTimeout(
      () => abort(Object.assign(new Error(`nothing within ${ANSWER_SECONDS} s`), { code: "ETIMEDOUT" })),
      ANSWER_SECONDS * 1000,
    );
    if (method === "GET") asking.add(abort);
    try {
      const answer = await response;
      return answerOf(answer, await wholeText(answer));
    } finally {
      clearTimeout(timer);
      asking.delete(abort);
    }
  };

  /** Where the server is, and whose certificate it has, may have been written anew. The next request goes by that. */
  const lookAnew = async (): Promise<void> => {
    if (!isClosed && !asksNoMore) await credentials("unreached").catch(() => undefined);
  };

  return {
    async call(request) {
      let shown: Credentials;
      try {
        shown = await credentials();
      } catch (error) {
        return unshown(error);
      }
      try {
        const answer = await ask(request, shown);
        if (answer.ok || !isUnauthorized(answer)) return answer;
        const renewed = await credentials("refused").catch(() => shown);
        if (isSame(shown, renewed)) return withOrigin(answer, shown);
        const again = await ask(request, renewed);
        return again.ok || !isUnauthorized(again) ? again : withOrigin(again, renewed);
      } catch (error) {
        await lookAnew();
        return noAnswer(error, shown);
      }
    },

    follow(path, query, began, receive, ended) {
      let isOver = false;
      let abort: () => void = () => undefined;
      let shown: Credentials | undefined;
      const end = (failure: ApiFailure | null): void => {
        if (isOver) return;
        isOver = true;
        ended(failure);
      };
      const read = async (): Promise<void> => {
        let by: Credentials;
        try {
          shown = by = await credentials();
        } catch (error) {
          return end(unshown(error));
        }
        if (isOver) return;
        const sent = open(streams, "GET", path, query, null, by);
        abort = () => sent.abort();
        const response = await sent.response;
        if (response.statusCode !== 200) {
          const answer = answerOf(response, await wholeText(response));
          if (answer.ok) return end(null);
          if (!isUnauthorized(answer)) return end(answer);
          // The next one is asked for with what is there by then.
          await credentials("refused").catch(() => by);
          return end(withOrigin(answer, by));
        }
        if (isOver) return;
        began();
        for await (const piece of response) {
          if (isOver) return;
          await receive(piece as Buffer);
        }
        end(null);
      };
      read().catch(async (error: unknown) => {
        if (!isOver) await lookAnew();
        end(noAnswer(error, shown));
      });
      return () => {
        isOver = true;
        // Without an error, which nothing would hear once the server has ended the answer.
        abort();
      };
    },

    stopAsking() {
      asksNoMore = true;
      for (const abort of asking) abort(new Error(NO_MORE));
    },

    close() {
      isClosed = true;
      for (const { http, https } of [calls, streams]) {
        http.destroy();
        https.destroy();
      }
    },
  };
}

function isSame(one: Credentials, other: Credentials): boolean {
  return (
    one.headers["authorization"] === other.headers["authorization"] &&
    one.tls.cert === other.tls.cert &&
    one.tls.key === other.tls.key
  );
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
