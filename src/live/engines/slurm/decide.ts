import type { Exited, Lost, Outcome, StartFailed } from "../engine.ts";
import { neverRan, NO_USAGE, startFailed } from "../outcome.ts";
import type { ExitFile, StartFile } from "../wrapper/attempt-folder.ts";
import type { SlurmAttempt } from "./attempt.ts";
import { isHeld, isHopeless, isOver, type SlurmJob } from "./queue.ts";

/** All that is known about an attempt at a moment: what Slurm says, and what the attempt's own records say. */
export interface View {
  readonly now: number;
  readonly attempt: SlurmAttempt;
  /** The jobs of its name, of which there should be one. */
  readonly jobs: readonly SlurmJob[];
  readonly start: StartFile | null;
  readonly exit: ExitFile | null;
  /** Another wrapper than the one that claimed has been started, and has gone. */
  readonly wasStartedAgain: boolean;
  readonly areMachinesUp: boolean;
  /**
   * Since when all its machines have been registered with the present controller; null: they are not. What
   * ran there without the controller's knowledge is killed when a node registers.
   */
  readonly registeredSince: number | null;
}

/** What is to be done about it now. */
export type Step =
  /** `isOdd`: it is in a state that should not last; `oddSince` says how long it has. */
  | { readonly do: "wait"; readonly isOdd: boolean }
  | { readonly do: "submit" }
  /** Make sure that it never runs; then this is its outcome. */
  | { readonly do: "fence"; readonly outcome: StartFailed | Exited }
  | { readonly do: "began" }
  | { readonly do: "finish"; readonly outcome: Outcome }
  | { readonly do: JobCommand; readonly job: SlurmJob }
  | { readonly do: "say"; readonly state: "suspended" | "running" }
  /** It is above its time. */
  | { readonly do: "end"; readonly cause: "time" };

export type JobCommand = "cancel" | "hold" | "suspend" | "resume" | "terminate";

/** How long things may take that usually take no time. */
export interface Patience {
  /** How long a job may wait to start on the machines that it was placed on. */
  readonly startSeconds: number;
  /** How long to wait for an attempt that Slurm does not know any more, before it is given up. */
  readonly lostSeconds: number;
}

/** A record written on another machine may be seen this much later. */
const RECORD_SECONDS = 5;
/** A submission that was not answered may still be carried out. */
const RESUBMIT_SECONDS = 5;

/**
 * An attempt that may still run unseen, on a machine that does not come back, is given up after this many times the
 * patience.
 */
const UNSEEN_TIMES = 10;
/**
 * The daemon of a step stops its processes softly and 2 s later by force, and drops the signals that come in between.
 * So an attempt that was just resumed is not asked to end at once.
 */
const RESUMED_SECONDS = 2.5;

const WAIT: Step = { do: "wait", isOdd: false };
const WAIT_ODD: Step = { do: "wait", isOdd: true };

/**
 * The rules, in the order in which they count. What the attempt's records say goes before what Slurm says:
 * slurmctld forgets up to 5 s when it is killed, starts again what it has forgotten to have started, and gives
 * numbers out twice. So a claim means that it ran, an exit record means how it ended, whatever the queue shows.
 */
export function decide(view: View, patience: Patience): Step {
  const record = view.start?.record ?? null;
  if (record?.kind === "fence") return { do: "finish", outcome: { ...record.outcome, id: view.attempt.id } };
  if (view.attempt.claim !== null) return decideClaimed(view, patience);
  if (record === null) return decideUnclaimed(view, patience);
  const refused = view.exit?.refused ?? null;
  return refused === null
    ? { do: "began" }
    : { do: "finish", outcome: startFailed(view.attempt.id, "job", refused) };
}

function oddSeconds({ now, attempt }: View): number {
  return attempt.oddSince === null ? 0 : now - attempt.oddSince;
}

