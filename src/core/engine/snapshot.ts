import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { FREE, WAITING } from "../jobs/job-states.ts";
import { DOWN, DRAINED, REMOVED, type MachineCapacity } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import type { Rescheduler } from "../rescheduling/rescheduler.ts";
import type { WaitTimers } from "../rescheduling/wait-timers.ts";
import type { PoolViews } from "../routing/pool-views.ts";
import type { VirtualPool } from "../routing/virtual-pool.ts";
import type { Claims } from "./claims.ts";
import type { CyclePlan } from "./cycle-plan.ts";
import type { Faults } from "./faults.ts";
import type { JobMoves } from "./job-moves.ts";
import type { PoolManager } from "./pool-manager.ts";

/** A number as JSON has it: infinite ones are words. */
export type PlainNumber = number | "Infinity" | "-Infinity";

const requestColumns = [
  "cores",
  "memory",
  "gpu",
  "tasks",
  "project",
  "family",
  "heuristic",
  "requirement",
  "owner",
] as const;
/** Of `Jobs`, beyond the request: what is left of the estimate, when it is expected to end, its turn. */
const jobColumns = ["estimateSeconds", "estimatedEnd", "arrival"] as const;
const engineColumns = [
  "state",
  "pool",
  "virtualPool",
  "candidates",
  "priority",
  "attempt",
  "retriesLeft",
  "restarts",
  "killReason",
  "killTarget",
  "unread",
  "retryAt",
  "toldAt",
  "hold",
  "waitingSince",
  "virtualStart",
  "estimateSeconds",
] as const;

export interface JobSnapshot {
  readonly request: Readonly<Record<(typeof requestColumns)[number], number>>;
  readonly columns: Readonly<Record<string, PlainNumber>>;
  readonly engine: Readonly<Record<string, PlainNumber>>;
  /** The other attempt's place among the jobs; null: none. */
  readonly twin: number | null;
  readonly placement: readonly { readonly machine: number; readonly tasks: number }[];
  /** The order in which jobs began to run, where they may be suspended; 0: it does not run. Of equals the last comes first. */
  readonly ranAs: number;
}

/**
 * All that the engine's future decisions depend on, as JSON; jobs are named by their places in `jobs`. What only
 * saves time (indexes, requests known to fail, EASY's shadow) is found anew, and so are sums.
 */
export interface EngineSnapshot {
  readonly jobs: readonly JobSnapshot[];
  readonly arrivals: number;
  readonly serial: number;
  readonly hasTwins: boolean;
  readonly pools: readonly {
    readonly isDirty: boolean;
    readonly machines: readonly MachineSnapshot[];
    readonly exclusions: readonly { job: number; machine: number; until: PlainNumber }[];
    readonly toLookAt: readonly number[];
    readonly reservations: readonly { machine: number; family: number; time: PlainNumber }[];
  }[];
  readonly due: readonly (readonly [number, number])[];
  readonly lastCycles: readonly PlainNumber[];
  readonly dirtyPools: readonly number[];
  readonly timers: readonly (readonly number[])[];
  readonly lastRebalance: PlainNumber;
  readonly claims: Claims["kept"];
  readonly faults: Faults["kept"];
  readonly turns: readonly (readonly number[])[];
  readonly viewsChanged: readonly PlainNumber[];
  readonly viewsPast: readonly (readonly Readonly<Record<string, PlainNumber>>[])[];
}

/** A machine as it is now: machines come, go and change size. */
export interface MachineSnapshot extends MachineCapacity {
  readonly group: number;
  /** A sum of `DRAINED`, `DOWN` and `REMOVED`. */
  readonly closed: number;
}

/** The parts of an engine that have state. */
export interface SnapshotParts {
  readonly engineJobs: EngineJobs;
  readonly pools: readonly PoolManager[];
  readonly virtualPools: readonly VirtualPool[];
  readonly views: PoolViews;
  readonly plan: CyclePlan;
  readonly timers: WaitTimers | null;
  readonly rescheduler: Rescheduler;
  readonly faults: Faults;
  readonly claims: Claims;
  readonly moves: JobMoves;
}

export function plainNumber(value: number): PlainNumber {
  if (Number.isFinite(value)) return value;
  return value > 0 ? "Infinity" : "-Infinity";
}

/** The jobs in the engine, by arrival. */
export function presentJobs({ state, jobs }: EngineJobs): number[] {
  const found: number[] = [];
  for (let job = 0; job < state.length; job++) if (state[job] !== FREE) found.push(job);
  return found.sort((a, b) => jobs.arrival[a] - jobs.arrival[b]);
}

