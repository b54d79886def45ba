import { attemptKey, parseAttemptKey, type AttemptId } from "../attempt-id.ts";
import type { KnownAttempt, Limits, Outcome, Placement, Started } from "../engine.ts";
import { NO_LIMITS, parseLimits } from "../limits.ts";
import type { Disk } from "../system/disk.ts";
import { readAttemptFolder, type EndCause, type StartFile } from "../wrapper/attempt-folder.ts";
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
  readonly note: SlurmNote;
  state: KnownAttempt["state"];
  claim: Claim | null;
  started: Started | null;
  outcome: Outcome | null;
  /** Whether this engine was asked to start it: then it is submitted again if Slurm loses it. */
  isWanted: boolean;
  /** The state that was asked for by suspend or resume, and is not reached yet. */
  wish: "suspended" | "running" | null;
  ending: EndCause | null;
  killAt: number | null;
  /** Whether SIGTERM was sent by this engine. */
  isTerminated: boolean;
  /** When this engine last resumed it. */
  resumedAt: number | null;
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
    note,
    state: "starting",
    claim: null,
    started: null,
    outcome: null,
    isWanted: false,
    wish: null,
    ending: null,
    killAt: null,
    isTerminated: false,
    resumedAt: null,
    changedAt: -Infinity,
    submittedAt: null,
    mayBeQueued: false,
    oddSince: null,
  };
}

export const NO_NOTE: SlurmNote = { placement: [], limits: NO_LIMITS, user: null };

export function known({ id, state, started, outcome }: SlurmAttempt): KnownAttempt {
  if (state === "over") return { id, state, outcome: outcome! };
  if (state === "starting") return { id, state };
  return { id, state, started: started! };
}

/** Null where nothing was ever launched; "foreign" where the folder is not an attempt's or cannot be read. */
export async function findAttempt(
  disk: Disk,
  attempts: string,
  name: string,
): Promise<SlurmAttempt | "foreign" | null> {
  const id = parseAttemptKey(name);
  if (id === null) return "foreign";
  const folder = await readAttemptFolder(disk, `${attempts}/${name}`);
  if (folder === null) return null;
  const record = folder.start?.record ?? null;
  if (record?.kind === "fence")
    return {
      ...newAttempt(id, NO_NOTE),
      state: "over",
      outcome: { ...record.outcome, id },
      mayBeQueued: true,
    };
  const note = parseNote(folder.note);
  if (note === null) return folder.start === null ? null : "foreign";
  const attempt: SlurmAttempt = { ...newAttempt(id, note), ending: folder.ending, mayBeQueued: true };
  if (record !== null) hasStarted(attempt, record, folder.start!);
  return attempt;
}

/** It has claimed: it runs, or has run. */
export function hasStarted(attempt: SlurmAttempt, claim: Claim, { unixSeconds }: StartFile): void {
  const others = attempt.note.placement
    .map(({ machine }) => machine)
    .filter((machine) => machine !== claim.machine);
  attempt.claim = claim;
  attempt.state = "running";
  attempt.started = { kind: "started", id: attempt.id, machines: [claim.machine, ...others], unixSeconds };
}

function parseNote(value: unknown): SlurmNote | null {
  const note = value as Partial<SlurmNote> | null;
  const limits = parseLimits(note?.limits);
  if (limits === null || !Array.isArray(note?.placement)) return null;
  const isPlaced = note.placement.every(
    (part: Partial<Placement> | null) =>
      typeof part?.machine === "string" &&
      typeof part.coresMilli === "number" &&
      typeof part.memoryMiB === "number" &&
      typeof part.gpuMilli === "number",
  );
  const user = note.user ?? null;
  const isUser = user === null || (Number.isInteger(user.uid) && Number.isInteger(user.gid));
  return isPlaced && isUser ? { placement: note.placement, limits, user } : null;
}
