import { unmetParts, type Rejection, type Requirement } from "../../core/index.ts";
import { rejectionText, type Reason } from "../../simulation/index.ts";
import type { LiveJob } from "./books.ts";
import type { LivePool } from "./live-pool.ts";
import { attributesOfMachine, type PlainFarm } from "./plain-farm.ts";
import type { Requirements } from "./requirements.ts";
import type { Service } from "./service.ts";

/** Why a job does not run, as it is now. */
export interface LiveExplanation {
  readonly job: number;
  readonly state: string;
  readonly reason: string;
  /** Where it waits; null: it does not. */
  readonly waits: {
    readonly pool: string;
    readonly policy: string;
    /** Waiting jobs of the pool whose turn comes before, the first of them by name. */
    readonly aheadCount: number;
    readonly ahead: readonly number[];
    readonly reasons: readonly Reason[];
    /** Why the pool takes nothing at all; null: it does. */
    readonly unreachable: string | null;
  } | null;
  /** The jobs for which it was suspended, on its machines now. */
  readonly suspendedFor: readonly number[];
}

/** Jobs named of many. */
const NAMED = 5;

/** Why no pool can ever hold a job, in words. */
export function ineligibleOf(rejection: Rejection, requirements: Requirements, farm: PlainFarm): string {
  const text = rejectionText(rejection, requirements.all);
  return farm.pools.length === 1 ? text : `no pool takes it: ${text}`;
}

/** @param requirement of the job; null: none */
export function explain(service: Service, job: LiveJob, requirement: Requirement | null): LiveExplanation {
  const { pools, books } = service;
  const pool = pools.find(({ name }) => name === job.pool);
  const isSuspended = job.state === "suspended" && !job.isPaused;
  const others = [...books.attempts.values()].filter(
    ({ job: other, state, placement }) =>
      other !== job &&
      other.pool === job.pool &&
      state !== "suspended" &&
      placement.some(({ machine }) => job.machines.includes(machine)),
  );
  return {
    job: job.number,
    state: job.state,
    reason: job.reason,
    waits:
      job.state !== "waiting" || pool === undefined ? null : { ...waits(service, job, pool, requirement) },
    suspendedFor: isSuspended ? others.map(({ job: other }) => other.number) : [],
  };
}

function waits(
  service: Service,
  job: LiveJob,
  pool: LivePool,
  requirement: Requirement | null,
): NonNullable<LiveExplanation["waits"]> {
  const ahead = [...service.books.jobs.values()].filter(
    (other) =>
      other.state === "waiting" &&
      (other.priority > job.priority || (other.priority === job.priority && other.number < job.number)) &&
      other.pool === pool.name,
  );
  return {
    pool: pool.name,
    policy: pool.plan.policy,
    aheadCount: ahead.length,
    ahead: ahead.slice(0, NAMED).map(({ number }) => number),
    reasons: reasonsOf(service, job, pool, requirement),
    unreachable: pool.unreachable?.reason ?? null,
  };
}

/** What keeps it from the machines of its pool; each machine counts once. */
function reasonsOf(
  { journal, books }: Service,
  job: LiveJob,
  pool: LivePool,
  requirement: Requirement | null,
): Reason[] {
  const { freeCores, freeMemory, freeGpu } = journal.port.engine.pools[pool.number]!.pool.machines;
  const unmet = new Map<string, { machines: number; part: string; has: string }>();
  let [small, drained, withRoom] = [0, 0, 0];
  const full: number[] = [];
  pool.machines.forEach((machine, at) => {
    const [part] = requirement === null ? [] : unmetParts(requirement, attributesOfMachine(machine));
    if (part !== undefined) {
      const has = part.has
        .map(({ attribute, value }) => `${attribute} is ${value === null ? "not told" : value}`)
        .join(", ");
      const key = `${part.part}\n${has}`;
      const known = unmet.get(key) ?? { machines: 0, part: part.part, has };
      known.machines++;
      unmet.set(key, known);
    } else if (
      machine.coresMilli < job.coresMilli ||
      machine.memoryMiB < job.memoryMiB ||
      machine.gpuMilli < job.gpuMilli
    )
      small++;
    else if (pool.isClosed(at)) drained++;
    else if (
      freeCores[at]! < job.coresMilli ||
      freeMemory[at]! < job.memoryMiB ||
      (job.gpuMilli > 0 && freeGpu[at]! < job.gpuMilli)
    )
      full.push(at);
    else withRoom++;
  });
  const reasons: Reason[] = [...unmet.values()].map((each) => ({ kind: "requirement", ...each }));
  if (small > 0) reasons.push({ kind: "too small", machines: small });
  if (drained > 0) reasons.push({ kind: "drained", machines: drained });
  if (full.length > 0) {
    const short = (at: number): number =>
      Math.max(0, job.coresMilli - freeCores[at]!) / job.coresMilli +
      Math.max(0, job.memoryMiB - freeMemory[at]!) / Math.max(1, job.memoryMiB);
    const nearest = full.reduce((best, at) => (short(at) < short(best) ? at : best));
    const name = pool.machineName(nearest);
    const there = [...books.attempts.values()].filter(
      (attempt) => attempt.pool === pool.number && attempt.placement.some(({ machine }) => machine === name),
    );
    reasons.push({
      kind: "too full",
      machines: full.length,
      nearest: {
        machine: name,
        coresShort: Math.max(0, job.coresMilli - freeCores[nearest]!) / 1000,
        memoryShortMiB: Math.max(0, job.memoryMiB - freeMemory[nearest]!),
        running: there
          .filter(({ state }) => state !== "suspended")
          .map((each) => each.job.number)
          .slice(0, NAMED),
        suspended: there
          .filter(({ state }) => state === "suspended")
          .map((each) => each.job.number)
          .slice(0, NAMED),
      },
    });
  }
  if (withRoom > 0)
    reasons.push({
      kind: "kept free",
      machines: withRoom,
      tasksWithRoom: withRoom,
      tasks: 1,
      before: [],
      beforeCount: 0,
    });
  return reasons;
}
