import type { MachineTasks } from "../jobs/placements.ts";
import { HOLDING, type EngineJobs } from "../jobs/engine-jobs.ts";
import { RESUMING, RUNNING, STARTING, SUSPENDED, SUSPENDING, WAITING } from "../jobs/job-states.ts";
import { go, transition } from "../jobs/transition.ts";
import type { Ineligible } from "../machines/eligibility.ts";
import type { OwnedGroups } from "../machines/machine-groups.ts";
import type { IntList } from "../int-list.ts";
import { Pool } from "../pool/pool.ts";
import type { PoolSettings } from "../pool/pool-settings.ts";
import { MachineJobs } from "../preemption/machine-jobs.ts";
import { Preemption } from "../preemption/preemption.ts";
import type { PreemptionActions } from "../preemption/preemption-actions.ts";
import type { VictimRule } from "../preemption/victim-rule.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import type { RoutedPool } from "../routing/pool-views.ts";
import { CycleOutcome } from "./cycle-outcome.ts";
import { PlacedJobs } from "./placed-jobs.ts";
import { PolicyWins } from "./policy-wins.ts";
import { PoolMachines } from "./pool-machines.ts";
import { Suspensions } from "./suspensions.ts";
import { WaitingWork } from "./waiting-work.ts";

/** What a job keeps when another one takes its place. `cpu-only`: its memory. `none`: nothing, since it is killed. */
export type SuspendCapability = "full" | "cpu-only" | "none";

/** What a pool of the engine is made of. */
export interface PoolManagerSettings extends Omit<PoolSettings, "jobs" | "queue"> {
  readonly site: number;
  readonly groups: OwnedGroups;
  /** Seconds between cycles. 0: a cycle whenever something happened that may let a job start. */
  readonly intervalSeconds: number;
  readonly suspend: SuspendCapability;
}

/**
 * A Physical Pool Manager: a pool whose jobs have priorities and may suspend one another (Zhang 2010, sections 2.1 and
 * 2.2).
 *
 * A cycle resumes suspended jobs where there is room again, starts waiting jobs by the pool's policy, and then lets
 * those that still wait suspend others. It repeats this with the room that is left, until nobody is suspended. Only the
 * final outcome counts: a job that the cycle started and then took off its machine goes on waiting as if it had not
 * been touched.
 */
export class PoolManager implements RoutedPool, PreemptionActions {
  readonly pool: Pool;
  readonly number: number;
  readonly site: number;
  readonly groups: OwnedGroups;
  readonly intervalSeconds: number;
  readonly suspendCapability: SuspendCapability;
  waitingCores = 0;
  private readonly work = new WaitingWork();
  /** Whether something happened since the last cycle that may let a job start. */
  isDirty = false;
  /** Cycles in which jobs waited or were suspended, and those of them that let a job start or resume. */
  cycles = 0;
  matchingCycles = 0;
  readonly wins: PolicyWins;
  /** Called in a cycle when suspended jobs have resumed: sends more jobs here if there is room for them. */
  assign: (manager: PoolManager, now: number) => void = () => {};
  readonly outcome: CycleOutcome;
  readonly placed: PlacedJobs;
  readonly machines: PoolMachines;
  readonly suspensions: Suspensions;
  readonly machineJobs: MachineJobs | null;
  readonly preemption: Preemption | null;
  /** Whether a routing or strategy may ask for the waiting work. */
  private readonly isRouted: boolean;
  private readonly jobs: EngineJobs;
  /** The waiting jobs by class, if the pool's own queue has another order. */
  private readonly classQueue: PriorityQueue | null;
  private readonly dirtyPools: IntList;

