import type { AttemptId } from "./attempt-id.ts";
import type { AttemptReport, Exited, KnownAttempt, StartFailed, Stood, Usage } from "./engine.ts";

export const NO_USAGE: Usage = { elapsedSeconds: null, cpuSeconds: null, memoryPeakMiB: null };

export function startFailed(id: AttemptId, fault: StartFailed["fault"], reason: string): StartFailed {
  return { kind: "start-failed", id, fault, reason };
}

/** `end` came before it had started. */
export function neverRan(id: AttemptId): Exited {
  return {
    kind: "exited",
    id,
    status: null,
    signal: null,
    cause: "never-ran",
    usage: NO_USAGE,
    unixSeconds: null,
  };
}

export function stoodIn(known: KnownAttempt): { readonly stood?: Stood } {
  return "stood" in known ? { stood: known.stood } : {};
}

/** The report that repeats the state of an attempt; null while it has not started. */
export function repeated(known: KnownAttempt): AttemptReport | null {
  switch (known.state) {
    case "starting":
      return null;
    case "running":
      return known.started;
    case "suspended":
      return { kind: "suspended", id: known.id, ...stoodIn(known) };
    case "over":
      return known.outcome;
  }
}
