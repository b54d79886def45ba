import type { Readable } from "node:stream";

import type { Role, Identity } from "../identity.ts";
import type { ServiceHandle } from "./service-handle.ts";

/** One thing that a client can ask for. The table of all of them is `routes.ts`. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE" | "PUT";
  readonly path: string;
  /** What it does, in a sentence: the OpenAPI document has it. */
  readonly summary: string;
  /** The least role that may ask for it. */
  readonly role: Role;
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  /** Whether a second request with the same `Idempotency-Key` makes nothing new. */
  readonly takesKey?: true;
  /** What is answered with status 200: a schema for each type of content that the answer may have. */
  readonly answers: Readonly<Record<string, object>>;
  /** What headers of the answer say, by their names. */
  readonly answerHeaders?: Readonly<Record<string, object>>;
  readonly handle: (asked: Asked, farm: ServiceHandle) => unknown;
}

/** A request that has passed its schemas. */
export interface Asked {
  readonly identity: Identity;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** `Idempotency-Key`; null: none. */
  readonly key: string | null;
  /** The number of the last event that a follower has seen; null: it says nothing. */
  readonly lastEvent: number | null;
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal;
  /** For an answer that takes long. @throws Refusal where the client's token is not valid any more */
  readonly checkAgain: () => void;
}

/** An answer that is not sent as JSON. */
export class Raw {
  readonly type: string;
  readonly content: Uint8Array | string | Readable;
  readonly headers: Readonly<Record<string, string>>;

  constructor(type: string, content: Raw["content"], headers: Readonly<Record<string, string>> = {}) {
    this.type = type;
    this.content = content;
    this.headers = headers;
  }
}

/** JSON that is text already. */
export function asJson(text: Uint8Array): Raw {
  return new Raw("application/json; charset=utf-8", text);
}
