import type { EngineEvent, PlainRequest } from "./events.ts";
import type { EngineSettings } from "./settings.ts";

/** Amounts are 32-bit integers, and so are the products that the books keep of a request. */
const MOST = 2 ** 31 - 1;

/** Whether an event has the fields of its type, each in its range; what comes over a wire need not. */
export class EventChecks {
  private readonly settings: EngineSettings;

  constructor(settings: EngineSettings) {
    this.settings = settings;
  }

  isEvent(event: EngineEvent): boolean {
    if (typeof event !== "object" || event === null || !Number.isFinite(event.at)) return false;
    switch (event.type) {
      case "tick":
        return true;
      case "machineUp":
      case "machineDown":
      case "machineDrained":
      case "machineUndrained":
      case "machineRemoved":
        return true;
      case "machineAdded":
      case "machineChanged":
        return (
          isCount(event.coresMilli, 1, MOST) &&
          isCount(event.memoryMiB, 0, MOST) &&
          isCount(event.gpuMilli, 0, MOST) &&
          isCount(event.group, 0, MOST)
        );
      case "submitted":
        return isNumber(event.job) && event.job >= 1 && this.isRequest(event.request);
      case "held":
      case "released":
      case "cancelled":
        return isNumber(event.job);
      case "changed":
        return (
          isNumber(event.job) &&
          (event.priority === undefined || this.isPriority(event.priority)) &&
          (event.estimateSeconds === undefined || isEstimate(event.estimateSeconds))
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

  private isRequest(request: PlainRequest): boolean {
    if (typeof request !== "object" || request === null) return false;
    const { virtualPools, candidateLists, pools } = this.settings;
    const most = (amount: number): boolean => isCount(amount, 0, MOST);
    return (
      isCount(request.cores, 1, MOST) &&
      most(request.memory) &&
      most(request.gpu) &&
      isCount(request.tasks, 1, MOST) &&
      most(request.project) &&
      pools.every(({ shares }) => shares === undefined || request.project < shares.leafOf.length) &&
      isCount(request.heuristic, -1, (pools[0]?.named?.length ?? 0) - 1) &&
      isEstimate(request.estimateSeconds) &&
      most(request.requirement ?? 0) &&
      most(request.owner ?? 0) &&
      pools.every(({ packing }) => (request.family ?? 0) <= (packing?.families ?? 0)) &&
      most(request.family ?? 0) &&
      isCount(request.virtualPool, 0, virtualPools.length - 1) &&
      isCount(request.candidates, 0, candidateLists.length - 1) &&
      this.isPriority(request.priority) &&
      most(request.retries ?? 0)
    );
  }

  private isPriority(priority: number): boolean {
    return isCount(priority, 0, this.settings.priorities - 1);
  }
}

function isCount(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

/** A number of a job, an attempt, a decision or a machine. There need be none of it. */
function isNumber(value: number): boolean {
  return Number.isSafeInteger(value);
}

function isAboutAttempt({ job, attempt }: { readonly job: number; readonly attempt: number }): boolean {
  return isNumber(job) && isNumber(attempt);
}

function isEstimate(seconds: number | null): boolean {
  return seconds === null || (typeof seconds === "number" && seconds >= 0);
}
