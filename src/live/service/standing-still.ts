import type { LiveAttempt } from "./books.ts";
import { inAttempt } from "./times-in-order.ts";
import type { Turn } from "./turn.ts";

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
