import type { Booking } from "../bookings/bookings.ts";
import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { FREE, UNASSIGNED, WAITING } from "../jobs/job-states.ts";
import type { PolicyState } from "../pool/policy.ts";
import { DOWN, DRAINED, REMOVED, type MachineCapacity } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import type { KeptUse } from "../queue/decayed-use.ts";
import type { Rescheduler } from "../rescheduling/rescheduler.ts";
import type { WaitTimers } from "../rescheduling/wait-timers.ts";
import type { VirtualPool } from "../routing/virtual-pool.ts";
import type { Claim } from "./claims.ts";
import type { CyclePlan } from "./cycle-plan.ts";
import type { SharedState } from "./engine-part.ts";
import type { FaultState } from "./faults.ts";
import { addJobs, placementsOf, takeJobColumns, type JobColumns } from "./job-columns.ts";
import type { JobMoves } from "./job-moves.ts";
import type { PoolManager } from "./pool-manager.ts";

/** A number as JSON can hold it: infinities are words. */
export type PlainNumber = number | "Infinity" | "-Infinity";

/**
 * The state that all of the engine's future decisions depend on: JSON, but for typed arrays. Jobs are referred to by
 * their place in `jobs`. Whatever only saves time (indexes, requests known to fail, EASY's shadow) is found anew, and so are sums.
 */
export interface EngineSnapshot {
  readonly jobs: JobColumns;
  readonly arrivals: number;
  readonly serial: number;
  readonly hasTwins: boolean;
  readonly pools: readonly {
    readonly isDirty: boolean;
    readonly machines: readonly MachineSnapshot[];
    readonly exclusions: readonly { job: number; machine: number; until: PlainNumber }[];
    readonly toLookAt: readonly number[];
    /** Absent in older snapshots, as if it were true. */
    readonly hasPassedOver?: boolean;
    readonly reservations: readonly { machine: number; family: number; time: PlainNumber }[];
    /** Absent where no machine is ever booked; `now` is the time of the last cycle. */
    readonly bookings?: { readonly bookings: readonly Booking[]; readonly now: PlainNumber };
    /** What the pool's policy keeps, such as its promises. Absent in older snapshots. */
    readonly policy?: PolicyState;
    /** Absent where fair share does not go by what was used. */
    readonly usage?: KeptUse;
  }[];
  readonly due: readonly (readonly [number, number])[];
  readonly lastCycles: readonly PlainNumber[];
  readonly dirtyPools: readonly number[];
  readonly timers: readonly Int32Array[];
  readonly lastRebalance: PlainNumber;
  readonly claims: readonly Claim[];
  readonly faults: FaultState;
  readonly turns: readonly (readonly number[])[];
  readonly viewsChanged: readonly PlainNumber[];
  readonly viewsPast: readonly (readonly Readonly<Record<string, PlainNumber>>[])[];
}

/** The current state of a machine, since machines join, leave and change size. */
export interface MachineSnapshot extends MachineCapacity {
  readonly group: number;
  /** A sum of `DRAINED`, `DOWN` and `REMOVED`. */
  readonly closed: number;
}

/** A port's state as plain data: see `EngineSnapshot`. Numbers and last decisions are those of its jobs, in order. */
export interface PortSnapshot {
  readonly now: PlainNumber;
  readonly decisionCount: number;
  readonly highest: number;
  readonly lowest: number;
  readonly numbers: Float64Array;
  readonly decisions: Float64Array;
  readonly engine: EngineSnapshot;
}

/** The parts of an engine that have state. */
export interface SnapshotParts extends SharedState {
  readonly virtualPools: readonly VirtualPool[];
  readonly plan: CyclePlan;
  readonly timers: WaitTimers | null;
  readonly rescheduler: Rescheduler;
  readonly moves: JobMoves;
}

export function plainNumber(value: number): PlainNumber {
  if (Number.isFinite(value)) return value;
  return value > 0 ? "Infinity" : "-Infinity";
}

/** The jobs in the engine, by arrival. */
export function presentJobs({ state, jobs }: EngineJobs): Int32Array {
  const found: number[] = [];
  for (let job = 0; job < state.length; job++) if (state[job] !== FREE) found.push(job);
  // Jobs are nearly in order already. Sorting an array makes use of that; sorting a typed array does not.
  return Int32Array.from(found.sort((a, b) => jobs.arrival[a] - jobs.arrival[b]));
}

