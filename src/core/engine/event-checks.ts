import type { EngineEvent, PlainRequest } from "./events.ts";
import type { EngineSettings } from "./settings.ts";

/** Amounts are 32-bit integers, and so are a request's amounts times its tasks. */
export const MAX_AMOUNT = 2 ** 31 - 1;

/**
 * No event is further than this from 0, in seconds: a million years. Seconds added to a far greater number are lost, and
 * the time of the next cycle would never come.
 */
export const MAX_TIME_SECONDS = 2 ** 45;

/** Whether an event has the fields of its type, each within its range. Events from a wire or a journal may not. */
export function isEvent(settings: EngineSettings, event: EngineEvent): boolean {
  if (typeof event !== "object" || event === null || !isTime(event.at)) return false;
  switch (event.type) {
    case "tick":
      return true;
    case "machineUp":
    case "machineDown":
    case "machineDrained":
    case "machineUndrained":
    case "machineRemoved":
      return isNumber(event.pool) && isNumber(event.machine);
    case "machineAdded":
    case "machineChanged":
      return (
        isNumber(event.pool) &&
        isNumber(event.machine) &&
        isCount(event.coresMilli, 1, MAX_AMOUNT) &&
        isCount(event.memoryMiB, 0, MAX_AMOUNT) &&
        isCount(event.gpuMilli, 0, MAX_AMOUNT) &&
        isCount(event.group, 0, MAX_AMOUNT)
      );
    case "submitted":
      return isNumber(event.job) && event.job >= 1 && isRequest(settings, event.request);
    case "held":
    case "released":
    case "cancelled":
    case "asked":
      return isNumber(event.job);
    case "changed":
      return (
        isNumber(event.job) &&
        (event.priority === undefined || isPriority(settings, event.priority)) &&
        (event.estimateSeconds === undefined || isEstimate(event.estimateSeconds)) &&
        isCount(event.cores ?? 1, 1, MAX_AMOUNT) &&
        isCount(event.memory ?? 0, 0, MAX_AMOUNT) &&
        isCount(event.gpu ?? 0, 0, MAX_AMOUNT) &&
        ((event.virtualPool === undefined && event.candidates === undefined) || isPlace(settings, event))
      );
    case "arrived":
      return isNumber(event.job) && isNumber(event.decision);
    case "startFailed":
      return (
        isAboutAttempt(event) &&
        isNumber(event.decision) &&
        isNumber(event.machine) &&
        ["machine", "job", "transient"].includes(event.fault)
      );
    case "started":
    case "suspended":
    case "suspendFailed":
    case "resumed":
    case "resumeFailed":
    case "killed":
      return isAboutAttempt(event) && isNumber(event.decision);
    case "exited":
    case "lost":
      return isAboutAttempt(event);
    default:
      return false;
  }
}

function isRequest(settings: EngineSettings, request: PlainRequest): boolean {
  if (typeof request !== "object" || request === null) return false;
  const { pools } = settings;
  const isAmount = (amount: number): boolean => isCount(amount, 0, MAX_AMOUNT);
  return (
    isCount(request.cores, 1, MAX_AMOUNT) &&
    isAmount(request.memory) &&
    isAmount(request.gpu) &&
    isCount(request.tasks, 1, MAX_AMOUNT) &&
    isAmount(request.project) &&
    pools.every(({ shares }) => shares === undefined || request.project < shares.leafOf.length) &&
    isCount(request.heuristic, -1, (pools[0]?.named?.length ?? 0) - 1) &&
    isEstimate(request.estimateSeconds) &&
    isAmount(request.requirement ?? 0) &&
    isAmount(request.owner ?? 0) &&
    pools.every(({ packing }) => (request.family ?? 0) <= (packing?.families ?? 0)) &&
    isAmount(request.family ?? 0) &&
    isAmount(request.licences ?? 0) &&
    pools.every(({ licences }) => licences !== undefined || (request.licences ?? 0) === 0) &&
    isPlace(settings, request) &&
    isPriority(settings, request.priority) &&
    isAmount(request.retries ?? 0)
  );
}

function isPlace(
  { virtualPools, candidateLists }: EngineSettings,
  { virtualPool = -1, candidates = -1 }: { readonly virtualPool?: number; readonly candidates?: number },
): boolean {
  return (
    isCount(virtualPool, 0, virtualPools.length - 1) && isCount(candidates, 0, candidateLists.length - 1)
  );
}

function isPriority(settings: EngineSettings, priority: number): boolean {
  return isCount(priority, 0, settings.priorities - 1);
}

function isTime(at: number): boolean {
  return Number.isFinite(at) && Math.abs(at) <= MAX_TIME_SECONDS;
}

function isCount(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

/** A number of a job, an attempt, a decision, a pool or a machine, whether or not such a one exists. */
function isNumber(value: number): boolean {
  return Number.isSafeInteger(value);
}

function isAboutAttempt({ job, attempt }: { readonly job: number; readonly attempt: number }): boolean {
  return isNumber(job) && isNumber(attempt);
}

function isEstimate(seconds: number | null): boolean {
  return seconds === null || (typeof seconds === "number" && seconds >= 0);
}
