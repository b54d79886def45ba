import { attemptKey } from "../attempt-id.ts";
import type { StartFailed, StartRequest } from "../engine.ts";
import { startFailed } from "../outcome.ts";
import { requestProblem } from "../request.ts";
import { diskFailure } from "../system/disk.ts";
import { launchFile } from "../wrapper/launch-file.ts";
import { FILES } from "../wrapper/records.ts";
import { newAttempt, type SlurmAttempt, type SlurmNote } from "./attempt.ts";
import { fence, finish } from "./end.ts";
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
  if (request.limits.warning !== undefined)
    return startFailed(request.id, "job", "in a pool of Slurm no signal can be had before its time is over");
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
