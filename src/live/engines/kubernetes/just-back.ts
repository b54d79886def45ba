import type { Clock } from "../system/clock.ts";
import type { ApiAnswer, ApiFailure, Connection } from "./connection.ts";
import { isOfRights } from "./missing-right.ts";

/** An API server that starts has read its roles long before. */
const ROLES_SECONDS = 15;

/**
 * A connection to an API server that may be started anew. Until such a one has read its roles it forbids everything: that
 * is told as what passes, since no right is missing.
 */
export function forgivingStarts<Kind extends Connection>(connection: Kind, clock: Clock): Kind {
  let awayAt = -Infinity;
  const heard = <Answer extends ApiAnswer | null>(answer: Answer): Answer | ApiFailure => {
    if (answer === null || answer.ok) return answer;
    const now = clock.monotonicSeconds();
    if (answer.status === null || answer.status >= 500) awayAt = now;
    if (answer.status !== 403 || !isOfRights(answer.message) || now >= awayAt + ROLES_SECONDS) return answer;
    return {
      ...answer,
      status: 503,
      message:
        "the API server was away a moment ago, and forbids this: perhaps it has not read its roles yet",
    };
  };
  return {
    ...connection,
    call: async (request) => heard(await connection.call(request)),
    follow: (path, query, began, receive, ended) =>
      connection.follow(path, query, began, receive, (failure) => ended(heard(failure))),
  };
}