export function takeSnapshot(parts: SnapshotParts): EngineSnapshot {
  const { engineJobs, pools, moves, plan, views } = parts;
  const { jobs } = engineJobs;
  const present = presentJobs(engineJobs);
  const placeOf = new Map(present.map((job, place) => [job, place]));
  const place = (job: number): number => placeOf.get(job)!;
  const of = (columns: readonly string[], from: object, job: number): Record<string, PlainNumber> =>
    Object.fromEntries(
      columns.map((name) => [name, plainNumber((from as Record<string, ArrayLike<number>>)[name][job])]),
    );
  const inOrder = present
    .filter((job) => engineJobs.ranAs[job] !== 0)
    .sort((a, b) => engineJobs.pool[a] - engineJobs.pool[b] || engineJobs.ranAs[a] - engineJobs.ranAs[b]);
  const { due, last, dirty } = plan.kept;
  const { changed, past } = views.history;
  return {
    jobs: present.map((job) => ({
      request: of(requestColumns, jobs, job) as JobSnapshot["request"],
      columns: of(jobColumns, jobs, job),
      engine: of(engineColumns, engineJobs, job),
      twin: engineJobs.twin[job] === NONE ? null : place(engineJobs.twin[job]),
      placement: jobs.placement[job] === NONE ? [] : pools[engineJobs.pool[job]].placed.placementOf(job),
      ranAs: inOrder.indexOf(job) + 1,
    })),
    arrivals: jobs.arrivals,
    serial: moves.serial,
    hasTwins: moves.hasTwins,
    pools: pools.map((manager) => ({
      isDirty: manager.isDirty,
      machines: machinesOf(manager),
      exclusions: manager.pool.allowed.exclusions.kept
        .filter(({ job }) => placeOf.has(job))
        .map(({ job, machine, until }) => ({ job: place(job), machine, until: plainNumber(until) })),
      toLookAt: manager.preemption?.toLookAt ?? [],
      reservations: (manager.pool.packing?.reservations ?? []).map((each) => ({
        ...each,
        time: plainNumber(each.time),
      })),
    })),
    due,
    lastCycles: last.map(plainNumber),
    dirtyPools: dirty,
    timers: parts.timers?.lists.map((list) => list.map(place)) ?? [],
    lastRebalance: plainNumber(parts.rescheduler.lastRebalance),
    claims: parts.claims.kept.map((claim) => ({ ...claim, job: place(claim.job) })),
    faults: parts.faults.kept,
    turns: parts.virtualPools.map(({ turns }) => turns),
    viewsChanged: changed.map(plainNumber),
    viewsPast: past.map((states) => states.map((state) => of(Object.keys(state), arraysOf(state), 0))),
  };
}

/** Into a fresh engine: jobs get the handles 0, 1, … in the order of the snapshot. */
export function restoreSnapshot(parts: SnapshotParts, snapshot: EngineSnapshot): void {
  const { engineJobs, pools, moves } = parts;
  const { jobs } = engineJobs;
  snapshot.pools.forEach(({ machines }, number) => restoreMachines(pools[number], machines));
  for (const { request, columns, engine, twin } of snapshot.jobs) {
    const job = jobs.add({ ...request, estimateSeconds: 0 });
    engineJobs.open(job);
    for (const name of jobColumns) jobs[name][job] = Number(columns[name]);
    for (const name of engineColumns) engineJobs[name][job] = Number(engine[name]);
    engineJobs.twin[job] = twin ?? NONE;
  }
  snapshot.pools.forEach(({ exclusions }, number) => {
    for (const { job, machine, until } of exclusions)
      pools[number].pool.allowed.exclude(job, machine, Number(until));
  });
  const byRun = snapshot.jobs
    .map((_, job) => job)
    .sort((a, b) => snapshot.jobs[a].ranAs - snapshot.jobs[b].ranAs);
  for (const job of byRun) {
    const manager = pools[engineJobs.pool[job]];
    const { placement } = snapshot.jobs[job];
    if (placement.length > 0) manager.restore(job, placement);
    else if (engineJobs.state[job] === WAITING) manager.wait(job);
  }
  snapshot.pools.forEach(({ isDirty, machines, toLookAt, reservations }, number) => {
    const manager = pools[number];
    machines.forEach(({ closed }, machine) => {
      for (const reason of [DRAINED, DOWN] as const)
        if ((closed & reason) !== 0) manager.machines.takeOut(machine, reason);
    });
    if (manager.preemption !== null) manager.preemption.toLookAt = [...toLookAt];
    if (manager.pool.packing !== null)
      manager.pool.packing.reservations = reservations.map((each) => ({ ...each, time: Number(each.time) }));
    manager.isDirty = isDirty;
  });
  jobs.arrivals = snapshot.arrivals;
  moves.serial = snapshot.serial;
  moves.hasTwins = snapshot.hasTwins;
  parts.plan.kept = {
    due: snapshot.due.map(([pool, time]) => [pool, time]),
    last: snapshot.lastCycles.map(Number),
    dirty: [...snapshot.dirtyPools],
  };
  if (parts.timers !== null) parts.timers.lists = snapshot.timers;
  parts.rescheduler.lastRebalance = Number(snapshot.lastRebalance);
  parts.claims.kept = [...snapshot.claims];
  parts.faults.kept = snapshot.faults;
  parts.virtualPools.forEach((virtualPool, number) => (virtualPool.turns = snapshot.turns[number]));
  parts.views.history = {
    changed: snapshot.viewsChanged.map(Number),
    past: snapshot.viewsPast.map((states) =>
      states.map(({ since, utilization, queue, backlogSeconds }) => ({
        since: Number(since),
        utilization: Number(utilization),
        queue: Number(queue),
        backlogSeconds: Number(backlogSeconds),
      })),
    ),
  };
}

function machinesOf({ pool }: PoolManager): MachineSnapshot[] {
  const { capacityCores, capacityMemory, capacityGpu, groupOf, closed, count } = pool.machines;
  return Array.from({ length: count }, (_, machine) => ({
    coresMilli: capacityCores[machine],
    memoryMiB: capacityMemory[machine],
    gpuMilli: capacityGpu[machine],
    group: groupOf[machine],
    closed: closed[machine],
  }));
}

/** Before any job is there. */
function restoreMachines(manager: PoolManager, snapshot: readonly MachineSnapshot[]): void {
  const now = machinesOf(manager);
  snapshot.forEach((machine, number) => {
    const { group, closed } = machine;
    const before = now[number];
    if (before === undefined) manager.machines.add(number, machine, group);
    else if (
      before.coresMilli !== machine.coresMilli ||
      before.memoryMiB !== machine.memoryMiB ||
      before.gpuMilli !== machine.gpuMilli ||
      before.group !== group
    )
      manager.machines.resize(number, machine, group);
    if ((closed & REMOVED) !== 0) manager.machines.remove(number);
  });
}

function arraysOf(state: object): object {
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, [value as number]]));
}
