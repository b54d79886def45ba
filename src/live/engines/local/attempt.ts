import { attemptKey, type AttemptId } from "../attempt-id.ts";
import type { KnownAttempt, Limits, Outcome, Started, Stood } from "../engine.ts";
import type { Clock } from "../system/clock.ts";
import type { EndCause } from "../wrapper/attempt-folder.ts";
import type { Claim } from "../wrapper/records.ts";

/** An attempt as the engine keeps it in memory. */
export interface LocalAttempt {
  readonly id: AttemptId;
  readonly key: string;
  /** The files that it writes to, of one that an earlier engine has launched. */
  outputs: readonly string[];
  readonly limits: Limits;
  /** Its cgroup, where there are cgroups. */
  readonly cgroup: string | null;
  /** The devices that are its own until it is over. */
  readonly gpus: readonly string[];
  /** What the programs around it are told, and a service whose books do not have it. */
  readonly about: About;
  state: KnownAttempt["state"];
  /** Whether this engine exchanges messages with the wrapper, and so learns when it ends. */
  isInExchange: boolean;
  /** Set where it runs, is suspended, or has run. */
  claim: Claim | null;
  started: Started | null;
  outcome: Outcome | null;
  /** Why the engine ends it, if it does. */
  ending: EndCause | null;
  /** When it is killed if it has not ended by then, by the monotonic clock. */
  killAt: number | null;
  /** What the command has left running; null: it runs, or left nothing. */
  left: Left | null;
  /** Whether it was warned of the end of its time. */
  isWarned: boolean;
  suspension: Suspension;
  memoryPeakMiB: number | null;
  /** Samples of its processor time, for the limit of cores. */
  cpuSamples: { readonly at: number; readonly cpuSeconds: number }[];
}

export interface Left {
  /** Since when the command is over, as far as that was seen, by the monotonic clock. */
  readonly since: number;
  /** How many were asked to end; 0: none yet. */
  count: number;
  isLookedAfter: boolean;
}

/** How long an attempt stands still, by the monotonic clock. */
export interface Suspension {
  /** Suspended in all, before the present time. */
  readonly totalSeconds: number;
  /** Since when it is; null: it is not. */
  readonly since: number | null;
  /**
   * When it began to go on, which takes a signal to each process; null: it does not go on. The same as `since` while not
   * all of it stands yet.
   */
  readonly until: number | null;
}

export const NEVER_SUSPENDED: Suspension = { totalSeconds: 0, since: null, until: null };

export interface About {
  readonly job: string;
  readonly user: string;
}

const NOTHING_KNOWN: About = { job: "", user: "" };

/** What the note of the launch file keeps of a request. */
export interface LaunchNote {
  readonly boot: string;
  readonly machine: string;
  readonly limits: Limits;
  readonly cgroup: string | null;
  /** Absent: none. */
  readonly gpus?: readonly string[];
  /** Absent: an earlier version has written it, for a pool without programs to be told. */
  readonly about?: About;
}

/** What is told of an attempt that runs. */
export function startedOf(
  { id, gpus }: Pick<LocalAttempt, "id" | "gpus">,
  machine: string,
  unixSeconds: number,
): Started {
  return { kind: "started", id, machines: [machine], ...(gpus.length === 0 ? {} : { gpus }), unixSeconds };
}

export function newAttempt(
  id: AttemptId,
  limits: Limits,
  cgroup: string | null,
  gpus: readonly string[] = [],
  about = NOTHING_KNOWN,
): LocalAttempt {
  return {
    id,
    key: attemptKey(id),
    outputs: [],
    limits,
    cgroup,
    gpus,
    about,
    state: "starting",
    isInExchange: false,
    claim: null,
    started: null,
    outcome: null,
    ending: null,
    killAt: null,
    left: null,
    isWarned: false,
    suspension: NEVER_SUSPENDED,
    memoryPeakMiB: null,
    cpuSamples: [],
  };
}

export function known(attempt: LocalAttempt, clock: Clock): KnownAttempt {
  const { id, state, outputs, started, outcome, about } = attempt;
  const stood = stoodOf(attempt, clock);
  if (state === "over") return { id, state, outcome: outcome!, stood };
  const writing = {
    ...(outputs.length === 0 ? {} : { outputs }),
    ...(Number(about.job) > 0 ? { jobNumber: Number(about.job) } : {}),
  };
  if (state === "starting") return { id, state, ...writing };
  return { id, state, started: started!, stood, ...writing };
}

export function stoodOf({ suspension }: Pick<LocalAttempt, "suspension">, clock: Clock): Stood {
  const { totalSeconds, since, until } = suspension;
  if (since === null) return { seconds: totalSeconds, sinceUnixSeconds: null };
  if (until !== null) return { seconds: totalSeconds + until - since, sinceUnixSeconds: null };
  const sinceUnixSeconds = clock.unixSeconds() - (clock.monotonicSeconds() - since);
  return { seconds: totalSeconds, sinceUnixSeconds };
}

/** Seconds that it has run by a moment, without those that it was suspended. */
export function ranSeconds({ claim, suspension }: LocalAttempt, now: number): number {
  if (claim === null) return 0;
  const suspended = suspension.since === null ? 0 : now - suspension.since;
  return now - claim.monotonicSeconds - suspension.totalSeconds - suspended;
}