/** Nothing of it has run so far. */
function decideUnclaimed(view: View, { startSeconds, lostSeconds }: Patience): Step {
  const { attempt, jobs, now } = view;
  const { id } = attempt;
  if (view.start !== null) {
    // The claim is incomplete or just being written: no other wrapper can make it.
    if (oddSeconds(view) < lostSeconds) return WAIT_ODD;
    return { do: "finish", outcome: { kind: "lost", id, reason: "its start record cannot be read" } };
  }
  if (attempt.ending !== null) return { do: "fence", outcome: neverRan(id) };

  const live = jobs.filter((job) => !isOver(job)).sort(byWhoStartsFirst);
  const [job, ...extra] = live;
  if (extra.length > 0) return { do: "cancel", job: extra.at(-1)! };
  if (job !== undefined) {
    if (isHopeless(job)) return fenced(view, "machine", `Slurm cannot start it there: ${job.reason}`);
    if (isHeld(job) && /launch/i.test(job.reason))
      return fenced(view, "machine", "Slurm could not launch it there");
    if (oddSeconds(view) < (view.areMachinesUp ? startSeconds : lostSeconds)) return WAIT_ODD;
    if (!view.areMachinesUp) return fenced(view, "machine", `its machine is not up any more: ${job.reason}`);
    return job.state === "PENDING"
      ? fenced(view, "transient", `Slurm let it wait for ${startSeconds} s: ${job.reason}`)
      : fenced(
          view,
          "machine",
          "its wrapper has made no claim: is the state folder shared with that machine?",
        );
  }
  const last = jobs.at(-1);
  if (last !== undefined) return oddSeconds(view) < RECORD_SECONDS ? WAIT_ODD : neverClaimed(view, last);
  if (!attempt.isWanted) return WAIT;
  // Slurm does not know it, or not any more.
  const isAnswered = attempt.submittedAt === null || now - attempt.submittedAt >= RESUBMIT_SECONDS;
  return isAnswered ? { do: "submit" } : WAIT;
}

function fenced({ attempt }: View, fault: StartFailed["fault"], reason: string): Step {
  return { do: "fence", outcome: startFailed(attempt.id, fault, reason) };
}

/** Running jobs before waiting ones; then by number. */
function byWhoStartsFirst(one: SlurmJob, other: SlurmJob): number {
  const waits = (job: SlurmJob): number => (job.state === "PENDING" ? 1 : 0);
  return waits(one) - waits(other) || Number(one.id) - Number(other.id);
}

/** Slurm is done with it, and there is no claim. */
function neverClaimed(view: View, { state }: SlurmJob): Step {
  switch (state) {
    case "CANCELLED":
      return view.areMachinesUp
        ? fenced(view, "transient", "its job was cancelled in Slurm before it ran")
        : fenced(view, "machine", "its job was cancelled in Slurm, and its machine is not up any more");
    case "NODE_FAIL":
    case "BOOT_FAIL":
      return fenced(view, "machine", "the machine failed before it ran");
    default:
      return fenced(view, "machine", `it came to nothing there (${state}): is the state folder shared?`);
  }
}

/** It has run, or runs. */
function decideClaimed(view: View, { lostSeconds }: Patience): Step {
  const { attempt, jobs, exit } = view;
  const own = jobs.find(({ id }) => id === attempt.claim!.slurmJob);
  const other = jobs.find((job) => job !== own && !isOver(job));
  if (other !== undefined) return { do: "cancel", job: other };
  if (own?.state === "PENDING") return decideForgotten(view, own, lostSeconds);
  if (exit !== null) {
    // While Slurm has the job as running or completing, some of its processes may still be there.
    const isDone = own === undefined || isOver(own) || oddSeconds(view) >= lostSeconds;
    return isDone ? { do: "finish", outcome: exitedAs(attempt, exit, own) } : WAIT_ODD;
  }
  if (own !== undefined && !isOver(own)) return decideRunning(view, own);
  return oddSeconds(view) < patienceWith(view, own, lostSeconds)
    ? WAIT_ODD
    : { do: "finish", outcome: endedUnrecorded(attempt, own) };
}

/**
 * The controller was killed and does not know that it has started it. When the node registers it kills what
 * runs there of a job that waits, but not of one that was cancelled as it waited: that one runs on for
 * minutes. So it is held: then it is not started again, which would take the node out of service ("Duplicate
 * jobid"), and it is cancelled only when nothing of it runs any more.
 */
