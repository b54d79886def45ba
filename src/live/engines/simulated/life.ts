import { parseAttemptKey } from "../attempt-id.ts";
import type { ExitCause, Exited, KnownAttempt, Started } from "../engine.ts";
import type { Row } from "./rows.ts";

const SIGTERM = 15;

/** Simulated seconds that an attempt runs at the most. */
export function endsAfter({ runSeconds, limitSeconds }: Row): number {
  return Math.min(runSeconds, limitSeconds ?? Infinity);
}

/** Simulated seconds that it has run. */
export function ranSeconds(row: Row, now: number, speed: number): number {
  if (row.state !== "running") return row.ranSeconds;
  return Math.min(endsAfter(row), row.ranSeconds + (now - row.since) * speed);
}

/** How it ends at this moment: by itself or at its limit, if its time is over, else for that cause. */
export function exited(row: Row, cause: ExitCause, now: number, speed: number, unixSeconds: number): Exited {
  const isTimeOver = cause === "itself";
  // Not by the clock: a sum of times is not exact.
  const ran = isTimeOver ? endsAfter(row) : ranSeconds(row, now, speed);
  const isByItself = isTimeOver && row.runSeconds <= (row.limitSeconds ?? Infinity);
  return {
    kind: "exited",
    id: parseAttemptKey(row.key)!,
    status: isByItself ? row.status : null,
    signal: isByItself ? null : SIGTERM,
    cause: isTimeOver && !isByItself ? "time" : cause,
    usage: {
      elapsedSeconds: (now - row.startedAt) * speed,
      cpuSeconds: (ran * row.placement.reduce((sum, part) => sum + part.coresMilli, 0)) / 1000,
      memoryPeakMiB: Math.max(...row.placement.map(({ memoryMiB }) => memoryMiB)),
    },
    unixSeconds,
  };
}

export function startedOf({ key, placement, startedUnixSeconds }: Row): Started {
  return {
    kind: "started",
    id: parseAttemptKey(key)!,
    machines: placement.map(({ machine }) => machine),
    unixSeconds: startedUnixSeconds,
  };
}

export function known(row: Row): KnownAttempt {
  const id = parseAttemptKey(row.key)!;
  if (row.state === "over") return { id, state: "over", outcome: row.outcome! };
  if (row.state === "starting") return { id, state: "starting" };
  return { id, state: row.state, started: startedOf(row) };
}
