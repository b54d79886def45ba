import type { StartFailed, StartRequest } from "../engine.ts";
import { startFailed } from "../outcome.ts";
import { requestProblem } from "../request.ts";
import { diskFailure } from "../system/disk.ts";
import { newAttempt, NO_RECORD, type AttemptRecord } from "./attempt.ts";
import { finish, save } from "./end.ts";
import type { Parts } from "./parts.ts";
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
  if (request.limits.warning !== undefined)
    return startFailed(id, "job", "a pod gets no signal before its time is over, but for SIGTERM");
  if (stdinPath !== null)
    return startFailed(
      id,
      "job",
      `a pod cannot read ${stdinPath} of the service's machine: let its command read it from a volume`,
    );
  const path = stdoutPath ?? stderrPath;
  if (path !== null)
    return startFailed(
      id,
      "job",
      `a pod cannot write to ${path} of the service's machine: name no file, and the farm keeps its output`,
    );
  if (placement[0]!.gpuMilli % 1000 !== 0)
    return startFailed(id, "job", "a pod has whole GPUs, and a part of one is asked for");
  return null;
}

function machineRefusal(parts: Parts, { id, placement }: StartRequest): StartFailed | null {
  const { machine: name } = placement[0]!;
  const machine = parts.machine(name);
  if (machine === undefined) return startFailed(id, "machine", `there is no machine ${name}`);
  if (machine.state !== "up") return startFailed(id, "machine", `${name} is ${machine.state}`);
  return null;
}
