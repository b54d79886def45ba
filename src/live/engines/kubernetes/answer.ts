import type { IncomingMessage } from "node:http";

import type { ApiAnswer, ApiFailure } from "./connection.ts";
import type { Credentials } from "./credentials.ts";

/** Tells what is to be renewed. */
export function withOrigin(failure: ApiFailure, { origin }: Credentials): ApiFailure {
  if (origin === undefined) return failure;
  return {
    ...failure,
    message: `${failure.message}: ${origin.what} is wrong or has expired. To renew it, ${origin.renewal}`,
  };
}

export function answerOf({ statusCode, headers }: IncomingMessage, text: string): ApiAnswer {
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

/** There is nothing to be shown to the server, such as a token that a program would not print: as if it had refused it. */
export function unshown(error: unknown): ApiFailure {
  return { ...noAnswer(error), status: 401 };
}

export function noAnswer(error: unknown, shown?: Credentials): ApiFailure {
  // Node tries each address of a name, and puts what happened into one error without a message.
  const causes = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const message = causes.map((cause) => messageOf(cause, shown)).join("; ");
  return { ok: false, status: null, reason: "", message, retryAfterSeconds: null };
}

/** What Node and OpenSSL call a certificate that no authority which is known has signed. */
const UNTRUSTED = /^(UNABLE_TO_(VERIFY|GET_ISSUER)|(DEPTH_ZERO_)?SELF_SIGNED|CERT_SIGNATURE_FAILURE)/;

function messageOf(error: unknown, shown: Credentials | undefined): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !UNTRUSTED.test(code)) return error.message;
  // Node goes on with advice that is of no help here.
  const why = error.message.split(";")[0]!;
  const where = shown?.origin === undefined ? "" : ` of ${shown.origin.path}`;
  return `the API server's certificate is not one of the authority${where}: ${why}. Put the authority that the cluster has now there: it is read by itself`;
}
