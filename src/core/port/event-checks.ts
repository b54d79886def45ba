import type { Booking } from "../bookings/bookings.ts";
import type { EngineSettings } from "../engine/settings.ts";
import type { MachineTasks } from "../jobs/placements.ts";
import type { EngineEvent, PlainRequest } from "./events.ts";

/** Amounts are 32-bit integers, and so are a request's amounts times its tasks. */
export const MAX_AMOUNT = 2 ** 31 - 1;

/**
 * No event is further than this from 0, in seconds: a million years. Seconds added to a far greater number are lost, and
 * the time of the next cycle would never come.
 */
export const MAX_TIME_SECONDS = 2 ** 45;

/** Checks that events have the fields of their type, each within its range. Events from a wire or a journal may not. */
export class EventChecks {
  /** The largest number of each that a job may name. */
  private readonly project: number;
  private readonly family: number;
  private readonly licences: number;
  private readonly account: number;
  private readonly heuristic: number;
  private readonly virtualPool: number;
  private readonly candidates: number;
  private readonly priority: number;

  constructor({ pools, virtualPools, candidateLists, priorities, limits }: EngineSettings) {
    this.account =
      limits === undefined && pools.every(({ bookings }) => bookings === undefined) ? 0 : MAX_AMOUNT;
    const least = (of: (pool: EngineSettings["pools"][number]) => number): number =>
      Math.min(MAX_AMOUNT, ...pools.map(of));
    this.project = least(({ shares }) => (shares === undefined ? MAX_AMOUNT : shares.leafOf.length - 1));
    this.family = least(({ packing }) => packing?.families ?? 0);
    this.licences = least(({ licences }) => (licences === undefined ? 0 : MAX_AMOUNT));
    this.heuristic = (pools[0]?.named?.length ?? 0) - 1;
    this.virtualPool = virtualPools.length - 1;
    this.candidates = candidateLists.length - 1;
    this.priority = priorities - 1;
  }

  isEvent(event: EngineEvent): boolean {
    if (typeof event !== "object" || event === null || !isTime(event.at)) return false;
    switch (event.type) {
      case "exited":
      case "lost":
        return isAboutAttempt(event);
      case "spared":
        return isAboutAttempt(event) && isTime(event.until);
      case "started":
      case "suspended":
      case "suspendFailed":
      case "resumed":
      case "resumeFailed":
      case "killed":
        return isAboutAttempt(event) && isNumber(event.decision!);
      case "submitted":
        return isNumber(event.job) && event.job >= 1 && this.isRequest(event.request);
      case "found":
        return (
          isNumber(event.job) &&
          event.job >= 1 &&
          this.isRequest(event.request) &&
          isNumber(event.pool) &&
          isPlacement(event.placement, event.request.tasks)
        );
      case "tick":
        return true;
      case "arrived":
        return isNumber(event.job) && isNumber(event.decision!);
      case "startFailed":
        return (
          isAboutAttempt(event) &&
          isNumber(event.decision!) &&
          isNumber(event.machine) &&
          ["machine", "job", "transient"].includes(event.fault)
        );
      case "expected":
        return isNumber(event.job) && typeof event.until === "number" && !Number.isNaN(event.until);
      case "held":
      case "released":
      case "cancelled":
      case "asked":
        return isNumber(event.job);
      case "changed":
        return (
          isNumber(event.job) &&
          (event.priority === undefined || isCount(event.priority, 0, this.priority)) &&
          (event.estimateSeconds === undefined || isEstimate(event.estimateSeconds)) &&
          isCount(event.cores ?? 1, 1, MAX_AMOUNT) &&
          isCount(event.memory ?? 0, 0, MAX_AMOUNT) &&
          isCount(event.gpu ?? 0, 0, MAX_AMOUNT) &&
          isCount(event.requirement ?? 0, 0, MAX_AMOUNT) &&
          ((event.virtualPool === undefined && event.candidates === undefined) || this.isPlace(event))
        );
      case "machineUp":
      case "machineDown":
      case "machineDrained":
      case "machineUndrained":
      case "machineRemoved":
        return isNumber(event.pool) && isNumber(event.machine);
      case "booked":
        return isNumber(event.pool) && this.isBooking(event.booking);
      case "unbooked":
        return isNumber(event.pool) && isNumber(event.booking);
      case "machineAdded":
      case "machineChanged":
        return (
          isNumber(event.pool) &&
          isNumber(event.machine) &&
          // None: others have all that it has, for now.
          isCount(event.coresMilli, 0, MAX_AMOUNT) &&
          isCount(event.memoryMiB, 0, MAX_AMOUNT) &&
          isCount(event.gpuMilli, 0, MAX_AMOUNT) &&
          isCount(event.group, 0, MAX_AMOUNT)
        );
      default:
        return false;
    }
  }

  private isRequest(request: PlainRequest): boolean {
    if (typeof request !== "object" || request === null) return false;
    return (
      isCount(request.cores, 1, MAX_AMOUNT) &&
      isCount(request.memory, 0, MAX_AMOUNT) &&
      isCount(request.gpu, 0, MAX_AMOUNT) &&
      isCount(request.tasks, 1, MAX_AMOUNT) &&
      isCount(request.project, 0, this.project) &&
      isCount(request.heuristic, -1, this.heuristic) &&
      isEstimate(request.estimateSeconds) &&
      isCount(request.requirement ?? 0, 0, MAX_AMOUNT) &&
      isCount(request.owner ?? 0, 0, MAX_AMOUNT) &&
      isCount(request.family ?? 0, 0, this.family) &&
      isCount(request.licences ?? 0, 0, this.licences) &&
      isCount(request.account ?? 0, 0, this.account) &&
      this.isPlace(request) &&
      isCount(request.priority, 0, this.priority) &&
      isCount(request.retries ?? 0, 0, MAX_AMOUNT)
    );
  }

  private isBooking(booking: Booking): boolean {
    if (typeof booking !== "object" || booking === null || !Array.isArray(booking.machines)) return false;
    const { number, machines, from, until, people } = booking;
    return (
      isCount(number, 1, MAX_AMOUNT) &&
      machines.length > 0 &&
      machines.every(isNumber) &&
      new Set(machines).size === machines.length &&
      isTime(from) &&
      isTime(until) &&
      from < until &&
      isCount(people, 0, MAX_AMOUNT)
    );
  }

  private isPlace({
    virtualPool = -1,
    candidates = -1,
  }: {
    readonly virtualPool?: number;
    readonly candidates?: number;
  }): boolean {
    return isCount(virtualPool, 0, this.virtualPool) && isCount(candidates, 0, this.candidates);
  }
}

function isPlacement(placement: readonly MachineTasks[], tasks: number): boolean {
  return (
    Array.isArray(placement) &&
    placement.every(
      (each) =>
        typeof each === "object" && each !== null && isNumber(each.machine) && isCount(each.tasks, 1, tasks),
    ) &&
    placement.reduce((sum, each) => sum + each.tasks, 0) === tasks
  );
}

function isAboutAttempt({ job, attempt }: { readonly job: number; readonly attempt?: number }): boolean {
  return isNumber(job) && isNumber(attempt!);
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

function isEstimate(seconds: number | null): boolean {
  return seconds === null || (typeof seconds === "number" && seconds >= 0);
}