  /**
   * @param priorities the number of priorities: all are below it
   * @param isRouted whether jobs may go to other pools as well
   * @param dirtyPools takes this pool's number when something happens that may let a job start
   */
  constructor(
    jobs: EngineJobs,
    number: number,
    dirtyPools: IntList,
    settings: PoolManagerSettings,
    priorities: number,
    victimRule: VictimRule | null,
    isRouted: boolean,
  ) {
    const { groups, suspend } = settings;
    this.jobs = jobs;
    this.outcome = new CycleOutcome(jobs);
    this.number = number;
    this.dirtyPools = dirtyPools;
    this.isRouted = isRouted;
    this.site = settings.site;
    this.groups = groups;
    this.intervalSeconds = settings.intervalSeconds;
    this.suspendCapability = suspend;
    const owners = new Set(groups.ownerOf);
    owners.delete(0);
    const classes = owners.size === 0 ? priorities : priorities * 2;
    // Who owns machines here comes before all who do not; then the job's own priority counts.
    const classOf = (job: number): number => {
      const owner = jobs.jobs.ownerOf(job);
      return (owner !== 0 && owners.has(owner) ? priorities : 0) + jobs.priority[job];
    };
    const queue = classes === 1 ? null : new PriorityQueue(jobs.jobs, classes, classOf);
    const isByPriority = queue !== null && settings.shares === undefined;
    this.pool = new Pool({
      ...settings,
      jobs: jobs.jobs,
      ...(isByPriority ? { queue } : {}),
    });
    this.pool.notes.waitsHere = (job) => jobs.state[job] === WAITING && jobs.pool[job] === number;
    this.wins = new PolicyWins(this.pool.policy);
    this.machineJobs = null;
    this.preemption = null;
    this.classQueue = null;
    const managed = { jobs, pool: this.pool, number, groups, keepsMemory: suspend === "cpu-only" };
    if (victimRule !== null && queue !== null) {
      if (!isByPriority) this.classQueue = queue;
      this.machineJobs = new MachineJobs(managed, priorities, victimRule);
      this.preemption = new Preemption(managed, this.machineJobs, this, queue, priorities, victimRule);
    }
    const { machineJobs, preemption } = this;
    if (machineJobs !== null) this.pool.notes.sparedFor = (job) => machineJobs.sparedFor(job);
    const markDirty = (): void => this.markDirty();
    this.placed = new PlacedJobs(managed, machineJobs);
    this.suspensions = new Suspensions(managed, machineJobs, preemption, markDirty);
    this.machines = new PoolMachines({
      machines: this.pool.machines,
      groups,
      owners,
      placed: this.placed,
      machineJobs,
      preemption,
      added: (count) => this.suspensions.resized(count),
      markDirty,
    });
  }

  get cores(): number {
    return this.machines.cores;
  }

  get speed(): number {
    return this.machines.speed;
  }

  get utilization(): number {
    return this.cores === 0 ? 1 : 1 - this.pool.machines.totalFreeCores / this.cores;
  }

  get queue(): number {
    return this.cores === 0 ? Infinity : this.waitingCores / this.cores;
  }

  get backlogSeconds(): number {
    return this.cores === 0 ? Infinity : this.work.total / this.cores;
  }

  get waiting(): number {
    return this.pool.waiting;
  }

  /** Whether some job may go on here when a booking ends, or start. */
  get awaitsTime(): boolean {
    return this.isAwaited || (this.pool.bookings !== null && this.suspensions.count > 0);
  }

  /** Whether some job may start here: one that waits here, or at a virtual pool. */
  get isAwaited(): boolean {
    return this.pool.waiting + this.jobs.unassigned > 0;
  }

  isEligible(job: number): boolean {
    return this.pool.eligibility.isEligible(job);
  }

  /** Whether it is eligible, or may turn out to be once the machines are known. */
  mightHold(job: number): boolean {
    return this.pool.eligibility.mightHold(job);
  }

  get mayBeBooked(): boolean {
    return this.pool.bookings !== null;
  }

  isOpenTo(job: number, now: number): boolean {
    const { bookings, machines } = this.pool;
    return (
      bookings === null ||
      bookings.isOpenTo(job, now, machines.count, (machine) => this.machines.has(machine))
    );
  }

