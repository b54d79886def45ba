import type { Stood } from "../engines/engine.ts";
import type { LiveAttempt } from "./books.ts";
import { inAttempt } from "./times-in-order.ts";
import type { Turn } from "./turn.ts";

/** What the books have is left as it is where an engine says hardly another time: clocks are adjusted now and then. */
const SAME_SECONDS = 0.5;

/**
 * Notes that an attempt stands still from now on, or does not any more: what it runs is without that. To say it again
 * changes nothing.
 *
 * @param at in seconds since 1970
 */
export function stands(turn: Turn, attempt: LiveAttempt, isStill: boolean, at = turn.unixSeconds): void {
  const since = attempt.suspendedAt;
  if (isStill === (since !== null)) return;
  // The wall clock may have been set back.
  if (since !== null) attempt.suspendedSeconds += Math.max(0, at - since);
  attempt.suspendedAt = isStill ? inAttempt(attempt, at) : null;
  turn.changedAttempt(attempt);
}

/** As its engine knows it, from whom it may have been heard late, or not at all: no service was there. */
export function hasStood(turn: Turn, attempt: LiveAttempt, { seconds, sinceUnixSeconds }: Stood): void {
  const { suspendedAt, suspendedSeconds } = attempt;
  const since = sinceUnixSeconds === null ? null : inAttempt(attempt, sinceUnixSeconds);
  const isSameTime =
    since === null || suspendedAt === null
      ? since === suspendedAt
      : Math.abs(since - suspendedAt) < SAME_SECONDS;
  if (isSameTime && Math.abs(seconds - suspendedSeconds) < SAME_SECONDS) return;
  attempt.suspendedSeconds = seconds;
  attempt.suspendedAt = since;
  turn.changedAttempt(attempt);
}
