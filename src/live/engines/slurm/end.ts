import type { AttemptId } from "../attempt-id.ts";
import type { Exited, Outcome, StartFailed } from "../engine.ts";
import { neverRan } from "../outcome.ts";
import type { EndCause } from "../wrapper/attempt-folder.ts";
import { fenceText, FILES } from "../wrapper/records.ts";
import { newAttempt, NO_NOTE, type SlurmAttempt } from "./attempt.ts";
import { attemptPath, type Parts } from "./parts.ts";

/** Makes sure that the attempt never runs, and has this outcome, unless it claims at the last moment. */
export async function fence(
  parts: Parts,
  attempt: SlurmAttempt,
  outcome: StartFailed | Exited,
): Promise<void> {
  const folder = attemptPath(parts, attempt.key);
  const isFenced = await parts.insist(() => parts.disk.createIn(folder, FILES.start, fenceText(outcome)));
  if (isFenced) finish(parts, attempt, outcome);
  else parts.lookSoon();
}

/** Keeps the outcome of an attempt, and reports it. */
export function finish(parts: Parts, attempt: SlurmAttempt, outcome: Outcome): void {
  attempt.state = "over";
  attempt.outcome = outcome;
  parts.report(outcome);
}

/** Ends an attempt; one that has not run never will. */
export async function endAttempt(
  parts: Parts,
  id: AttemptId,
  known: SlurmAttempt | undefined,
  cause: EndCause,
  graceSeconds: number,
): Promise<void> {
  const attempt = known ?? newAttempt(id, NO_NOTE);
  parts.attempts.set(attempt.key, attempt);
  if (attempt.claim === null) {
    await fence(parts, attempt, neverRan(id));
    if (attempt.outcome !== null) return;
  }
  if (attempt.ending === null) {
    attempt.ending = cause;
    // If the disk is full it is ended all the same, but a later service will not know why.
    await parts.disk
      .create(`${attemptPath(parts, attempt.key)}/${FILES.ending}`, `${cause}\n`)
      .catch(() => false);
  }
  const killAt = parts.clock.monotonicSeconds() + graceSeconds;
  attempt.killAt = Math.min(killAt, attempt.killAt ?? Infinity);
  parts.lookSoon();
}
