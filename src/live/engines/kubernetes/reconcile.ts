import type { Outcome, StartFailed } from "../engine.ts";
import { neverRan, startFailed } from "../outcome.ts";
import type { KubernetesAttempt } from "./attempt.ts";
import { isPassing, isUnauthorized, type ApiAnswer, type ApiFailure } from "./connection.ts";
import { change, finish, tellLostOutput } from "./end.ts";
import { isOlder, type Pod } from "./objects.ts";
import type { Output } from "./output.ts";
import { podsPath, type Parts } from "./parts.ts";
import { isMadeFor, podNameOf } from "./pod.ts";
import { goneOutcome, startedAtOf, verdictOf } from "./verdict.ts";

const RETRY_SECONDS = { first: 0.2, longest: 30 };

/**
 * Compares what is wished of an attempt with what is seen of its pod, and does what is next. It is called at each change
 * of either, as often as may be, and for one attempt never twice at a time.
 */
export async function reconcile(parts: Parts, attempt: KubernetesAttempt, output: Output): Promise<void> {
  const { record, pod } = attempt;
  if (attempt.state === "over") return removeLeftover(parts, attempt);
  if (record.uid === null) {
    if (record.ending !== null) return fence(parts, attempt);
    return attempt.isWanted ? create(parts, attempt) : undefined;
  }
  if (attempt.presence === "missing") return look(parts, attempt);
  const wasAsked = record.ending !== null;
  if (pod !== null && attempt.isBound) {
    const verdict = verdictOf(attempt.id, pod, wasAsked);
    if (verdict.is === "over") return conclude(parts, attempt, output, verdict.outcome);
    if (verdict.is === "running") {
      began(parts, attempt, output, verdict.sinceUnixSeconds);
      if (
        verdict.isFailed &&
        attempt.presence === "there" &&
        record.ending === null &&
        isLeft(parts, attempt)
      )
        return remove(parts, attempt, record.limits.graceSeconds);
    } else if (record.ending === null && hasNoPatience(parts, attempt)) {
      const reason = `it has not started on ${pod.spec.nodeName} within ${parts.settings.startPatienceSeconds} s: ${verdict.reason}`;
      await change(parts, attempt, { ending: { cause: "patience", graceSeconds: 0, reason } });
    }
  }
  if (attempt.presence === "gone")
    return conclude(parts, attempt, output, goneOutcome(attempt.id, pod, attempt.isFinal, wasAsked));
  if (attempt.record.ending !== null) return remove(parts, attempt, attempt.record.ending.graceSeconds);
  if (!attempt.isBound && attempt.isWanted) return bind(parts, attempt);
}

/** Nothing of it was bound, so nothing of it has run or will. */
async function fence(parts: Parts, attempt: KubernetesAttempt): Promise<void> {
  await finish(parts, attempt, neverRan(attempt.id));
}

async function create(parts: Parts, attempt: KubernetesAttempt): Promise<void> {
  const { id, record } = attempt;
  const created = await parts.connection.call({ method: "POST", path: podsPath(parts), body: record.pod });
  const answer = !created.ok && created.status === 409 ? await get(parts, attempt) : created;
  if (!answer.ok) {
    // A pod of that name that is not there any more was about to go.
    if (isPassing(answer) || isUnauthorized(answer) || answer !== created)
      return later(parts, attempt, answer);
    return finish(parts, attempt, startFailed(id, faultOf(answer), refusalOf(parts, answer)));
  }
  const pod = answer.value as Pod;
  if (!isMadeFor(attempt.key, pod)) {
    const reason = `there is a pod ${pod.metadata.name} that is not this attempt's`;
    return finish(parts, attempt, startFailed(id, "transient", reason));
  }
  attempt.failures = 0;
  await change(parts, attempt, { uid: pod.metadata.uid });
  seePod(parts, attempt, pod);
  parts.reconcileSoon(attempt);
}

