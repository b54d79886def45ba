import type { AttemptId } from "../attempt-id.ts";
import type { ExitCause, Exited, Outcome, StartFailed } from "../engine.ts";
import { NO_USAGE, startFailed } from "../outcome.ts";
import type { Pod, Terminated } from "./objects.ts";
import { CONTAINER } from "./pod.ts";

/** What a pod says of its attempt. */
export type Verdict =
  | { readonly is: "waiting"; readonly reason: string }
  /** `isFailed`: its kubelet is about to end it, or has. */
  | { readonly is: "running"; readonly sinceUnixSeconds: number; readonly isFailed: boolean }
  | { readonly is: "over"; readonly outcome: Outcome };

/** What the runtime says of a program that it could not start. */
const NO_START = ["StartError", "ContainerCannotRun", "CreateContainerError"];
/** What the kubelet says of a pod that it ended, or would not have, and that is not the job's doing. */
const BY_KUBELET = ["Evicted", "Preempting", "Shutdown", "NodeShutdown", "Terminated", "NodeLost"];

/** @param wasAsked whether this engine had the pod deleted */
export function verdictOf(id: AttemptId, pod: Pod, wasAsked: boolean): Verdict {
  const { status } = pod;
  const state = status?.containerStatuses?.find(({ name }) => name === CONTAINER)?.state;
  const isTerminal = status?.phase === "Succeeded" || status?.phase === "Failed";
  if (state?.terminated !== undefined) {
    const { terminated } = state;
    if (NO_START.includes(terminated.reason ?? ""))
      return over(startFailed(id, "job", `it cannot be run: ${terminated.message ?? terminated.reason}`));
    return over(exitOf(id, terminated, causeOf(pod, terminated, wasAsked)));
  }
  // Kubelets before 1.27 call a pod failed that they are still about to end.
  if (state?.running !== undefined)
    return {
      is: "running",
      sinceUnixSeconds: unixSeconds(state.running.startedAt) ?? 0,
      isFailed: isTerminal,
    };
  if (isTerminal) return over(unstarted(id, pod, wasAsked));
  const { reason = "", message = "" } = state?.waiting ?? {};
  return { is: "waiting", reason: [reason, message].filter((each) => each !== "").join(": ") };
}

/** Null where its container never began. */
export function startedAtOf({ status }: Pod): number | null {
  const state = status?.containerStatuses?.find(({ name }) => name === CONTAINER)?.state;
  return unixSeconds(state?.running?.startedAt ?? state?.terminated?.startedAt);
}

/** What becomes of an attempt whose pod is gone, and whose end was not seen. */
export function goneOutcome(id: AttemptId, pod: Pod | null, isFinal: boolean, wasAsked: boolean): Outcome {
  const wasNeverBound = isFinal && pod !== null && pod.spec.nodeName === undefined;
  if (wasAsked) return exited(id, null, null, wasNeverBound ? "never-ran" : "asked", null, null);
  if (wasNeverBound) return startFailed(id, "transient", "its pod was deleted before it was on a node");
  const cause = isFinal && pod?.status?.phase === "Failed" ? causeOfKubelet(pod.status) : null;
  if (cause !== null) return exited(id, null, null, cause, null, null);
  return { kind: "lost", id, reason: "its pod was deleted, and its end was not seen" };
}

/** A pod that is over and whose container never began. */
function unstarted(id: AttemptId, { status }: Pod, wasAsked: boolean): StartFailed | Exited {
  const reason = status?.reason ?? "";
  const message = [reason, status?.message ?? ""].filter((each) => each !== "").join(": ");
  if (wasAsked) return exited(id, null, null, "never-ran", null, null);
  // Another scheduler, or another pod of the machine's own, was faster.
  if (reason.startsWith("OutOf")) return startFailed(id, "transient", message);
  const cause = causeOfKubelet(status);
  if (cause !== null) return exited(id, null, null, cause, null, null);
  return startFailed(id, "machine", message === "" ? "its pod has failed, and does not say why" : message);
}

function causeOf({ status, metadata }: Pod, { reason }: Terminated, wasAsked: boolean): ExitCause {
  if (reason === "OOMKilled") return "memory";
  const cause = causeOfKubelet(status);
  if (cause !== null) return cause;
  if (metadata.deletionTimestamp === undefined) return "itself";
  return wasAsked ? "asked" : "outside";
}

/** Why its kubelet has ended a pod; null: it has not. */
function causeOfKubelet(status: Pod["status"]): ExitCause | null {
  const reason = status?.reason ?? "";
  if (reason === "DeadlineExceeded") return "time";
  return BY_KUBELET.includes(reason) ? "outside" : null;
}

function exitOf(id: AttemptId, terminated: Terminated, cause: ExitCause): Exited {
  const { exitCode, signal, startedAt, finishedAt } = terminated;
  const from = unixSeconds(startedAt);
  const to = unixSeconds(finishedAt);
  const shown = exitCode > 128 && exitCode <= 192 ? exitCode - 128 : null;
  const elapsed = from === null || to === null ? null : Math.max(0, to - from);
  return exited(id, exitCode, signal !== undefined && signal > 0 ? signal : shown, cause, elapsed, to);
}

function exited(
  id: AttemptId,
  status: number | null,
  signal: number | null,
  cause: ExitCause,
  elapsedSeconds: number | null,
  endedUnixSeconds: number | null,
): Exited {
  return {
    kind: "exited",
    id,
    status,
    signal,
    cause,
    usage: { ...NO_USAGE, elapsedSeconds },
    unixSeconds: endedUnixSeconds,
  };
}

function over(outcome: Outcome): Verdict {
  return { is: "over", outcome };
}

function unixSeconds(time: string | undefined): number | null {
  const milliseconds = Date.parse(time ?? "");
  // The API's zero time is the year 1.
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds / 1000 : null;
}
