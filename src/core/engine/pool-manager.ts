import { HOLDING, STOPPED, STOPPING, type EngineJobs } from "../jobs/engine-jobs.ts";
import {
  FREE,
  KILL_TO_PREEMPT,
  KILLING,
  RESUMING,
  RUNNING,
  STARTING,
  SUSPENDED,
  SUSPENDING,
  WAITING,
} from "../jobs/job-states.ts";
import { AllowedMachines, type MachineGroups } from "../machines/machine-groups.ts";
import { NONE } from "../none.ts";
import { Pool } from "../pool/pool.ts";
import type { PoolSettings } from "../pool/pool-settings.ts";
import { MachineJobs } from "../preemption/machine-jobs.ts";
import { Preemption, type PreemptionActions } from "../preemption/preemption.ts";
import type { VictimRule } from "../preemption/victim-rule.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import type { RoutedPool } from "../routing/pool-views.ts";
import { Eligibility, type IneligibleInFarm } from "../farm/eligibility.ts";

/** What becomes of a job that another one takes the place of. `cpu-only`: it keeps its memory. `none`: it is killed. */
export type SuspendCapability = "full" | "cpu-only" | "none";

/** What a pool of the engine is made of. */
export interface PoolManagerSettings extends Omit<PoolSettings, "jobs" | "queue" | "allowed"> {
  readonly site: number;
  readonly groups: MachineGroups;
  /** By group of machines: the number of the group that owns them, 0 where nobody does. */
  readonly ownerOf: Int32Array;
  /** By group of machines. */
  readonly speedOf: Float64Array;
  /** Seconds between cycles; 0: a cycle whenever something happened that may let a job start. */
  readonly intervalSeconds: number;
  readonly suspend: SuspendCapability;
}

// Why a machine is out of service: an operator took it out, or it is down. One does not end the other.
const OUT = 1;
const DOWN = 2;

// What the cycle at hand has done with a job so far.
const STARTED = 1;
const SUSPENDED_NOW = 2;
const RESUMED_NOW = 3;

/**
 * A Physical Pool Manager: a pool whose jobs have priorities and may suspend one another (Zhang 2010, sections 2.1
 * and 2.2).
 *
 * A cycle lets suspended jobs go on where there is room again, starts waiting jobs as the pool's policy has it, and
 * then lets those that still wait suspend others. What room is left over by that is offered again, until nobody is
 * suspended. Only the outcome counts: a job that the cycle started and then took off again goes on waiting as if
 * nothing had been.
 */
export class PoolManager implements RoutedPool, PreemptionActions {
  readonly pool: Pool;
  readonly number: number;
  readonly site: number;
  readonly groups: MachineGroups;
  readonly allowed: AllowedMachines;
  readonly ownerOf: Int32Array;
  readonly intervalSeconds: number;
  readonly suspendCapability: SuspendCapability;
  readonly cores: number;
  readonly speed: number;
  waitingCores = 0;
  waitingWork = 0;
  /** Something happened since the last cycle that may let a job start. */
  isDirty = false;
  /** Cycles in which somebody waited or was suspended, and those of them that let a job start or go on. */
  cycles = 0;
  matchingCycles = 0;
  /** Of the cycles that started a job: those in which each member of Max-Jobs' list reached the maximum. */
  readonly wins: Float64Array;
  /** The outcome of the last cycle. */
  readonly started: number[] = [];
  readonly suspended: number[] = [];
  readonly resumed: number[] = [];
  /** By machine: entries of jobs that have been told to stop and still hold it. */
  readonly stopping: Int32Array;
  /** By machine: a sum of `OUT` and `DOWN`; 0 while it is in service. */
  readonly outOfService: Uint8Array;
  readonly machineJobs: MachineJobs | null;
  readonly preemption: Preemption | null;
  private readonly keepsMemory: boolean;
  private suspendedCount = 0;
  /** Whether a routing or strategy may ask what waits here. */
  private readonly isRouted: boolean;
  private readonly jobs: EngineJobs;
  private readonly eligibility: Eligibility;
  /** The jobs by class, where the pool's own queue has another order. */
  private readonly classQueue: PriorityQueue | null;
  private readonly dirtyPools: number[];

