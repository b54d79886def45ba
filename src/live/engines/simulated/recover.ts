import { parseAttemptKey } from "../attempt-id.ts";
import type { Outcome } from "../engine.ts";
import type { SimulatedAttempt } from "./attempt.ts";

/** A line of the file: an attempt as it is from then on, that it was forgotten, or the boot of what follows. */
export type Entry = SimulatedAttempt | { readonly gone: string } | { readonly boot: string };

/** Null for a line that was broken off, or that is not ours. */
export function readEntry(line: string): Entry | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  if ("boot" in value || "gone" in value) return value as Entry;
  const attempt = value as Partial<SimulatedAttempt>;
  const isAttempt =
    parseAttemptKey(attempt.key ?? "") !== null &&
    ["starting", "running", "suspended", "over"].includes(attempt.state ?? "") &&
    (attempt.state === "over") === (typeof attempt.outcome === "object" && attempt.outcome !== null) &&
    Array.isArray(attempt.placement) &&
    [
      attempt.runSeconds,
      attempt.since,
      attempt.ranSeconds,
      attempt.startedUnixSeconds,
      attempt.startedAt,
    ].every(Number.isFinite);
  return isAttempt ? (value as SimulatedAttempt) : null;
}

/** An attempt after a restart of the machine that simulates. */
export function lostByRestart(attempt: SimulatedAttempt): SimulatedAttempt {
  if (attempt.state === "over") return attempt;
  const id = parseAttemptKey(attempt.key)!;
  const reason = "the machine that simulates was restarted";
  const outcome: Outcome =
    attempt.state === "starting"
      ? { kind: "start-failed", id, fault: "transient", reason }
      : { kind: "lost", id, reason };
  return { ...attempt, state: "over", outcome };
}
