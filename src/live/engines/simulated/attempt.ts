import { parseAttemptKey } from "../attempt-id.ts";
import type { KnownAttempt, Outcome, Placement, Started, Stood } from "../engine.ts";

/** An attempt as the engine keeps it, in memory and as a line of its file. */
export interface SimulatedAttempt {
  readonly key: string;
  readonly state: KnownAttempt["state"];
  readonly placement: readonly Placement[];
  /** Simulated seconds that it runs in all, unless it is ended before. */
  readonly runSeconds: number;
  readonly limitSeconds: number | null;
  readonly status: number;
  readonly startedUnixSeconds: number;
  /** The same by the monotonic clock. */
  readonly startedAt: number;
  /** When the state was entered, by the monotonic clock. */
  readonly since: number;
  /** Simulated seconds that it had run by then. */
  readonly ranSeconds: number;
  readonly outcome: Outcome | null;
}

export function newAttempt(key: string, placement: readonly Placement[], since: number): SimulatedAttempt {
  return {
    key,
    state: "starting",
    placement,
    runSeconds: 0,
    limitSeconds: null,
    status: 0,
    startedUnixSeconds: 0,
    startedAt: 0,
    since,
    ranSeconds: 0,
    outcome: null,
  };
}

/** Simulated seconds that an attempt runs at the most. */
export function endsAfter({ runSeconds, limitSeconds }: SimulatedAttempt): number {
  return Math.min(runSeconds, limitSeconds ?? Infinity);
}

/** Simulated seconds that it has run. */
export function ranSeconds(attempt: SimulatedAttempt, now: number, speed: number): number {
  if (attempt.state !== "running") return attempt.ranSeconds;
  return Math.min(endsAfter(attempt), attempt.ranSeconds + (now - attempt.since) * speed);
}

export function startedOf({ key, placement, startedUnixSeconds }: SimulatedAttempt): Started {
  return {
    kind: "started",
    id: parseAttemptKey(key)!,
    machines: placement.map(({ machine }) => machine),
    unixSeconds: startedUnixSeconds,
  };
}

function stoodOf(attempt: SimulatedAttempt, speed: number): Stood {
  const { state, startedUnixSeconds, startedAt, since, ranSeconds } = attempt;
  return {
    seconds: Math.max(0, since - startedAt - ranSeconds / speed),
    sinceUnixSeconds: state === "suspended" ? startedUnixSeconds + since - startedAt : null,
  };
}

export function known(attempt: SimulatedAttempt, speed: number): KnownAttempt {
  const id = parseAttemptKey(attempt.key)!;
  if (attempt.state === "over") return { id, state: "over", outcome: attempt.outcome! };
  if (attempt.state === "starting") return { id, state: "starting" };
  return { id, state: attempt.state, started: startedOf(attempt), stood: stoodOf(attempt, speed) };
}
