import { readExit, readStart, text } from "../wrapper/attempt-folder.ts";
import { FILES } from "../wrapper/records.ts";
import { markStarted, type SlurmAttempt } from "./attempt.ts";
import type { Answer } from "./cli.ts";
import { decide, type JobCommand, type Step, type View } from "./decide.ts";
import { endAttempt, fence, finish } from "./end.ts";
import { submit } from "./launch.ts";
import { attemptPath, type Parts } from "./parts.ts";
import { isOver, type SlurmJob } from "./queue.ts";

/** Slurm's queue at a moment: our jobs, by the attempt's key. */
export interface Snapshot {
  /** By the monotonic clock, before it was asked for. */
  readonly takenAt: number;
  readonly jobs: ReadonlyMap<string, readonly SlurmJob[]>;
}

/** Slurm says that a job is suspended before its machine has stopped the processes. */
const STOPPING_SECONDS = 0.3;
/**
 * Slurm says that a job runs, and may be wrong: a slurmctld that was killed just after it was told of an end has forgotten
 * it, for ten minutes and more. How often records are read then.
 */
const RECORDS_SECONDS = 30;

/** Finds out how an attempt stands, decides what is to be done, and does it. */
export async function reconcile(parts: Parts, attempt: SlurmAttempt, snapshot: Snapshot): Promise<void> {
  const uid = attempt.note.user?.uid ?? process.getuid!();
  // Anybody can see an attempt's name in the queue, and give it to a job.
  const jobs = (snapshot.jobs.get(attempt.key) ?? []).filter((job) => job.uid === uid);
  // A snapshot from before the last action on the attempt does not count.
  if (attempt.changedAt >= snapshot.takenAt) return;
  if (jobs.length > 0 && jobs.every(isOver)) attempt.mayBeQueued = false;
  if (attempt.state === "over") {
    // They cannot run any more, but would take up room in the queue.
    for (const job of jobs) if (!isOver(job)) await parts.cli.cancel(job.id, job.name);
    return;
  }
  await act(parts, attempt, decide(await viewOf(parts, attempt, jobs), parts.settings.patience));
}

async function viewOf(parts: Parts, attempt: SlurmAttempt, jobs: readonly SlurmJob[]): Promise<View> {
  const { disk, clock } = parts;
  const folder = attemptPath(parts, attempt.key);
  const start =
    attempt.claim === null
      ? await readStart(disk, folder)
      : { record: attempt.claim, unixSeconds: attempt.started!.unixSeconds };
  const own = jobs.find(({ id }) => id === attempt.claim?.slurmJob);
  const now = clock.monotonicSeconds();
  const isSaidToRun = own !== undefined && ["RUNNING", "SUSPENDED"].includes(own.state);
  // Once they have its end they are read until that counts.
  const isDue = attempt.oddSince !== null || now >= attempt.recordsSeenAt + RECORDS_SECONDS;
  const mayHaveEnded = start !== null && (!isSaidToRun || isDue);
  if (mayHaveEnded) attempt.recordsSeenAt = now;
  return {
    now,
    attempt,
    jobs,
    start,
    exit: mayHaveEnded ? await readExit(disk, folder) : null,
    wasStartedAgain: mayHaveEnded && (await text(disk, `${folder}/${FILES.again}`)) !== null,
    areMachinesUp: attempt.note.placement.every(({ machine }) => parts.machine(machine)?.state === "up"),
    registeredSince: parts.registeredSince(attempt.note.placement.map(({ machine }) => machine)),
  };
}

async function act(parts: Parts, attempt: SlurmAttempt, step: Step): Promise<void> {
  const { id } = attempt;
  const isOdd = step.do === "hold" || (step.do === "wait" && step.isOdd);
  attempt.oddSince = isOdd ? (attempt.oddSince ?? parts.clock.monotonicSeconds()) : null;
  switch (step.do) {
    case "wait":
      return;
    case "submit":
      return submit(parts, attempt);
    case "fence":
      return fence(parts, attempt, step.outcome);
    case "began": {
      const start = await readStart(parts.disk, attemptPath(parts, attempt.key));
      if (start?.record?.kind !== "claim") return;
      markStarted(attempt, start.record, start);
      parts.report(attempt.started!);
      return parts.saveStart(attempt);
    }
    case "finish":
      return finish(parts, attempt, step.outcome);
    case "say":
      attempt.state = step.state;
      attempt.requestedState = null;
      return parts.report({ kind: step.state === "suspended" ? "suspended" : "resumed", id });
    case "end":
      return endAttempt(parts, id, attempt, step.cause, attempt.note.limits.graceSeconds);
    default:
      return command(parts, attempt, step.do, step.job);
  }
}

async function command(parts: Parts, attempt: SlurmAttempt, name: JobCommand, job: SlurmJob): Promise<void> {
  const answer: Answer<string> = await parts.cli[name](job.id, attempt.key);
  const now = parts.clock.monotonicSeconds();
  attempt.changedAt = now + (name === "suspend" ? STOPPING_SECONDS : 0);
  if (answer.ok) {
    if (name === "resume") attempt.resumedAt = now;
    if (name === "terminate") {
      attempt.isTerminated = true;
      // An earlier service ended it, and the time of that is lost: the grace begins anew.
      attempt.killAt ??= now + attempt.note.limits.graceSeconds;
    }
    return parts.lookSoon();
  }
  // The request stands until it can be carried out.
  if (answer.why === "unreachable") return parts.unreachable(answer.reason);
  // If SIGTERM cannot be sent, the job is cancelled all the same.
  if (attempt.ending !== null) attempt.isTerminated = true;
  else if (name === "suspend" || name === "resume") {
    attempt.requestedState = null;
    parts.report({ kind: `${name}-failed`, id: attempt.id, reason: answer.reason });
  }
}