  /**
   * @param priorities jobs' priorities are below this
   * @param isRouted whether jobs may go to other pools as well
   * @param dirtyPools takes this pool's number when something happens that may let a job start
   */
  constructor(
    jobs: EngineJobs,
    number: number,
    dirtyPools: number[],
    settings: PoolManagerSettings,
    priorities: number,
    victimRule: VictimRule | null,
    isRouted: boolean,
  ) {
    const { groups, ownerOf, suspend } = settings;
    this.jobs = jobs;
    this.number = number;
    this.dirtyPools = dirtyPools;
    this.isRouted = isRouted;
    this.site = settings.site;
    this.groups = groups;
    this.ownerOf = ownerOf;
    this.intervalSeconds = settings.intervalSeconds;
    this.suspendCapability = suspend;
    this.keepsMemory = suspend === "cpu-only";
    this.allowed = new AllowedMachines(groups);
    const owners = new Set(ownerOf);
    owners.delete(0);
    const classes = owners.size === 0 ? priorities : priorities * 2;
    // Who owns machines here comes before all who do not; then the job's own priority counts.
    const classOf = (job: number): number =>
      owners.has(jobs.jobs.owner[job]) ? priorities + jobs.priority[job] : jobs.priority[job];
    const queue = classes === 1 ? null : new PriorityQueue(jobs.jobs, classes, classOf);
    const isByPriority = queue !== null && settings.shares === undefined;
    this.pool = new Pool({
      ...settings,
      jobs: jobs.jobs,
      ...(settings.packing === undefined ? { allowed: this.allowed } : {}),
      ...(isByPriority ? { queue } : {}),
    });
    const { machines, placements } = this.pool;
    this.wins = new Float64Array(this.pool.policy.winners?.names.length ?? 0);
    this.cores = machines.totalFreeCores;
    this.eligibility = new Eligibility(jobs.jobs, machines, this.allowed);
    let speeds = 0;
    for (let machine = 0; machine < machines.count; machine++)
      speeds += machines.capacityCores[machine] * settings.speedOf[groups.groupOf[machine]];
    this.speed = speeds / this.cores;
    this.stopping = new Int32Array(machines.count);
    this.outOfService = new Uint8Array(machines.count);
    this.machineJobs = null;
    this.preemption = null;
    this.classQueue = null;
    if (victimRule === null || queue === null) return;
    if (!isByPriority) this.classQueue = queue;
    const { keepsMemory } = this;
    this.machineJobs = new MachineJobs(
      jobs,
      machines,
      placements,
      groups,
      ownerOf,
      priorities,
      victimRule,
      keepsMemory,
      this.pool.packing,
    );
    this.preemption = new Preemption(
      jobs,
      this.pool,
      this.allowed,
      this,
      this.machineJobs,
      queue,
      priorities,
      keepsMemory,
    );
  }

  get utilization(): number {
    return 1 - this.pool.machines.totalFreeCores / this.cores;
  }

  get waiting(): number {
    return this.pool.waiting;
  }

  isEligible(job: number): boolean {
    return this.eligibility.isEligible(job);
  }

  /** Why no machines of this pool could ever hold the job; it is not eligible. */
  ineligible(job: number): IneligibleInFarm {
    return this.eligibility.reason(job);
  }

  /** A job joins the queue. */
  wait(job: number): void {
    this.jobs.state[job] = WAITING;
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
  }

  /** A job of a snapshot has machines again, as its state says. Jobs come in the order in which they began to run. */
  restore(job: number, entries: readonly { machine: number; tasks: number }[]): void {
    const isHolding = this.preemption === null || this.jobs.hold[job] === HOLDING;
    this.pool.restore(job, entries, isHolding, this.keepsMemory);
    if (this.preemption === null) return;
    this.preemption.started(job);
    if (isHolding) return;
    this.preemption.suspended(job);
    this.suspendedCount++;
    if (this.jobs.hold[job] === STOPPING) this.countStopping(job, 1);
  }

  /** A job gives up its machines and whatever it holds there. */
  release(job: number): void {
    this.markDirty();
    if (this.preemption === null) {
      this.pool.release(job);
      return;
    }
    const { hold } = this.jobs;
    this.preemption.left(job, hold[job] !== HOLDING);
    if (hold[job] === HOLDING) this.pool.release(job);
    else {
      this.suspendedCount--;
      if (hold[job] === STOPPING) this.countStopping(job, -1);
      this.pool.abandon(job, this.keepsMemory);
      hold[job] = HOLDING;
    }
  }

  cycle(now: number): void {
    const { preemption, started, suspended, resumed, jobs } = this;
    started.length = suspended.length = resumed.length = 0;
    this.isDirty = false;
    if (jobs.waiting > jobs.waitingMax) jobs.waitingMax = jobs.waiting;
    if (this.pool.waiting + this.suspendedCount > 0) this.cycles++;
    if (preemption === null) {
      this.runPolicy(now);
    } else {
      this.machineJobs!.now = now;
      if (this.pool.nextChange <= now) preemption.retryRequests();
      let round = 0;
      do {
        preemption.resume(now);
        this.runPolicy(now);
      } while (preemption.preempt(now, ++round));
      for (const job of started) jobs.mark[job] = 0;
      for (const job of suspended) {
        jobs.mark[job] = 0;
        jobs.toldAt[job] = now;
        jobs.hold[job] = STOPPING;
        this.countStopping(job, 1);
        if (this.suspendCapability === "none") {
          jobs.state[job] = KILLING;
          jobs.killReason[job] = KILL_TO_PREEMPT;
        }
      }
      for (const job of resumed) {
        jobs.mark[job] = 0;
        jobs.toldAt[job] = now;
      }
      this.isDirty = false;
    }
    if (started.length + resumed.length > 0) this.matchingCycles++;
    const { winners } = this.pool.policy;
    if (winners !== undefined && started.length > 0)
      for (let i = 0; i < this.wins.length; i++) this.wins[i] += winners.won[i];
  }

