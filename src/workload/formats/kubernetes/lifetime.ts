import type { InstantReader } from "../../input/instants.ts";
import { at, isObject, listOf, textOf } from "../../input/json.ts";
import type { JsonObject } from "../../input/json.ts";

/** Why a node refuses a pod that was bound to it: what Kubernetes' predicates and admission handlers name. */
const REFUSED =
  /^(OutOf\w.*|Node(Affinity|Name|Ports)|TaintToleration|UnexpectedAdmissionError|TopologyAffinityError|SMTAlignmentError|PodOS\w+)$/;
/** A pod that was never ready is not from when the kubelet began with it, up to so many seconds later. */
const BEGINNING_SECONDS = 2;

/**
 * Whether the node refused the pod, so that none of its containers ran: the kubelet's message begins with "Pod was
 * rejected", and before version 1.31 or so with "Pod" and its reason. Whoever ran has the state of a container.
 */
export function isRefused(status: unknown): boolean {
  const reason = textOf(at(status, "reason"));
  const message = textOf(at(status, "message"));
  const ran = statusesOf(status).some(
    (each) => isObject(at(each, "state", "terminated")) || isObject(at(each, "lastState", "terminated")),
  );
  if (at(status, "phase") !== "Failed" || ran) return false;
  return REFUSED.test(reason) || /^Pod (was rejected\b|The node had condition\b)/.test(message);
}

function statusesOf(status: unknown): readonly unknown[] {
  return [...listOf(at(status, "containerStatuses")), ...listOf(at(status, "initContainerStatuses"))];
}

/**
 * When the last container ended. Where the end of some is not told, as of a pod that was evicted or whose node was lost,
 * no earlier than when it was evicted, or ceased to be ready.
 */
export function endOf(instants: InstantReader, spec: unknown, status: unknown): number {
  const statuses = statusesOf(status);
  const terminated = statuses.map((container) => at(container, "state", "terminated"));
  const ends = terminated
    .map((each) => time(instants, at(each, "finishedAt")))
    .filter((seconds) => seconds > 0);
  const containers = listOf(at(status, "containerStatuses"));
  const areAllTold =
    containers.length >= listOf(at(spec, "containers")).length &&
    containers.every((container) => time(instants, at(container, "state", "terminated", "finishedAt")) > 0);
  const last = Math.max(...ends);
  if (ends.length > 0 && (areAllTold || at(status, "phase") === "Succeeded")) return last;
  const evicted = conditionTime(instants, status, "DisruptionTarget");
  if (evicted > 0) return Math.max(last, evicted);
  const ready = condition(status, "Ready");
  const unready =
    at(ready, "status") === "False" ? time(instants, at(ready, "lastTransitionTime")) : Number.NaN;
  if (unready > 0 && !(unready <= time(instants, at(status, "startTime")) + BEGINNING_SECONDS))
    return Math.max(last, unready);
  // An init container that failed was the last to run.
  const hasFailed = terminated.some((each) => isObject(each) && each["exitCode"] !== 0);
  return ends.length > 0 && hasFailed ? last : Number.NaN;
}

export function condition(status: unknown, type: string): JsonObject | undefined {
  return listOf(at(status, "conditions")).find(
    (each): each is JsonObject => isObject(each) && each["type"] === type,
  );
}

/** When a condition became true; NaN if it is not. */
export function conditionTime(instants: InstantReader, status: unknown, type: string): number {
  const found = condition(status, type);
  return at(found, "status") === "True" ? time(instants, at(found, "lastTransitionTime")) : Number.NaN;
}

export function time(instants: InstantReader, value: unknown): number {
  const bytes = new TextEncoder().encode(textOf(value));
  return instants.read(bytes, 0, bytes.length);
}