/** Whose fault it is that the API refuses a pod: what it says must not be, or what its rights and quotas forbid now. */
function faultOf({ status }: ApiFailure): StartFailed["fault"] {
  return status === 422 || status === 400 ? "job" : "transient";
}

/** What it is about: a quota is the namespace's, and no machine has too little. */
function refusalOf({ settings: { namespace } }: Parts, { status, message }: ApiFailure): string {
  const [, quota, amounts] = /exceeded quota: ([^,]+), (.+)$/s.exec(message) ?? [];
  if (status !== 403 || quota === undefined) return message;
  return `the quota ${quota} of the namespace ${namespace} is used up: ${amounts}`;
}

async function bind(parts: Parts, attempt: KubernetesAttempt): Promise<void> {
  const { id, record } = attempt;
  const name = podNameOf(id);
  const node = record.placement[0]!.machine;
  const answer = await parts.connection.call({
    method: "POST",
    path: `${podsPath(parts)}/${name}/binding`,
    body: {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name, uid: record.uid },
      target: { apiVersion: "v1", kind: "Node", name: node },
    },
  });
  if (answer.ok) {
    attempt.failures = 0;
    return markBound(parts, attempt);
  }
  // It is bound already, or it is another pod by now, or none: the pod tells.
  if (answer.status === 409 || answer.status === 404) {
    attempt.presence = "missing";
    return look(parts, attempt);
  }
  if (isPassing(answer) || isUnauthorized(answer)) return later(parts, attempt, answer);
  const reason = `it could not be bound to ${node}: ${answer.message}`;
  // A right that is missing, or not known yet to a server that has just started, is no fault of the machine.
  const cause = answer.status === 403 ? "refused" : "patience";
  await change(parts, attempt, { ending: { cause, graceSeconds: 0, reason } });
  parts.reconcileSoon(attempt);
}

/** Asks for a pod that a list did not have. */
async function look(parts: Parts, attempt: KubernetesAttempt): Promise<void> {
  const answer = await get(parts, attempt);
  if (!answer.ok && answer.status !== 404) return later(parts, attempt, answer);
  const pod = answer.ok ? (answer.value as Pod) : null;
  attempt.failures = 0;
  if (pod?.metadata.uid === attempt.record.uid) seePod(parts, attempt, pod);
  else attempt.presence = "gone";
  parts.reconcileSoon(attempt);
}

/** Takes what was seen of the attempt's own pod. */
export function seePod(parts: Parts, attempt: KubernetesAttempt, pod: Pod): void {
  const { pod: before } = attempt;
  // What is on its way of a watch may be older than what was asked for since.
  if (before !== null && isOlder(pod.metadata.resourceVersion, before.metadata.resourceVersion)) return;
  attempt.pod = pod;
  attempt.presence = "there";
  if (pod.spec.nodeName !== undefined) markBound(parts, attempt);
}

function markBound(parts: Parts, attempt: KubernetesAttempt): void {
  attempt.isBound = true;
  if (attempt.boundAt !== null) return;
  attempt.boundAt = parts.clock.monotonicSeconds();
  parts.clock.after(parts.settings.startPatienceSeconds + 1, () => parts.reconcileSoon(attempt));
}

function hasNoPatience({ clock, settings }: Parts, { boundAt }: KubernetesAttempt): boolean {
  return boundAt !== null && clock.monotonicSeconds() > boundAt + settings.startPatienceSeconds;
}

/**
 * Whether it is long since a pod has failed, and its kubelet does not tell that its container has ended: older ones may
 * never do. It is gone when the kubelet has made sure of that.
 */
function isLeft({ clock, settings, reconcileSoon }: Parts, attempt: KubernetesAttempt): boolean {
  const patience = attempt.record.limits.graceSeconds + settings.startPatienceSeconds;
  const now = clock.monotonicSeconds();
  if (attempt.failedAt !== null) return now > attempt.failedAt + patience;
  attempt.failedAt = now;
  clock.after(patience + 1, () => reconcileSoon(attempt));
  return false;
}

