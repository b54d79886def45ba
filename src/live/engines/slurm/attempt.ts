import { attemptKey, type AttemptId } from "../attempt-id.ts";
import type { KnownAttempt, Limits, Outcome, Placement, Started } from "../engine.ts";
import { NO_LIMITS } from "../limits.ts";
import type { EndCause, StartFile } from "../wrapper/attempt-folder.ts";
import type { Claim } from "../wrapper/records.ts";

/** What is kept of a request beside the launch file: all that a submission needs. */
export interface SlurmNote {
  readonly placement: readonly Placement[];
  readonly limits: Limits;
  /** Null: as the service does. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
}

/** An attempt as the engine keeps it in memory. Times are by the monotonic clock. */
export interface SlurmAttempt {
  readonly id: AttemptId;
  readonly key: string;
  /** The files that it writes to, of one that an earlier engine has launched. */
  outputs: readonly string[];
  readonly note: SlurmNote;
  state: KnownAttempt["state"];
  claim: Claim | null;
  started: Started | null;
  outcome: Outcome | null;
  /** Whether this engine was asked to start it: then it is submitted again if Slurm loses it. */
  isWanted: boolean;
  /** The state that was asked for by suspend or resume, and is not reached yet. */
  requestedState: "suspended" | "running" | null;
  ending: EndCause | null;
  killAt: number | null;
  /** Whether SIGTERM was sent by this engine. */
  isTerminated: boolean;
  /** When this engine last resumed it, or was opened: the one before may have. */
  resumedAt: number | null;
  /** When it was last looked whether its records have its end though Slurm says that it runs. */
  recordsSeenAt: number;
  /** When something was last done about it: earlier snapshots of the queue do not count any more. */
  changedAt: number;
  submittedAt: number | null;
  /** Whether Slurm may have a job for it that is not over. */
  mayBeQueued: boolean;
  /** Since when it has been in a state that does not last; null: it is in none. */
  oddSince: number | null;
}

export function newAttempt(id: AttemptId, note: SlurmNote): SlurmAttempt {
  return {
    id,
    key: attemptKey(id),
    outputs: [],
    note,
    state: "starting",
    claim: null,
    started: null,
    outcome: null,
    isWanted: false,
    requestedState: null,
    ending: null,
    killAt: null,
    isTerminated: false,
    resumedAt: null,
    recordsSeenAt: -Infinity,
    changedAt: -Infinity,
    submittedAt: null,
    mayBeQueued: false,
    oddSince: null,
  };
}

export const NO_NOTE: SlurmNote = { placement: [], limits: NO_LIMITS, user: null };

export function known({ id, state, outputs, started, outcome }: SlurmAttempt): KnownAttempt {
  if (state === "over") return { id, state, outcome: outcome! };
  const writing = outputs.length === 0 ? {} : { outputs };
  if (state === "starting") return { id, state, ...writing };
  return { id, state, started: started!, ...writing };
}

/** Marks an attempt that has claimed: it runs, or has run. */
export function markStarted(attempt: SlurmAttempt, claim: Claim, { unixSeconds }: StartFile): void {
  const others = attempt.note.placement
    .map(({ machine }) => machine)
    .filter((machine) => machine !== claim.machine);
  attempt.claim = claim;
  attempt.state = "running";
  attempt.started = { kind: "started", id: attempt.id, machines: [claim.machine, ...others], unixSeconds };
}
