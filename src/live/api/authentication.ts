import type { Socket } from "node:net";
import { hostname } from "node:os";

import type { FastifyRequest } from "fastify";

import { Refusal } from "../refusal.ts";
import type { Database } from "../store/database.ts";
import { identityOf } from "../store/tokens.ts";
import type { Identity } from "../identity.ts";
import { Rates } from "./rates.ts";

/**
 * Identifies requests over sockets: whoever may open the farm's own is its owner.
 *
 * @param userOf who has come by a socket of his own; null: by the farm's
 */
export function socketDoor(
  owner: Identity,
  userOf: (connection: Socket) => Identity | null,
): (request: FastifyRequest) => Identity {
  const requests = new Rates(REQUESTS_BURST, REQUESTS_PER_SECOND);
  return ({ headers, raw }) => {
    // A web page cannot open a socket, so a request with an origin was forwarded by something, and is refused.
    if (headers.origin !== undefined) throw new Refusal(403, "requests of web pages are not taken here");
    const user = userOf(raw.socket);
    if (user !== null) refuseMany(requests, user);
    return user ?? owner;
  };
}

/** The requests of one user: more than a person or a script needs, but not enough to block others. */
const REQUESTS_BURST = 2000;
const REQUESTS_PER_SECOND = 500;
/** Wrong tokens from one address. */
const FAILURES_BURST = 20;
const FAILURES_PER_SECOND = 1;

/** Whether the token of a request that was identified is still valid. */
export function tokenStands(database: Database): (request: FastifyRequest) => boolean {
  return ({ headers }) => identityOf(database, tokenOf(headers) ?? "", Date.now() / 1000) !== null;
}

function tokenOf({ authorization = "" }: FastifyRequest["headers"]): string | undefined {
  return /^Bearer (\S{1,200})$/i.exec(authorization)?.[1];
}

/**
 * Identifies requests over TCP by their tokens.
 *
 * @param names under which the farm may be asked, beside this machine's own
 */
export function tokenDoor(
  database: Database,
  host: string,
  names: readonly string[],
): (request: FastifyRequest) => Identity {
  const known = new Set(
    ["localhost", "127.0.0.1", "[::1]", hostname(), host, ...names].map((name) => name.toLowerCase()),
  );
  const requests = new Rates(REQUESTS_BURST, REQUESTS_PER_SECOND);
  const failures = new Rates(FAILURES_BURST, FAILURES_PER_SECOND);
  return (request) => {
    const seconds = performance.now() / 1000;
    const { headers, ip } = request;
    // Refuses unknown host names: an attacker's name could resolve to this machine (DNS rebinding), so that a browser
    // takes the farm for the server of the attacker's page.
    if (!known.has(nameOf(headers.host ?? "")))
      throw new Refusal(
        403,
        `this farm is not ${JSON.stringify((headers.host ?? "").slice(0, 100))}: ask it by its name, or allow the name with --public-name`,
      );
    if (headers.origin !== undefined && !known.has(nameOf(headers.origin.replace(/^https?:\/\//, ""))))
      throw new Refusal(403, "requests of other sites' web pages are not taken here");
    const token = tokenOf(headers);
    const identity = token === undefined ? null : identityOf(database, token, Date.now() / 1000);
    if (identity === null) {
      if (token !== undefined && failures.isAbove(ip, seconds))
        throw new Refusal(429, "too many wrong tokens came from there: wait a little");
      throw new Refusal(
        401,
        token === undefined
          ? "a token is needed: CROFT_TOKEN, or the header Authorization: Bearer …"
          : "the token is not valid, or not any more",
      );
    }
    refuseMany(requests, identity);
    return identity;
  };
}

function refuseMany(requests: Rates, { user }: Identity): void {
  if (requests.isAbove(user, performance.now() / 1000))
    throw new Refusal(
      429,
      `more than ${REQUESTS_PER_SECOND} requests a second of one user: wait a little, or send lists`,
    );
}

/** Without the port. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "");
}