  /** Starts a waiting job on this machine, or with `NONE` wherever it fits. */
  startOn(job: number, machine: number, now: number): boolean {
    if (!this.pool.startOn(job, machine, now)) return false;
    this.noteStarted(now);
    return true;
  }

  /** Within a cycle: a job of the machines stops, in favour of another. */
  suspend(job: number, now: number): void {
    const { jobs } = this;
    const mark = jobs.mark[job];
    if (mark === STARTED) {
      // It has not started yet, so it goes on waiting.
      drop(this.started, job);
      jobs.mark[job] = 0;
      jobs.attempt[job]--;
      this.release(job);
      this.wait(job);
      return;
    }
    this.stop(job, now);
    if (mark === RESUMED_NOW) {
      drop(this.resumed, job);
      jobs.state[job] = SUSPENDED;
      jobs.mark[job] = 0;
    } else {
      jobs.state[job] = SUSPENDING;
      this.suspended.push(job);
      jobs.mark[job] = SUSPENDED_NOW;
    }
  }

  /** Within a cycle: a suspended job goes on; there is room. */
  resume(job: number, now: number): void {
    const { jobs } = this;
    this.goOn(job, now);
    if (jobs.mark[job] === SUSPENDED_NOW) {
      drop(this.suspended, job);
      jobs.state[job] = RUNNING;
      jobs.mark[job] = 0;
    } else {
      jobs.state[job] = RESUMING;
      this.resumed.push(job);
      jobs.mark[job] = RESUMED_NOW;
    }
  }

  /** The driver has suspended a job: what it gave up is free. */
  confirmSuspended(job: number): void {
    this.jobs.state[job] = SUSPENDED;
    this.jobs.hold[job] = STOPPED;
    this.countStopping(job, -1);
    this.markDirty();
  }

  /** A job could not be suspended, and runs on. No claim is left on its machines. */
  runOn(job: number, now: number): void {
    const { jobs } = this;
    const { estimateSeconds } = jobs.jobs;
    const ranSeconds = now - jobs.toldAt[job];
    jobs.virtualStart[job] += ranSeconds;
    estimateSeconds[job] = Math.max(0, estimateSeconds[job] - ranSeconds);
    this.countStopping(job, -1);
    this.goOn(job, now);
    jobs.state[job] = RUNNING;
    this.markDirty();
  }

  /** A suspended job goes on, perhaps later than it was decided. */
  wentOn(job: number, now: number): void {
    const { jobs } = this;
    const lateSeconds = now - jobs.toldAt[job];
    if (lateSeconds > 0) this.beganLate(job, jobs.virtualStart[job] + lateSeconds, now);
  }

  /** A job could not go on, and stays suspended: it has done nothing since it was told to. */
  staySuspended(job: number): void {
    this.stop(job, this.jobs.toldAt[job]);
    this.jobs.state[job] = SUSPENDED;
    this.markDirty();
  }

