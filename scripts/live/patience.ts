/** Every wait of a trial ends, and says what it was for. */
import { setTimeout as pause } from "node:timers/promises";

/** What takes longer never comes: on a machine with sixty processes that want to run a service starts in a minute. */
const PATIENCE_MINUTES = 10;
const POLL_MILLISECONDS = 20;

/** Something does not come: the service does not start, a job comes to no end. */
export class Wedged extends Error {}

/**
 * Says each minute what is waited for.
 *
 * @throws Wedged where it does not come
 */
export async function within<T>(what: string, work: Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const late = (async (): Promise<never> => {
    for (let minutes = 1; ; minutes++) {
      await pause(60_000, null, { signal: waiting.signal });
      if (minutes === PATIENCE_MINUTES) throw new Wedged(`not within ${PATIENCE_MINUTES} min: ${what}`);
      process.stderr.write(`still waiting after ${minutes} min: ${what}\n`);
    }
  })();
  late.catch(() => undefined);
  return Promise.race([work, late]).finally(() => waiting.abort());
}

/**
 * Looks again until there is something.
 *
 * @param look null: not yet
 * @throws Wedged where it does not come
 */
export async function until<T>(what: string, look: () => Promise<T | null> | T | null): Promise<T> {
  let isOver = false;
  const poll = async (): Promise<T> => {
    for (;;) {
      const found = await look();
      if (found !== null) return found;
      if (isOver) throw new Wedged(what);
      await pause(POLL_MILLISECONDS);
    }
  };
  return within(what, poll()).finally(() => (isOver = true));
}
