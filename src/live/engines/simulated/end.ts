import { attemptKey, parseAttemptKey, type AttemptId } from "../attempt-id.ts";
import type { ExitCause, Exited } from "../engine.ts";
import { neverRan } from "../outcome.ts";
import { endsAfter, newAttempt, ranSeconds, type SimulatedAttempt } from "./attempt.ts";

const SIGTERM = 15;

/**
 * How it ends at this moment: by itself or at its limit, if its time is over, else for that cause. Its time may have been
 * over while no engine was there.
 */
export function exited(
  attempt: SimulatedAttempt,
  cause: ExitCause,
  now: number,
  speed: number,
  unixSeconds: number,
): Exited {
  const isTimeOver = cause === "itself";
  // Not by the clock: a sum of times is not exact.
  const ran = isTimeOver ? endsAfter(attempt) : ranSeconds(attempt, now, speed);
  const due = attempt.since + (ran - attempt.ranSeconds) / speed;
  const lateSeconds = isTimeOver ? Math.max(0, now - due) : 0;
  const isByItself = isTimeOver && attempt.runSeconds <= (attempt.limitSeconds ?? Infinity);
  return {
    kind: "exited",
    id: parseAttemptKey(attempt.key)!,
    status: isByItself ? attempt.status : null,
    signal: isByItself ? null : SIGTERM,
    cause: isTimeOver && !isByItself ? "time" : cause,
    usage: {
      elapsedSeconds: (now - lateSeconds - attempt.startedAt) * speed,
      cpuSeconds: (ran * attempt.placement.reduce((sum, part) => sum + part.coresMilli, 0)) / 1000,
      memoryPeakMiB: Math.max(...attempt.placement.map(({ memoryMiB }) => memoryMiB)),
    },
    unixSeconds: unixSeconds - lateSeconds,
  };
}

/** The record that keeps an unknown attempt from starting later. */
export function fence(id: AttemptId, now: number): SimulatedAttempt {
  return { ...newAttempt(attemptKey(id), [], now), state: "over", outcome: neverRan(id) };
}
