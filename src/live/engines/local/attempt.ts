import { attemptKey, parseAttemptKey, type AttemptId } from "../attempt-id.ts";
import type { ExitCause, KnownAttempt, Limits, Outcome, Started } from "../engine.ts";
import type { Disk } from "../system/disk.ts";
import { isWholeLaunchFile, noteOf } from "../wrapper/launch-file.ts";
import { FILES, parseStart, RECORD_LIMIT_BYTES, type Claim } from "../wrapper/records.ts";

/** The engine's own records, beside the wrapper's. */
export const OWN_FILES = {
  /** Why the engine ends it; made before the first signal. */
  ending: "ending",
  suspension: "suspension",
} as const;

/** More than a launch file can take. */
const LAUNCH_LIMIT_BYTES = 4 * 1024 * 1024;

/** An attempt as the engine keeps it in memory. */
export interface LocalAttempt {
  readonly id: AttemptId;
  readonly key: string;
  readonly limits: Limits;
  /** Its cgroup, where there are cgroups. */
  readonly cgroup: string | null;
  state: KnownAttempt["state"];
  /** Whether the wrapper was started by this engine: then it is heard when it ends. */
  isHeard: boolean;
  /** Set where it runs, is suspended, or has run. */
  claim: Claim | null;
  started: Started | null;
  outcome: Outcome | null;
  /** Why the engine ends it, if it does. */
  ending: EndCause | null;
  /** When patience with it is over, by the monotonic clock. */
  killAt: number | null;
  suspension: Suspension;
  memoryPeakMiB: number | null;
  /** Processor time at moments of the last while, for the limit of cores. */
  cpuSamples: { readonly at: number; readonly cpuSeconds: number }[];
}

export type EndCause = Extract<ExitCause, "asked" | "memory" | "cores" | "time">;

export interface Suspension {
  /** Suspended in all, before the present time. */
  readonly totalSeconds: number;
  /** Since when it is, by the monotonic clock; null: it is not. */
  readonly since: number | null;
}

/** What is kept of a request beside the launch file: in its note. */
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
  /** Whether something of that name is in place of the start record, be it readable or not. */
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
  const text = async (file: string, limit = RECORD_LIMIT_BYTES): Promise<Content | null> => {
    const content = await disk.read(`${attempts}/${name}/${file}`, 0, limit);
    return content === null
      ? null
      : { text: new TextDecoder().decode(content.bytes), unixSeconds: content.modifiedUnixSeconds };
  };
  const start = await text(FILES.start);
  const claim = start === null ? null : parseStart(start.text);
  if (claim?.kind === "fence") {
    const attempt = newAttempt(id, NO_LIMITS, null);
    return {
      attempt: { ...attempt, state: "over", outcome: { ...claim.outcome, id } },
      boot: "",
      hasStart: true,
    };
  }
  const launch = await text(FILES.launch, LAUNCH_LIMIT_BYTES);
  if (launch === null && start === null) return null;
  const note = launch === null || !isWholeLaunchFile(launch.text) ? null : parseNote(noteOf(launch.text));
  if (note === null) return start === null ? null : "foreign";
  const attempt = newAttempt(id, note.limits, note.cgroup);
  const ending = (await text(OWN_FILES.ending))?.text.trim();
  attempt.ending = END_CAUSES.find((cause) => cause === ending) ?? null;
  attempt.suspension = parseSuspension((await text(OWN_FILES.suspension))?.text) ?? attempt.suspension;
  if (claim !== null) {
    attempt.claim = claim;
    attempt.state = "running";
    attempt.started = { kind: "started", id, machines: [note.machine], unixSeconds: start!.unixSeconds };
  }
  return { attempt, boot: note.boot, hasStart: start !== null };
}

interface Content {
  readonly text: string;
  readonly unixSeconds: number;
}

const NO_LIMITS: Limits = { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 0 };
const END_CAUSES: readonly EndCause[] = ["asked", "memory", "cores", "time"];

function parseNote(text: string | null): LaunchNote | null {
  const note = parseJson(text) as Partial<LaunchNote> | null;
  const limits = note?.limits;
  if (typeof note?.boot !== "string" || typeof note.machine !== "string" || limits === undefined) return null;
  const { memoryMiB, coresMilli, seconds, graceSeconds } = limits;
  const isLimit = (value: unknown): boolean => value === null || typeof value === "number";
  if (![memoryMiB, coresMilli, seconds].every(isLimit) || typeof graceSeconds !== "number") return null;
  return { boot: note.boot, machine: note.machine, limits, cgroup: note.cgroup ?? null };
}

function parseSuspension(text: string | undefined): Suspension | null {
  const value = parseJson(text ?? null) as Partial<Suspension> | null;
  if (typeof value?.totalSeconds !== "number") return null;
  return { totalSeconds: value.totalSeconds, since: typeof value.since === "number" ? value.since : null };
}

function parseJson(text: string | null): unknown {
  try {
    const value: unknown = text === null ? null : JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