  /** Whether some of a job's machines are still held by jobs that have been told to stop. */
  isBlocked(job: number): boolean {
    const { placements } = this.pool;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.next[entry])
      if (this.stopping[placements.machine[entry]] > 0) return true;
    return false;
  }

  /** Whether all of a waiting job's tasks have room now. */
  hasRoomFor(job: number): boolean {
    const { machines } = this.pool;
    const { cores, memory, gpu, tasks } = this.jobs.jobs;
    let left = tasks[job];
    for (let machine = 0; machine < machines.count && left > 0; machine++)
      left -= machines.roomFor(machine, cores[job], memory[job], gpu[job]);
    return left <= 0;
  }

  /** The machines of a job, each once. */
  machinesOf(job: number): Set<number> {
    const { placements } = this.pool;
    const machines = new Set<number>();
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.next[entry])
      machines.add(placements.machine[entry]);
    return machines;
  }

  /** Where a job's tasks are, as plain data. */
  placementOf(job: number): { machine: number; tasks: number }[] {
    const { placements } = this.pool;
    const found: { machine: number; tasks: number }[] = [];
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.next[entry])
      found.push({ machine: placements.machine[entry], tasks: placements.tasks[entry] });
    return found;
  }

  hasMachine(machine: number): boolean {
    return Number.isInteger(machine) && machine >= 0 && machine < this.pool.machines.count;
  }

  /** The jobs with tasks on a machine, by arrival. */
  jobsOn(machine: number): number[] {
    const { state, pool, jobs } = this.jobs;
    const byArrival = (a: number, b: number): number => jobs.arrival[a] - jobs.arrival[b];
    if (this.machineJobs !== null) return [...this.machineJobs.on(machine)].sort(byArrival);
    const found: number[] = [];
    for (let job = 0; job < state.length; job++) {
      const isHere = state[job] !== FREE && pool[job] === this.number && jobs.placement[job] !== NONE;
      if (isHere && this.machinesOf(job).has(machine)) found.push(job);
    }
    return found.sort(byArrival);
  }

  /** An operator takes a machine out: it takes no more jobs. False where that was so already. */
  drain(machine: number): boolean {
    return this.close(machine, OUT);
  }

  /** The operator lets it back in. It takes jobs again, unless it is down. */
  undrain(machine: number): boolean {
    return this.open(machine, OUT);
  }

  down(machine: number): boolean {
    return this.close(machine, DOWN);
  }

  /** It works again, and takes jobs unless it is drained. */
  up(machine: number): boolean {
    return this.open(machine, DOWN);
  }

  private close(machine: number, why: number): boolean {
    if ((this.outOfService[machine] & why) !== 0) return false;
    this.outOfService[machine] |= why;
    this.pool.machines.drain(machine);
    return true;
  }

  private open(machine: number, why: number): boolean {
    if ((this.outOfService[machine] & why) === 0) return false;
    this.outOfService[machine] &= ~why;
    if (this.outOfService[machine] !== 0) return true;
    this.pool.machines.undrain(machine);
    this.preemption?.machineFreed(machine);
    this.preemption?.retryRequests();
    this.markDirty();
    return true;
  }

  /** For a while a job is not to start on a machine. */
  exclude(_job: number, _machine: number, _until: number): void {}

  endExclusions(_now: number): void {}

  /** A job of the pool has started later than it was decided. */
  startedLate(job: number, now: number): void {
    this.beganLate(job, now, now);
  }

  private beganLate(job: number, virtualStart: number, now: number): void {
    this.machineJobs!.stop(job);
    this.jobs.virtualStart[job] = virtualStart;
    this.machineJobs!.run(job);
    this.pool.beganLate(job, now);
  }

  markDirty(): void {
    if (this.isDirty) return;
    this.isDirty = true;
    this.dirtyPools.push(this.number);
  }

  /** Takes a running job's resources off the books, and turns what it is expected to run into what is left of it. */
  private stop(job: number, now: number): void {
    const { jobs } = this;
    this.preemption!.suspended(job);
    this.pool.suspend(job, this.keepsMemory);
    const progressSeconds = now - jobs.virtualStart[job];
    jobs.virtualStart[job] = progressSeconds;
    jobs.jobs.estimateSeconds[job] = Math.max(0, jobs.estimateSeconds[job] - progressSeconds);
    jobs.hold[job] = STOPPED;
    this.suspendedCount++;
  }

  private goOn(job: number, now: number): void {
    const { jobs } = this;
    this.pool.resume(job, this.keepsMemory, now);
    jobs.virtualStart[job] = now - jobs.virtualStart[job];
    jobs.hold[job] = HOLDING;
    this.suspendedCount--;
    this.preemption!.resumed(job);
  }

  private countStopping(job: number, sign: number): void {
    const { placements } = this.pool;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.next[entry])
      this.stopping[placements.machine[entry]] += sign;
  }

  private runPolicy(now: number): void {
    if (this.pool.waiting === 0) return;
    this.pool.cycle(now);
    this.noteStarted(now);
  }

  private noteStarted(now: number): void {
    const { pool, jobs, preemption, classQueue, started } = this;
    const { state, virtualStart, attempt } = jobs;
    for (let i = 0; i < pool.startedCount; i++) {
      const job = pool.started[i];
      state[job] = STARTING;
      attempt[job]++;
      this.countWaiting(job, -1);
      started.push(job);
      if (preemption === null) continue;
      virtualStart[job] = now;
      classQueue?.remove(job);
      preemption.started(job);
      jobs.mark[job] = STARTED;
    }
  }

  /** In whole numbers: sums of fractions would depend on the order in which jobs came and went. */
  private countWaiting(job: number, sign: number): void {
    this.jobs.waiting += sign;
    if (!this.isRouted) return;
    const { jobs } = this.jobs;
    const cores = jobs.cores[job] * jobs.tasks[job];
    this.waitingCores += sign * cores;
    const seconds = jobs.estimateSeconds[job];
    if (seconds < Infinity) this.waitingWork += sign * Math.round(cores * seconds);
  }
}

function drop(list: number[], job: number): void {
  list.splice(list.indexOf(job), 1);
}