  /**
   * Whether a job could start here in a cycle now: its licences are free, and there are free cores that no waiting job
   * asks for, and a machine with room; or a job of lower rank runs, which it may suspend.
   */
  hasRoomFor(job: number): boolean {
    const { pool, preemption, jobs } = this;
    const { kind, kinds } = jobs.jobs;
    const own = kind[job];
    if (pool.licences !== null && !pool.licences.areSpare(own)) return false;
    const cores = kinds.cores[own] * kinds.tasks[own];
    if (cores <= pool.machines.totalFreeCores - this.waitingCores && pool.findsMachine(job)) return true;
    return preemption !== null && preemption.outranksSome(job);
  }

  /** Why no machines of this pool could ever hold the job. Only for one that they might not: see `mightHold`. */
  ineligible(job: number): Ineligible {
    const { kind, kinds } = this.jobs.jobs;
    return this.pool.eligibility.reason(kinds.request(kind[job]))!;
  }

  /** A job joins the queue. */
  wait(job: number): void {
    go(this.jobs, job, WAITING, this.number);
    this.pool.wait(job);
    this.classQueue?.add(job);
    this.countWaiting(job, 1);
    this.markDirty();
  }

  /** A waiting job leaves the queue. */
  leave(job: number): void {
    this.pool.leave(job);
    this.classQueue?.remove(job);
    this.countWaiting(job, -1);
    // Those behind it may start now, or those that wait at a virtual pool come here.
    this.markDirty();
  }

  /**
   * Puts a job of a snapshot back on its machines, as its state says. Jobs come in the order in which they began to
   * run.
   */
  restore(job: number, entries: readonly MachineTasks[]): void {
    const isHolding = this.preemption === null || this.jobs.hold[job] === HOLDING;
    this.pool.restore(job, entries, isHolding, this.jobs.keepsMemory[job] !== 0);
    this.machineJobs?.add(job);
    if (!isHolding) this.suspensions.restore(job);
  }

  /** Puts a new job on machines where it runs already. */
  found(job: number, placement: readonly MachineTasks[], now: number): void {
    const { jobs, machineJobs } = this;
    go(jobs, job, RUNNING, this.number);
    jobs.attempt[job] = 1;
    this.pool.found(job, placement, now);
    if (machineJobs === null) return;
    jobs.virtualStart[job] = now;
    machineJobs.add(job);
    this.noteRunning();
  }

  /** Takes a job off its machines, and frees whatever it holds there. */
  release(job: number, now: number): void {
    this.markDirty();
    this.giveBack(job, now);
    // Jobs of other pools may have waited for it as well.
    this.pool.licences?.limits?.givenBack(this.jobs.jobs.kind[job]);
  }

  private giveBack(job: number, now: number): void {
    if (this.preemption === null) {
      this.pool.release(job, now);
      return;
    }
    const isHolding = this.suspensions.count === 0 || this.jobs.hold[job] === HOLDING;
    this.preemption.left(job, !isHolding);
    if (isHolding) this.pool.release(job, now);
    else this.suspensions.abandon(job);
  }

  /** A job has begun to run, or to run again. Others may suspend it now, and some had to pass it over. */
  noteRunning(): void {
    if (this.machineJobs?.hasPassedOverInCycle === true) this.markDirty();
  }

