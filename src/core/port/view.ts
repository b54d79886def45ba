import type { MachineTasks } from "../jobs/placements.ts";
import type { PoolManager, SuspendCapability } from "../engine/pool-manager.ts";
import type { PolicyWins } from "../engine/policy-wins.ts";
import type { Router } from "../engine/router.ts";
import type { Rejection } from "../engine/settings.ts";
import type { IntList } from "../int-list.ts";
import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { FREE, HELD } from "../jobs/job-states.ts";
import type { Placements } from "../jobs/placements.ts";
import type { KindRequest } from "../jobs/request-kinds.ts";
import type { LimitExcess, Limits } from "../limits/limits.ts";
import type { MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import type { FamilyMachines } from "../packing/family-machines.ts";
import type { PromiseView } from "../pool/policy.ts";
import type { DecayedUse } from "../queue/decayed-use.ts";
import type { WaitReason } from "../reasons/reason.ts";

/** What fair share goes by in a pool: see `DecayedUse`. */
export type UsageView = Pick<
  DecayedUse,
  "settings" | "usedAt" | "usedByProject" | "hasUsedMore" | "standing"
>;
/** The machines of a pool: see `MachineState`. A driver may watch them, and changes none. */
export type MachinesView = Readonly<
  Pick<
    MachineState,
    | "count"
    | "capacityCores"
    | "capacityMemory"
    | "capacityGpu"
    | "freeCores"
    | "freeMemory"
    | "freeGpu"
    | "groupOf"
    | "totalFreeCores"
    | "couldHold"
    | "wholeFor"
    | "nextNumber"
    | "isInService"
    | "roomFor"
    | "watch"
  >
>;
/** The machines of a job's tasks: from `PoolView.firstPlace` on, entry by entry. */
export type PlacesView = Readonly<Pick<Placements, "after" | "machineOf" | "tasksOf">>;
/** How packed families are held together: see `FamilyMachines`. */
export type FamiliesView = Readonly<
  Pick<FamilyMachines, "families" | "machinesUsed" | "coresHeld" | "memoryHeld" | "gpuHeld">
>;
type JobList = Readonly<Pick<IntList, "length">> & Iterable<number>;

/** What the last cycle of a pool has done with jobs, by handle. */
export interface CycleView {
  readonly started: JobList;
  readonly suspended: JobList;
  readonly resumed: JobList;
}

/**
 * What a driver sees of the engine: jobs by handle, pools and machines by number. It changes nothing. All that is outside
 * the core reads the engine through it.
 */
export class View {
  readonly jobs: JobsView;
  readonly pools: readonly PoolView[];
  private readonly engineJobs: EngineJobs;
  private readonly router: Router;
  private readonly limits: Limits | null;

  constructor(jobs: EngineJobs, pools: readonly PoolManager[], router: Router, limits: Limits | null) {
    this.jobs = new JobsView(jobs);
    this.pools = pools.map((pool) => new PoolView(pool, jobs));
    this.engineJobs = jobs;
    this.router = router;
    this.limits = limits;
  }

  /** The pools that a job may be sent to by its virtual pool. */
  poolsFor(job: number): readonly number[] {
    return this.router.poolsOf(job);
  }

  /** Why none of its pools takes a job that waits at its virtual pool; null: one might. */
  rejectionOf(job: number): Rejection | null {
    return this.router.rejection(job, this.poolsFor(job));
  }

  /** The pools that such a job waits for because nothing is known of their machines. */
  awaitedBy(job: number): readonly number[] {
    return this.router.awaitedBy(job);
  }

  /** The limits that a job would be above if it started now: as long as there are any, it does not. */
  limitsAbove(job: number): LimitExcess[] {
    return this.limits?.excessesOf(this.engineJobs.jobs.kind[job]) ?? [];
  }
}

/** The jobs by handle. */
export class JobsView {
  private readonly jobs: EngineJobs;

  constructor(jobs: EngineJobs) {
    this.jobs = jobs;
  }

  /** Those that wait, in pools and at virtual pools; and the largest such number at the start of a cycle. */
  get waiting(): number {
    return this.jobs.waiting;
  }

  get waitingMax(): number {
    return this.jobs.waitingMax;
  }

  get held(): number {
    return this.jobs.counts.of(HELD);
  }

  /** How many of a pool, or on their way to it, are in a state; with `NONE`, of those in no pool. */
  count(pool: number, state: number): number {
    return this.jobs.counts.ofPool(pool, state);
  }

  /** All that there are. */
  *[Symbol.iterator](): Generator<number> {
    const { state } = this.jobs;
    for (let job = 0; job < state.length; job++) if (state[job] !== FREE) yield job;
  }

  /** See `job-states.ts`. */
  stateOf(job: number): number {
    return this.jobs.state[job] ?? FREE;
  }

  /** The pool where it is, or is on its way to; `NONE` while it has none. */
  poolOf(job: number): number {
    return this.jobs.pool[job];
  }

  virtualPoolOf(job: number): number {
    return this.jobs.virtualPool[job];
  }

  /** The number of its list of candidate pools. */
  candidatesOf(job: number): number {
    return this.jobs.candidates[job];
  }

  priorityOf(job: number): number {
    return this.jobs.priority[job];
  }

  /** How often it has been started. */
  attemptOf(job: number): number {
    return this.jobs.attempt[job];
  }

  /** Counts up with every submission, and when a job joins another queue. */
  arrivalOf(job: number): number {
    return this.jobs.jobs.arrival[job];
  }

  projectOf(job: number): number {
    return this.jobs.jobs.project[job];
  }

  /** What is left of the estimate of its run time, in seconds. */
  estimateSecondsOf(job: number): number {
    return this.jobs.jobs.estimateSeconds[job];
  }

  /** When it is expected to end, if its pool's policy plans with that. */
  estimatedEndOf(job: number): number {
    return this.jobs.jobs.estimatedEnd[job];
  }

  /** What it asks for: see `KindRequest`. */
  requestOf(job: number): KindRequest {
    const { kind, kinds } = this.jobs.jobs;
    return kinds.request(kind[job]);
  }

  coresOf(job: number): number {
    return this.jobs.jobs.coresOf(job);
  }

  memoryOf(job: number): number {
    return this.jobs.jobs.memoryOf(job);
  }

  tasksOf(job: number): number {
    return this.jobs.jobs.tasksOf(job);
  }

  /** Whether machines that could not start it are left out for a while. */
  isRefused(job: number): boolean {
    const { kind, kinds } = this.jobs.jobs;
    return kinds.exclusion[kind[job]] !== 0;
  }

  requirementOf(job: number): number {
    return this.jobs.jobs.requirementOf(job);
  }

  ownerOf(job: number): number {
    return this.jobs.jobs.ownerOf(job);
  }

  familyOf(job: number): number {
    return this.jobs.jobs.familyOf(job);
  }
}

/** One pool. */
export class PoolView {
  readonly number: number;
  readonly machines: MachinesView;
  readonly places: PlacesView;
  /** Null where fair share does not go by what was used. */
  readonly usage: UsageView | null;
  /** Null without packing. */
  readonly families: FamiliesView | null;
  readonly cycle: CycleView;
  readonly wins: Readonly<Pick<PolicyWins, "names" | "all" | "sole">>;
  /** Seconds between cycles; 0: they follow events. */
  readonly intervalSeconds: number;
  readonly suspendCapability: SuspendCapability;
  /** Whether jobs may suspend one another here. */
  readonly isPreemptive: boolean;
  private readonly manager: PoolManager;
  private readonly jobs: EngineJobs;

  constructor(manager: PoolManager, jobs: EngineJobs) {
    this.manager = manager;
    this.jobs = jobs;
    this.number = manager.number;
    this.machines = manager.pool.machines;
    this.places = manager.pool.placements;
    this.usage = manager.pool.usage;
    this.families = manager.pool.packing;
    this.cycle = manager.outcome;
    this.wins = manager.wins;
    this.intervalSeconds = manager.intervalSeconds;
    this.suspendCapability = manager.suspendCapability;
    this.isPreemptive = manager.preemption !== null;
  }

  /** The thousandths of a core of all machines. */
  get cores(): number {
    return this.manager.cores;
  }

  /** Busy cores ÷ cores. */
  get utilization(): number {
    return this.manager.utilization;
  }

  get waiting(): number {
    return this.manager.pool.waiting;
  }

  /** Whether something has happened since the last cycle that may let a job start. */
  get isDirty(): boolean {
    return this.manager.isDirty;
  }

  /** When a cycle may decide differently though nothing happens until then; Infinity: never. */
  get nextChange(): number {
    return this.manager.pool.nextChange;
  }

  /** Whether jobs may wait in another order at the next cycle though nothing happens until then. */
  get isReordering(): boolean {
    return this.manager.pool.isReordering;
  }

  /** Cycles in which jobs waited or were suspended, and those of them that let a job start or resume. */
  get cycles(): number {
    return this.manager.cycles;
  }

  get matchingCycles(): number {
    return this.manager.matchingCycles;
  }

  /** The jobs that wait here, in the order in which a cycle now takes them as long as none starts: all, or the first few. */
  queue(now: number, most = Infinity): number[] {
    const { queue } = this.manager.pool;
    const jobs: number[] = [];
    // What was used until then counts. A port that was just made has had no cycle.
    queue.cycle?.(now);
    queue.begin();
    for (let job = queue.next(); job !== NONE && jobs.length < most; job = queue.next()) jobs.push(job);
    return jobs;
  }

  /** As people name it: `easy/best-fit-cores`. */
  get policyName(): string {
    return this.manager.pool.policyName;
  }

  /** What its policy has promised to jobs; undefined: it promises nothing. */
  get promises(): PromiseView | undefined {
    return this.manager.pool.policy.promised;
  }

  /** Whether a group of jobs owns machines here. */
  hasOwner(owner: number): boolean {
    return owner !== 0 && this.manager.groups.ownerOf.includes(owner);
  }

  ownerOfMachine(machine: number): number {
    return this.manager.groups.ownerOf[this.machines.groupOf[machine]];
  }

  /** Whether a machine meets a job's requirement. */
  meets(job: number, machine: number): boolean {
    return this.manager.pool.allowed.meets(this.jobs.jobs.kind[job], machine);
  }

  /** Whether a machine may be used by a job, by its requirement, its family, and what it has refused. */
  suits(job: number, machine: number): boolean {
    return this.manager.pool.allowed.suitsKind(this.jobs.jobs.kind[job], machine);
  }

  /** What keeps a job from starting here now, whether it waits here or not; what its policy would say is left out. */
  lacksFor(job: number): WaitReason {
    return this.manager.pool.notes.reason(job);
  }

  /** The earliest time, not before `time`, at which a job may start on a machine that suits it, were it empty. */
  opensAt(job: number, machine: number, time: number): number {
    return this.manager.pool.allowed.opensAt(job, machine, time);
  }

  /** Whether machines here are booked, whoever they are for. */
  get isBooked(): boolean {
    return (this.manager.pool.bookings?.all.length ?? 0) > 0;
  }

  /** The first entry of a job's places; `NONE` while it has no machines. */
  firstPlace(job: number): number {
    return this.jobs.jobs.placement[job];
  }

  /** How many of a job's tasks are on each machine. */
  placementOf(job: number): MachineTasks[] {
    return this.manager.placed.placementOf(job);
  }

  /** The machines of a job, each once. */
  machinesOf(job: number): ReadonlySet<number> {
    return this.manager.placed.machinesOf(job);
  }

  /** The jobs with tasks on a machine, running or suspended, in order of arrival. */
  jobsOn(machine: number): number[] {
    return this.manager.placed.on(machine);
  }

  /** Whether a suspended job's machines could hold it if nobody else ran there. */
  couldHold(job: number): boolean {
    return this.manager.placed.couldHold(job);
  }

  /** The speed of a job: that of the slowest of its machines. */
  speedOf(job: number): number {
    return this.manager.placed.speedOf(job);
  }

  /** Whether all of a waiting job's tasks fit into what is free, on whatever machines. */
  fitsIntoFree(job: number): boolean {
    return this.manager.placed.fitsIntoFree(job);
  }

  /** The jobs that the policy's last pass started. */
  get startedLast(): Int32Array {
    const { started, startedCount } = this.manager.pool;
    return started.subarray(0, startedCount);
  }
}
