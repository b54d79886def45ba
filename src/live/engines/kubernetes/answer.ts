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
  const why = causes.map((cause) => messageOf(cause, shown)).join("; ");
  const isOfNetwork = causes.every((cause) => /^E[A-Z]/.test(codeOf(cause)));
  const message =
    isOfNetwork && shown !== undefined ? `the API server${placeOf(shown)} does not answer: ${why}` : why;
  return { ok: false, status: null, reason: "", message, retryAfterSeconds: null };
}

/** What Node and OpenSSL call a certificate that no authority which is known has signed. */
const UNTRUSTED = /^(UNABLE_TO_(VERIFY|GET_ISSUER)|(DEPTH_ZERO_)?SELF_SIGNED|CERT_SIGNATURE_FAILURE)/;

/** Whether a message tells that there was no answer at all. */
export function isSilence(message: string): boolean {
  return /^the API server \S+( of .*)? does not answer: /.test(message);
}

/** Where it is, and who says so. */
function placeOf({ server, origin }: Credentials): string {
  return ` ${server}${origin === undefined ? "" : ` of ${origin.path}`}`;
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}

function messageOf(error: unknown, shown: Credentials | undefined): string {
  if (!(error instanceof Error)) return String(error);
  if (!UNTRUSTED.test(codeOf(error))) return error.message;
  // Node goes on with advice that is of no help here.
  const why = error.message.split(";")[0]!;
  const where = shown?.origin === undefined ? "" : ` of ${shown.origin.path}`;
  return `the API server's certificate is not one of the authority${where}: ${why}. Put the authority that the cluster has now there: it is read by itself`;
}