function began(parts: Parts, attempt: KubernetesAttempt, output: Output, unixSeconds: number): void {
  output.follow(attempt);
  if (attempt.state === "running") return;
  attempt.state = "running";
  const machines = [attempt.pod!.spec.nodeName!];
  attempt.started = { kind: "started", id: attempt.id, machines, unixSeconds };
  parts.report(attempt.started);
}

/** An attempt that is over: what it printed is kept first, since its outcome lets it be forgotten. */
async function conclude(
  parts: Parts,
  attempt: KubernetesAttempt,
  output: Output,
  outcome: Outcome,
): Promise<void> {
  const { pod, record } = attempt;
  // A short one may be over before it was seen to run.
  const startedAt = pod === null || outcome.kind === "start-failed" ? null : startedAtOf(pod);
  if (startedAt !== null) began(parts, attempt, output, startedAt);
  const hasRun = attempt.state === "running";
  // Behind the line that tells of what is lost nothing is added, whether the service was killed since or not.
  if (hasRun && record.lostOutput === undefined) {
    const kept = output.keep(attempt);
    if (kept === null) return;
    if (kept.lost !== null) await tellLostOutput(parts, attempt, kept.lost);
  }
  const { ending } = record;
  if (ending !== null && ending.cause !== "asked" && !hasRun) {
    const fault = ending.cause === "patience" ? "machine" : "transient";
    return finish(parts, attempt, startFailed(attempt.id, fault, ending.reason));
  }
  return finish(parts, attempt, outcome);
}

async function remove(parts: Parts, attempt: KubernetesAttempt, graceSeconds: number): Promise<void> {
  if (attempt.isDeleted) return;
  const answer = await deletePod(parts, attempt.id, attempt.record.uid!, graceSeconds);
  if (answer.ok) {
    attempt.failures = 0;
    attempt.isDeleted = true;
    return;
  }
  // Gone, or another one.
  if (answer.status === 404 || answer.status === 409) {
    attempt.presence = "missing";
    return look(parts, attempt);
  }
  return later(parts, attempt, answer);
}

/** Deletes a pod that was made for an attempt that has ended before it was bound. */
async function removeLeftover(parts: Parts, attempt: KubernetesAttempt): Promise<void> {
  const { pod } = attempt;
  if (pod === null || attempt.presence !== "there" || pod.spec.nodeName !== undefined) return;
  const answer = await deletePod(parts, attempt.id, pod.metadata.uid, 0);
  if (!answer.ok && (isPassing(answer) || isUnauthorized(answer))) later(parts, attempt, answer);
}

/** Deletes the pod with that UID, and no other one of its name. */
export function deletePod(
  parts: Parts,
  id: KubernetesAttempt["id"],
  uid: string,
  graceSeconds: number,
): Promise<ApiAnswer> {
  return parts.connection.call({
    method: "DELETE",
    path: `${podsPath(parts)}/${podNameOf(id)}`,
    body: {
      apiVersion: "v1",
      kind: "DeleteOptions",
      gracePeriodSeconds: Math.ceil(graceSeconds),
      preconditions: { uid },
    },
  });
}

function get(parts: Parts, { id }: KubernetesAttempt): Promise<ApiAnswer> {
  return parts.connection.call({ method: "GET", path: `${podsPath(parts)}/${podNameOf(id)}` });
}

/** Tries again after a pause that grows. */
function later(parts: Parts, attempt: KubernetesAttempt, { retryAfterSeconds }: ApiFailure): void {
  const backoff = Math.min(RETRY_SECONDS.longest, RETRY_SECONDS.first * 2 ** attempt.failures++);
  const pause = Math.max(Math.min(retryAfterSeconds ?? 0, 60), backoff * (0.5 + parts.random()));
  attempt.cancelRetry();
  attempt.cancelRetry = parts.clock.after(pause, () => parts.reconcileSoon(attempt));
}
