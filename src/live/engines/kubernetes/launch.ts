import type { StartFailed, StartRequest } from "../engine.ts";
import { startFailed } from "../outcome.ts";
import { requestProblem } from "../request.ts";
import { diskFailure } from "../system/disk.ts";
import { newAttempt, NO_RECORD, type AttemptRecord } from "./attempt.ts";
import { finish, save } from "./end.ts";
import type { Parts } from "./parts.ts";
import { refusalOf } from "./refusal.ts";
import { podOf } from "./pod.ts";

/** Starts an attempt that is not known. From its record on, later engines know it. */
export async function launch(parts: Parts, request: StartRequest): Promise<void> {
  const refusal = requestRefusal(request) ?? machineRefusal(parts, request);
  const { id, placement, limits } = request;
  const record: AttemptRecord =
    refusal === null ? { ...NO_RECORD, placement, limits, pod: podOf(request, parts.settings) } : NO_RECORD;
  const attempt = newAttempt(id, record);
  parts.attempts.set(attempt.key, attempt);
  if (refusal !== null) return finish(parts, attempt, refusal);
  attempt.presence = "gone";
  try {
    await save(parts, attempt);
  } catch (error) {
    return finish(parts, attempt, startFailed(id, "transient", diskFailure(error)));
  }
  attempt.isWanted = true;
  parts.reconcileSoon(attempt);
}

function requestRefusal(request: StartRequest): StartFailed | null {
  const { id, placement, stdinPath = null, stdoutPath, stderrPath } = request;
  const problem = requestProblem(request);
  if (problem !== null) return startFailed(id, "job", problem);
  if (placement.length > 1)
    return startFailed(id, "job", `it is placed on ${placement.length} machines, and a pod is on one`);
  const refusal = refusalOf({
    input: stdinPath,
    output: stdoutPath,
    errorOutput: stderrPath,
    signal: request.limits.warning ?? null,
    gpus: placement[0]!.gpuMilli / 1000,
  });
  return refusal === null ? null : startFailed(id, "job", refusal);
}

function machineRefusal(parts: Parts, { id, placement }: StartRequest): StartFailed | null {
  const { machine: name } = placement[0]!;
  const machine = parts.machine(name);
  if (machine === undefined) return startFailed(id, "machine", `there is no machine ${name}`);
  if (machine.state !== "up") return startFailed(id, "machine", `${name} is ${machine.state}`);
  return null;
}