export function saveParts(parts: SnapshotParts): EngineSnapshot {
  const { engineJobs, pools, moves, plan, views } = parts;
  const { jobs } = engineJobs;
  const present = presentJobs(engineJobs);
  const placeOf = new Int32Array(jobs.capacity).fill(NONE);
  present.forEach((job, place) => (placeOf[job] = place));
  const place = (job: number): number => placeOf[job];
  const { due, last, dirty } = plan.save();
  const { changed, past } = views.save();
  return {
    jobs: takeJobColumns(engineJobs, pools, present, placeOf),
    arrivals: jobs.arrivals,
    serial: moves.serial,
    hasTwins: moves.hasTwins,
    pools: pools.map((manager) => ({
      isDirty: manager.isDirty,
      machines: machinesOf(manager),
      exclusions: manager.pool.allowed.exclusions
        .save()
        .filter(({ job }) => place(job) !== NONE)
        .map(({ job, machine, until }) => ({ job: place(job), machine, until: plainNumber(until) })),
      toLookAt: manager.preemption?.resumption.save() ?? [],
      hasPassedOver: manager.machineJobs?.hasPassedOverInCycle ?? false,
      reservations: (manager.pool.packing?.save() ?? []).map((each) => ({
        ...each,
        time: plainNumber(each.time),
      })),
      ...savedBookings(manager),
      ...(manager.pool.policy.save !== undefined && { policy: manager.pool.policy.save(place) }),
      ...(manager.pool.usage === null ? {} : { usage: manager.pool.usage.save() }),
    })),
    due,
    lastCycles: last.map(plainNumber),
    dirtyPools: dirty,
    timers: parts.timers?.save(place) ?? [],
    lastRebalance: plainNumber(parts.rescheduler.lastRebalance),
    claims: parts.claims.save(place),
    faults: parts.faults.save(),
    turns: parts.virtualPools.map((virtualPool) => virtualPool.save()),
    viewsChanged: changed.map(plainNumber),
    viewsPast: past.map((states) => states.map(plainValues)),
  };
}

/** Loads the parts of a new engine. Jobs get the handles 0, 1, … in the order of the snapshot. */
export function loadParts(parts: SnapshotParts, snapshot: EngineSnapshot): void {
  const { engineJobs, pools, moves } = parts;
  const { jobs } = engineJobs;
  snapshot.pools.forEach(({ machines }, number) => restoreMachines(pools[number], machines));
  addJobs(engineJobs, pools, snapshot.jobs);
  snapshot.pools.forEach(({ exclusions }, number) => {
    for (const { job, machine, until } of exclusions)
      pools[number].pool.allowed.exclude(job, machine, Number(until));
  });
  for (let job = 0; job < snapshot.jobs.count; job++) {
    if (engineJobs.state[job] === WAITING) pools[engineJobs.pool[job]].wait(job);
    else if (engineJobs.state[job] === UNASSIGNED) parts.unassigned.add(job);
  }
  for (const [job, entries] of placementsOf(snapshot.jobs)) pools[engineJobs.pool[job]].restore(job, entries);
  snapshot.pools.forEach(({ isDirty, machines, toLookAt, hasPassedOver, reservations, usage }, number) => {
    const manager = pools[number];
    machines.forEach(({ closed }, machine) => {
      for (const reason of [DRAINED, DOWN] as const)
        if ((closed & reason) !== 0) manager.machines.takeOut(machine, reason);
    });
    manager.preemption?.resumption.load(toLookAt);
    if (manager.machineJobs !== null) manager.machineJobs.hasPassedOverInCycle = hasPassedOver ?? true;
    manager.pool.packing?.load(reservations.map((each) => ({ ...each, time: Number(each.time) })));
    manager.pool.usage?.load(usage!);
    manager.isDirty = isDirty;
  });
  snapshot.pools.forEach(({ bookings }, number) => {
    if (bookings !== undefined)
      pools[number].pool.bookings?.load({ bookings: bookings.bookings, now: Number(bookings.now) });
  });
  snapshot.pools.forEach(({ policy }, number) => {
    if (policy === undefined) return;
    if (policy === null || typeof policy !== "object")
      throw new RangeError("the snapshot's promises are no columns of numbers");
    pools[number].pool.policy.load?.(policy);
  });
  jobs.arrivals = snapshot.arrivals;
  moves.serial = snapshot.serial;
  moves.hasTwins = snapshot.hasTwins;
  parts.plan.load({
    due: snapshot.due,
    last: snapshot.lastCycles.map(Number),
    dirty: snapshot.dirtyPools,
  });
  parts.timers?.load(snapshot.timers);
  parts.rescheduler.lastRebalance = Number(snapshot.lastRebalance);
  parts.claims.load(snapshot.claims);
  parts.faults.load(snapshot.faults);
  parts.virtualPools.forEach((virtualPool, number) => virtualPool.load(snapshot.turns[number]));
  parts.views.load({
    changed: snapshot.viewsChanged.map(Number),
    past: snapshot.viewsPast.map((states) =>
      states.map(({ since, utilization, queue, backlogSeconds }) => ({
        since: Number(since),
        utilization: Number(utilization),
        queue: Number(queue),
        backlogSeconds: Number(backlogSeconds),
      })),
    ),
  });
}

function savedBookings({ pool }: PoolManager): Pick<EngineSnapshot["pools"][number], "bookings"> {
  if (pool.bookings === null) return {};
  const { bookings, now } = pool.bookings.save();
  return { bookings: { bookings, now: plainNumber(now) } };
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

/** Must be called before there are jobs. */
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

function plainValues(state: object): Record<string, PlainNumber> {
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => [name, plainNumber(value as number)]),
  );
}