  cycle(now: number): void {
    const { preemption, outcome, jobs } = this;
    outcome.begin();
    this.isDirty = false;
    if (jobs.waiting > jobs.waitingMax) jobs.waitingMax = jobs.waiting;
    // On a farm that is not full most cycles are due because a job has ended, and no job waits for its room.
    if (!this.isAwaited && this.suspensions.count === 0) return;
    this.cycles++;
    const hasExpiries = this.pool.nextChange <= now;
    const bookings = this.pool.bookings?.changes;
    // Suspended jobs may go on though none waits: bookings have to know the time.
    if (jobs.unassigned > 0 || bookings !== undefined) this.pool.expire(now);
    if (preemption === null) {
      this.assign(this, now);
      this.runPolicy(now);
    } else {
      this.machineJobs!.now = now;
      this.machineJobs!.hasPassedOverInCycle = false;
      if (this.pool.bookings?.changes !== bookings) preemption.retry();
      else if (hasExpiries) preemption.retryRequests();
      let round = 0;
      do {
        preemption.resumption.run(now);
        if (round === 0) this.assign(this, now);
        this.runPolicy(now);
      } while (preemption.preempt(now, ++round));
      outcome.end();
      this.suspensions.told(outcome, this.suspendCapability === "none", now);
      this.isDirty = false;
      // They may have left more room than was needed.
      if (outcome.suspended.length > 0 && jobs.unassigned > 0) this.markDirty();
    }
    if (outcome.hasStarts) this.matchingCycles++;
    if (outcome.started.length > 0) this.wins.count();
  }

  /** Tells the sink why the cycle that has just ended left its jobs waiting, and for which jobs it suspended others. */
  tellReasons(now: number): void {
    const { number } = this;
    const { notes } = this.pool;
    const sink = notes.sink!;
    for (const job of notes.asked) sink.waits(job, number, notes.reason(job), now);
    for (const job of this.outcome.suspended) {
      const by = notes.cause(job);
      if (by !== undefined) sink.suspended(job, number, by, now);
    }
    notes.cycleEnds();
  }

  /** Starts a waiting job on this machine, or wherever it fits if that is `NONE`. */
  startOn(job: number, machine: number, now: number): boolean {
    if (!this.pool.startOn(job, machine, now)) return false;
    this.noteStarted(now);
    return true;
  }

  /** Suspends a job in favour of another, within a cycle. */
  suspend(job: number, now: number): void {
    const { jobs, outcome } = this;
    if (outcome.undoStart(job)) {
      // The driver was not told of the start, so the job simply goes on waiting.
      jobs.attempt[job]--;
      this.markDirty();
      this.giveBack(job, now);
      this.wait(job);
      return;
    }
    this.suspensions.suspend(job, now);
    transition(jobs, job, outcome.suspend(job) ? SUSPENDING : SUSPENDED);
  }

  /** Resumes a suspended job, within a cycle. The caller has made sure that there is room. */
  resume(job: number, now: number): void {
    const { jobs, outcome } = this;
    this.suspensions.resume(job, now);
    transition(jobs, job, outcome.resume(job) ? RESUMING : RUNNING);
  }

  markDirty(): void {
    if (this.isDirty) return;
    this.isDirty = true;
    this.dirtyPools.add(this.number);
  }

  private runPolicy(now: number): void {
    if (this.pool.waiting === 0) return;
    this.pool.cycle(now);
    this.noteStarted(now);
  }

  private noteStarted(now: number): void {
    const { pool, jobs, machineJobs, classQueue, outcome } = this;
    const { virtualStart, attempt } = jobs;
    for (let i = 0; i < pool.startedCount; i++) {
      const job = pool.started[i];
      transition(jobs, job, STARTING);
      attempt[job]++;
      this.countWaiting(job, -1);
      outcome.start(job, machineJobs !== null);
      virtualStart[job] = now;
      if (machineJobs === null) continue;
      classQueue?.remove(job);
      machineJobs.add(job);
    }
  }

  /** Counts in whole numbers: sums of fractions would depend on the order in which jobs came and went. */
  private countWaiting(job: number, sign: number): void {
    if (!this.isRouted) return;
    const { jobs } = this.jobs;
    const cores = jobs.coresOf(job) * jobs.tasksOf(job);
    this.waitingCores += sign * cores;
    this.pool.licences?.countWaiting(jobs.kind[job], sign);
    const seconds = jobs.estimateSeconds[job];
    if (seconds < Infinity) this.work.count(cores, seconds, sign);
  }
}
