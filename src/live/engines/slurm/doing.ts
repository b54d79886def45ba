import { attemptKey, type AttemptId } from "../attempt-id.ts";
import type { Exited, Outcome, StartFailed, StartRequest } from "../engine.ts";
import { neverRan, startFailed } from "../outcome.ts";
import { requestProblem } from "../request.ts";
import { diskFailure } from "../system/disk.ts";
import type { EndCause } from "../wrapper/attempt-folder.ts";
import { launchFile } from "../wrapper/launch-file.ts";
import { fenceText, FILES } from "../wrapper/records.ts";
import { newAttempt, NO_NOTE, type SlurmAttempt, type SlurmNote } from "./attempt.ts";
import { attemptPath, wrapperPath, type Parts } from "./parts.ts";
import { refusalOf, submissionArgs } from "./submission.ts";

/** Starts an attempt that is not known. */
export async function launch(parts: Parts, request: StartRequest): Promise<void> {
  const { id, placement, limits } = request;
  const runner = await parts.users.runner(request.user);
  const refusal =
    placementProblem(parts, request) ??
    ("refused" in runner ? startFailed(id, runner.fault, runner.refused) : null);
  const user = "refused" in runner ? null : runner.user;
  const note: SlurmNote = {
    placement,
    limits,
    user: user === null ? null : { uid: user.uid, gid: user.gid },
  };
  const attempt = newAttempt(id, note);
  parts.attempts.set(attempt.key, attempt);
  if (refusal !== null || "refused" in runner) return finish(parts, attempt, refusal!);
  try {
    await prepare(parts, request, note, runner.variables);
  } catch (error) {
    return finish(parts, attempt, startFailed(id, "transient", diskFailure(error)));
  }
  attempt.isWanted = true;
  await submit(parts, attempt);
}

function placementProblem(parts: Parts, request: StartRequest): StartFailed | null {
  const problem = requestProblem(request);
  if (problem !== null) return startFailed(request.id, "job", problem);
  for (const { machine: name } of request.placement) {
    const machine = parts.machine(name);
    if (machine === undefined) return startFailed(request.id, "machine", `there is no machine ${name}`);
    if (machine.state !== "up") return startFailed(request.id, "machine", `${name} is ${machine.state}`);
  }
  return null;
}

/** Prepares the attempt's folder. From then on later engines know the attempt. */
async function prepare(
  parts: Parts,
  request: StartRequest,
  note: SlurmNote,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const { disk } = parts;
  const folder = attemptPath(parts, attemptKey(request.id));
  const path = `${folder}/${FILES.launch}`;
  const text = launchFile(request, variables, JSON.stringify(note));
  if (!(await disk.createIn(folder, FILES.launch, text))) await disk.writeWhole(path, text);
  if (note.user === null) return;
  // Its wrapper runs as its user, and writes its records there.
  for (const each of [path, folder]) await disk.give(each, note.user.uid, note.user.gid);
}

export async function submit(parts: Parts, attempt: SlurmAttempt): Promise<void> {
  attempt.submittedAt = parts.clock.monotonicSeconds();
  attempt.mayBeQueued = true;
  const paths = { wrapper: wrapperPath(parts), attempt: attemptPath(parts, attempt.key) };
  const args = submissionArgs(attempt, paths, { partition: parts.settings.partition, sync: "sync" });
  const answer = await parts.cli.submit(args, attempt.key);
  attempt.changedAt = parts.clock.monotonicSeconds();
  attempt.oddSince = null;
  if (!answer.ok && answer.why === "refused") return fence(parts, attempt, refusalOf(attempt, answer));
  // Slurm may have taken it all the same: the queue will show it.
  if (!answer.ok) parts.unreachable(answer.reason);
  parts.lookSoon();
}

/** Makes sure that the attempt never runs, and has this outcome, unless it claims at the last moment. */
export async function fence(
  parts: Parts,
  attempt: SlurmAttempt,
  outcome: StartFailed | Exited,
): Promise<void> {
  const folder = attemptPath(parts, attempt.key);
  const isFenced = await parts.insist(() => parts.disk.createIn(folder, FILES.start, fenceText(outcome)));
  if (isFenced) finish(parts, attempt, outcome);
  else parts.lookSoon();
}

/** Keeps the outcome of an attempt, and reports it. */
export function finish(parts: Parts, attempt: SlurmAttempt, outcome: Outcome): void {
  attempt.state = "over";
  attempt.outcome = outcome;
  parts.report(outcome);
}

/** Ends an attempt; one that has not run never will. */
export async function endAttempt(
  parts: Parts,
  id: AttemptId,
  known: SlurmAttempt | undefined,
  cause: EndCause,
  graceSeconds: number,
): Promise<void> {
  const attempt = known ?? newAttempt(id, NO_NOTE);
  parts.attempts.set(attempt.key, attempt);
  if (attempt.claim === null) {
    await fence(parts, attempt, neverRan(id));
    if (attempt.outcome !== null) return;
  }
  if (attempt.ending === null) {
    attempt.ending = cause;
    // If the disk is full it is ended all the same, but a later service will not know why.
    await parts.disk
      .create(`${attemptPath(parts, attempt.key)}/${FILES.ending}`, `${cause}\n`)
      .catch(() => false);
  }
  const killAt = parts.clock.monotonicSeconds() + graceSeconds;
  attempt.killAt = Math.min(killAt, attempt.killAt ?? Infinity);
  parts.lookSoon();
}