function decideForgotten(view: View, own: SlurmJob, lostSeconds: number): Step {
  const { attempt, exit } = view;
  if (!isHeld(own)) return { do: "hold", job: own };
  if (exit !== null) {
    if (oddSeconds(view) < RECORD_SECONDS) return WAIT_ODD;
    return { do: "finish", outcome: exitedAs(attempt, exit, own) };
  }
  return oddSeconds(view) < patienceWith(view, own, lostSeconds)
    ? WAIT_ODD
    : { do: "finish", outcome: endedUnrecorded(attempt, own) };
}

/** How long an attempt without an exit record may still be running. */
function patienceWith(view: View, own: SlurmJob | undefined, lostSeconds: number): number {
  const wasCancelledWaiting = own !== undefined && isOver(own) && own.nodes === "";
  // Slurm says that it is over, and knows where: nothing of it runs, and the record is perhaps on its way.
  if (own !== undefined && isOver(own) && !wasCancelledWaiting && !view.wasStartedAgain)
    return RECORD_SECONDS;
  const { registeredSince, attempt, now } = view;
  if (registeredSince === null || wasCancelledWaiting) return lostSeconds * UNSEEN_TIMES;
  return lostSeconds + Math.max(0, registeredSince - (attempt.oddSince ?? now));
}

function decideRunning({ now, attempt }: View, own: SlurmJob): Step {
  const { ending, killAt, isTerminated, resumedAt, state, requestedState, note } = attempt;
  const isSuspended = own.state === "SUSPENDED";
  const isRunning = !isSuspended && own.state !== "COMPLETING";
  if (ending !== null) {
    const isDue = (isSuspended && isTerminated) || (killAt !== null && now >= killAt);
    if (isDue && own.state !== "COMPLETING") return { do: "cancel", job: own };
    if (isSuspended) return { do: "resume", job: own };
    const mayListen = resumedAt === null || now >= resumedAt + RESUMED_SECONDS;
    return isRunning && mayListen && !isTerminated ? { do: "terminate", job: own } : WAIT;
  }
  if (isSuspended && (state === "running" || requestedState === "suspended"))
    return { do: "say", state: "suspended" };
  if (isRunning && (state === "suspended" || requestedState === "running"))
    return { do: "say", state: "running" };
  if (isRunning && note.limits.seconds !== null && own.usedSeconds > note.limits.seconds)
    return { do: "end", cause: "time" };
  if (isRunning && requestedState === "suspended") return { do: "suspend", job: own };
  if (isSuspended && requestedState === "running") return { do: "resume", job: own };
  return WAIT;
}

/** How it ended, by its own record. */
function exitedAs({ id, claim, ending }: SlurmAttempt, exit: ExitFile, own: SlurmJob | undefined): Exited {
  return {
    kind: "exited",
    id,
    status: exit.status,
    signal: exit.signal,
    cause: ending ?? (own === undefined ? "itself" : (CAUSES.get(own.state) ?? "itself")),
    usage: {
      elapsedSeconds: Math.max(0, exit.monotonicSeconds - claim!.monotonicSeconds),
      cpuSeconds: exit.cpuSeconds,
      memoryPeakMiB: null,
    },
    unixSeconds: exit.unixSeconds,
  };
}

const CAUSES: ReadonlyMap<string, Exited["cause"]> = new Map([
  ["CANCELLED", "outside"],
  ["PREEMPTED", "outside"],
  ["TIMEOUT", "time"],
  ["DEADLINE", "time"],
  ["OUT_OF_MEMORY", "memory"],
]);

/** The outcome of an attempt whose wrapper could not record its end. */
function endedUnrecorded({ id, ending }: SlurmAttempt, own: SlurmJob | undefined): Exited | Lost {
  const cause = ending ?? (own === undefined ? undefined : CAUSES.get(own.state));
  if (cause !== undefined)
    return { kind: "exited", id, status: null, signal: null, cause, usage: NO_USAGE, unixSeconds: null };
  const reason =
    own === undefined
      ? "Slurm does not know its job any more"
      : own.state === "PENDING"
        ? "slurmctld was killed and had forgotten that it ran, so its node has ended it"
        : `Slurm says ${own.state}, and its wrapper was killed`;
  return { kind: "lost", id, reason };
}
