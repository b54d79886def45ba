import { attemptKey, parseAttemptKey, type AttemptId } from "../attempt-id.ts";
import type { KnownAttempt, Limits, Outcome, Started } from "../engine.ts";
import { NO_LIMITS, parseLimits } from "../limits.ts";
import type { Disk } from "../system/disk.ts";
import { parseJson, readAttemptFolder, text, type EndCause } from "../wrapper/attempt-folder.ts";
import { FILES, type Claim } from "../wrapper/records.ts";

/** An attempt as the engine keeps it in memory. */
export interface LocalAttempt {
  readonly id: AttemptId;
  readonly key: string;
  readonly limits: Limits;
  /** Its cgroup, where there are cgroups. */
  readonly cgroup: string | null;
  state: KnownAttempt["state"];
  /** Whether this engine started the wrapper, and so hears when it ends. */
  isHeard: boolean;
  /** Set where it runs, is suspended, or has run. */
  claim: Claim | null;
  started: Started | null;
  outcome: Outcome | null;
  /** Why the engine ends it, if it does. */
  ending: EndCause | null;
  /** When it is killed if it has not ended by then, by the monotonic clock. */
  killAt: number | null;
  suspension: Suspension;
  memoryPeakMiB: number | null;
  /** Samples of its processor time, for the limit of cores. */
  cpuSamples: { readonly at: number; readonly cpuSeconds: number }[];
}

export interface Suspension {
  /** Suspended in all, before the present time. */
  readonly totalSeconds: number;
  /** Since when it is, by the monotonic clock; null: it is not. */
  readonly since: number | null;
}

/** What the note of the launch file keeps of a request. */
export interface LaunchNote {
  readonly boot: string;
  readonly machine: string;
  readonly limits: Limits;
  readonly cgroup: string | null;
}

export function newAttempt(id: AttemptId, limits: Limits, cgroup: string | null): LocalAttempt {
  return {
    id,
    key: attemptKey(id),
    limits,
    cgroup,
    state: "starting",
    isHeard: false,
    claim: null,
    started: null,
    outcome: null,
    ending: null,
    killAt: null,
    suspension: { totalSeconds: 0, since: null },
    memoryPeakMiB: null,
    cpuSamples: [],
  };
}

export function known({ id, state, started, outcome }: LocalAttempt): KnownAttempt {
  if (state === "over") return { id, state, outcome: outcome! };
  if (state === "starting") return { id, state };
  return { id, state, started: started! };
}

/** Seconds that it has run by a moment, without those that it was suspended. */
export function ranSeconds({ claim, suspension }: LocalAttempt, now: number): number {
  if (claim === null) return 0;
  const suspended = suspension.since === null ? 0 : now - suspension.since;
  return now - claim.monotonicSeconds - suspension.totalSeconds - suspended;
}

/** An attempt as an earlier engine left it. */
export interface Found {
  readonly attempt: LocalAttempt;
  /** The boot that it was launched in. */
  readonly boot: string;
  /** Whether a start record exists, readable or not. */
  readonly hasStart: boolean;
}

/** Null where nothing was ever launched; "foreign" where the folder is not an attempt's or cannot be read. */
export async function findAttempt(
  disk: Disk,
  attempts: string,
  name: string,
): Promise<Found | "foreign" | null> {
  const id = parseAttemptKey(name);
  if (id === null) return "foreign";
  const path = `${attempts}/${name}`;
  const folder = await readAttemptFolder(disk, path);
  if (folder === null) return null;
  const { start, ending } = folder;
  const record = start?.record ?? null;
  if (record?.kind === "fence") {
    const attempt = newAttempt(id, NO_LIMITS, null);
    return {
      attempt: { ...attempt, state: "over", outcome: { ...record.outcome, id } },
      boot: "",
      hasStart: true,
    };
  }
  const note = parseNote(folder.note);
  if (note === null) return start === null ? null : "foreign";
  const attempt = newAttempt(id, note.limits, note.cgroup);
  attempt.ending = ending;
  const suspension = await text(disk, `${path}/${FILES.suspension}`);
  attempt.suspension = parseSuspension(parseJson(suspension?.text ?? null)) ?? attempt.suspension;
  if (record !== null) {
    attempt.claim = record;
    attempt.state = "running";
    attempt.started = { kind: "started", id, machines: [note.machine], unixSeconds: start!.unixSeconds };
  }
  return { attempt, boot: note.boot, hasStart: start !== null };
}

function parseNote(value: unknown): LaunchNote | null {
  const note = value as Partial<LaunchNote> | null;
  if (typeof note?.boot !== "string" || typeof note.machine !== "string") return null;
  const limits = parseLimits(note.limits);
  if (limits === null) return null;
  return { boot: note.boot, machine: note.machine, limits, cgroup: note.cgroup ?? null };
}

function parseSuspension(value: unknown): Suspension | null {
  const suspension = value as Partial<Suspension> | null;
  if (typeof suspension?.totalSeconds !== "number") return null;
  return {
    totalSeconds: suspension.totalSeconds,
    since: typeof suspension.since === "number" ? suspension.since : null,
  };
}
