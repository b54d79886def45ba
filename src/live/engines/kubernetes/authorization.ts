import type { Clock } from "../system/clock.ts";
import type { Reachability } from "../reachability.ts";
import type { ApiFailure, StoppableConnection } from "./connection.ts";

const ASKED_SECONDS = { first: 1, longest: 15 };

/**
 * A connection of a pool that is told when its credentials are refused, and when they are taken again. Watches that
 * stand go on with a token that has expired since, so nothing else would tell either for minutes.
 *
 * @param path what it may ask for
 */
export function authorized(
  connection: StoppableConnection,
  path: () => string,
  clock: Clock,
  reachability: Reachability,
): StoppableConnection {
  let cancel: (() => void) | null = null;
  let isClosed = false;
  const take = (failure: ApiFailure | null): void => {
    if (failure?.status === 401) {
      reachability.setProblem("credentials", `its API server refuses the credentials: ${failure.message}`);
      if (cancel === null && !isClosed) askIn(ASKED_SECONDS.first);
    } else if (failure === null || isOfKnown(failure)) reachability.clearProblem("credentials");
  };
  const askIn = (seconds: number): void => {
    cancel = clock.after(seconds, () => void ask(seconds));
  };
  const ask = async (seconds: number): Promise<void> => {
    const answer = await connection.call({ method: "GET", path: path(), query: { limit: 1 } });
    if (isClosed) return;
    const isRefused = !answer.ok && !isOfKnown(answer);
    if (isRefused) return askIn(Math.min(ASKED_SECONDS.longest, seconds * 2));
    cancel = null;
    take(null);
  };
  return {
    async call(request) {
      const answer = await connection.call(request);
      take(answer.ok ? null : answer);
      return answer;
    },
    follow(where, query, began, receive, ended) {
      return connection.follow(
        where,
        query,
        () => {
          take(null);
          began();
        },
        receive,
        (failure) => {
          if (failure !== null) take(failure);
          ended(failure);
        },
      );
    },
    stopAsking() {
      connection.stopAsking();
    },
    close() {
      isClosed = true;
      cancel?.();
      connection.close();
    },
  };
}

/** Whether an answer is one to somebody who is known: what is in front of a server may say other things. */
function isOfKnown({ status }: ApiFailure): boolean {
  return status !== null && status !== 401 && status !== 429 && status < 500;
}
