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
import { extended } from "../arrays.ts";
import type { Ineligible } from "../machines/eligibility.ts";
import type { OwnedGroups } from "../machines/machine-groups.ts";
import { DOWN, DRAINED, REMOVED, type MachineCapacity } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import { Pool } from "../pool/pool.ts";
import type { PoolSettings } from "../pool/pool-settings.ts";
import { MachineJobs } from "../preemption/machine-jobs.ts";
import { Preemption, type PreemptionActions } from "../preemption/preemption.ts";
import type { VictimRule } from "../preemption/victim-rule.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import type { RoutedPool } from "../routing/pool-views.ts";

/** What becomes of a job that another one takes the place of. `cpu-only`: it keeps its memory. `none`: it is killed. */
export type SuspendCapability = "full" | "cpu-only" | "none";

/** What a pool of the engine is made of. */
export interface PoolManagerSettings extends Omit<PoolSettings, "jobs" | "queue"> {
  readonly site: number;
  readonly groups: OwnedGroups;
  /** Seconds between cycles; 0: a cycle whenever something happened that may let a job start. */
  readonly intervalSeconds: number;
  readonly suspend: SuspendCapability;
}

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
  readonly groups: OwnedGroups;
  readonly intervalSeconds: number;
  readonly suspendCapability: SuspendCapability;
  /** Thousandths of a core of all machines; and how fast they are on average. */
  cores = 0;
  speed = 1;
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
  stopping: Int32Array;
  readonly machineJobs: MachineJobs | null;
  readonly preemption: Preemption | null;
  private readonly keepsMemory: boolean;
  private suspendedCount = 0;
  /** Whether a routing or strategy may ask what waits here. */
  private readonly isRouted: boolean;
  private readonly jobs: EngineJobs;
  /** The groups of jobs that own machines here. */
  private readonly owners: ReadonlySet<number>;
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
    const { groups, suspend } = settings;
    this.jobs = jobs;
    this.number = number;
    this.dirtyPools = dirtyPools;
    this.isRouted = isRouted;
    this.site = settings.site;
    this.groups = groups;
    this.intervalSeconds = settings.intervalSeconds;
    this.suspendCapability = suspend;
    this.keepsMemory = suspend === "cpu-only";
    const owners = new Set(groups.ownerOf);
    owners.delete(0);
    this.owners = owners;
    const classes = owners.size === 0 ? priorities : priorities * 2;
    // Who owns machines here comes before all who do not; then the job's own priority counts.
    const classOf = (job: number): number =>
      owners.has(jobs.jobs.owner[job]) ? priorities + jobs.priority[job] : jobs.priority[job];
    const queue = classes === 1 ? null : new PriorityQueue(jobs.jobs, classes, classOf);
    const isByPriority = queue !== null && settings.shares === undefined;
    this.pool = new Pool({
      ...settings,
      jobs: jobs.jobs,
      ...(isByPriority ? { queue } : {}),
    });
    const { machines, placements } = this.pool;
    this.wins = new Float64Array(this.pool.policy.winners?.names.length ?? 0);
    this.measure();
    this.stopping = new Int32Array(machines.count);
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
      this.pool.allowed,
      groups,
      priorities,
      victimRule,
      keepsMemory,
    );
    this.preemption = new Preemption(jobs, this.pool, this, this.machineJobs, queue, priorities, keepsMemory);
  }

  get utilization(): number {
    return this.cores === 0 ? 1 : 1 - this.pool.machines.totalFreeCores / this.cores;
  }

  get waiting(): number {
    return this.pool.waiting;
  }

  isEligible(job: number): boolean {
    return this.pool.eligibility.isEligible(job);
  }

  /** Why no machines of this pool could ever hold the job; it is not eligible. */
  ineligible(job: number): Ineligible {
    const { cores, memory, gpu, tasks, requirement } = this.jobs.jobs;
    const size = { cores: cores[job], memory: memory[job], gpu: gpu[job], tasks: tasks[job] };
    return this.pool.eligibility.reason({ ...size, requirement: requirement[job] })!;
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
    // Most cycles of a farm that is not full are due because a job has ended, and nobody waits for its room.
    if (this.pool.waiting + this.suspendedCount === 0) return;
    this.cycles++;
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

  /** Tells the sink why the cycle that has just ended left jobs waiting, and suspended others. */
  tellReasons(now: number): void {
    const { jobs, number } = this;
    const { notes } = this.pool;
    const sink = notes.sink!;
    for (const job of sink.jobs)
      if (jobs.state[job] === WAITING && jobs.pool[job] === number)
        sink.waits(job, number, notes.reason(job), now);
    for (const job of this.suspended) {
      const by = notes.cause(job);
      if (by !== undefined && sink.jobs.has(job)) sink.suspended(job, number, by, now);
    }
    notes.cycleEnds();
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

  /** How fast a job is: as fast as the slowest of its machines. */
  speedOf(job: number): number {
    const { placements, machines } = this.pool;
    const { speedOf } = this.groups;
    let speed = Infinity;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.next[entry])
      speed = Math.min(speed, speedOf[machines.groupOf[placements.machine[entry]]]);
    return speed;
  }

  /** Where a job's tasks are, as plain data. */
  placementOf(job: number): { machine: number; tasks: number }[] {
    const { placements } = this.pool;
    const found: { machine: number; tasks: number }[] = [];
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.next[entry])
      found.push({ machine: placements.machine[entry], tasks: placements.tasks[entry] });
    return found;
  }

  /** Whether there is a machine of this number: it was not removed. */
  hasMachine(machine: number): boolean {
    const { machines } = this.pool;
    return (
      Number.isInteger(machine) &&
      machine >= 0 &&
      machine < machines.count &&
      (machines.closed[machine] & REMOVED) === 0
    );
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
    if (this.is(DRAINED, machine)) return false;
    this.pool.machines.drain(machine);
    return true;
  }

  /** The operator lets it back in. It takes jobs again, unless it is down. */
  undrain(machine: number): boolean {
    if (!this.is(DRAINED, machine)) return false;
    this.pool.machines.undrain(machine);
    this.machineReturned(machine);
    return true;
  }

  down(machine: number): boolean {
    if (this.is(DOWN, machine)) return false;
    this.pool.machines.down(machine);
    return true;
  }

  /** It works again, and takes jobs unless it is drained. */
  up(machine: number): boolean {
    if (!this.is(DOWN, machine)) return false;
    this.pool.machines.up(machine);
    this.machineReturned(machine);
    return true;
  }

  /** Whether a machine may join as this number: that of one that was removed, or the next. */
  mayAdd(machine: number): boolean {
    const { machines } = this.pool;
    return machine === machines.count || (machine >= 0 && this.is(REMOVED, machine));
  }

  /** Whether machines of a group may join: whoever owns them is known to own machines here. */
  knowsGroup(group: number): boolean {
    const { groups, owners } = this;
    if (!(group >= 0 && group < groups.count)) return false;
    return groups.ownerOf[group] === 0 || owners.has(groups.ownerOf[group]);
  }

  addMachine(machine: number, capacity: MachineCapacity, group: number): void {
    const { machines } = this.pool;
    machines.add(machine, capacity, group);
    this.stopping = extended(this.stopping, machines.count);
    this.preemption?.resized(machines.count);
    this.measure();
    this.machineReturned(machine);
  }

  /** A machine has another capacity, or is of another group, from now on. What runs there runs on. */
  resizeMachine(machine: number, capacity: MachineCapacity, group: number): void {
    const { machineJobs } = this;
    const { machines } = this.pool;
    const running = this.jobsOn(machine).filter((job) => machineJobs?.isListedAsRunning(job) === true);
    // They are listed by group.
    for (const job of running) machineJobs!.stop(job);
    machines.setCapacity(machine, capacity, group);
    this.preemption?.resized(machines.count);
    for (const job of running) machineJobs!.run(job);
    this.measure();
    this.machineReturned(machine);
  }

  /**
   * Whether a suspended job's machines could hold it once nobody else runs there: they may have become smaller since
   * it started.
   */
  couldHold(job: number): boolean {
    const { machines, placements } = this.pool;
    const { cores, memory, gpu, placement } = this.jobs.jobs;
    for (let entry = placement[job]; entry !== NONE; entry = placements.next[entry]) {
      const machine = placements.machine[entry];
      let tasks = 0;
      for (let other = entry; other !== NONE; other = placements.next[other])
        if (placements.machine[other] === machine) tasks += placements.tasks[other];
      if (tasks > machines.capacityFor(machine, cores[job], memory[job], gpu[job])) return false;
      if (
        machines.freeMemory[machine] < 0 &&
        this.memoryOfSuspended(machine) > machines.capacityMemory[machine]
      )
        return false;
    }
    return true;
  }

  /** What suspended jobs keep of a machine's memory. */
  private memoryOfSuspended(machine: number): number {
    if (!this.keepsMemory) return 0;
    const { hold, jobs } = this.jobs;
    const { placements } = this.pool;
    let kept = 0;
    for (const job of this.jobsOn(machine)) {
      if (hold[job] === HOLDING) continue;
      for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.next[entry])
        if (placements.machine[entry] === machine) kept += placements.tasks[entry] * jobs.memory[job];
    }
    return kept;
  }

  /** A machine on which nobody is any more leaves the pool. */
  removeMachine(machine: number): void {
    this.pool.machines.remove(machine);
    this.measure();
  }

  private is(what: number, machine: number): boolean {
    return (this.pool.machines.closed[machine] & what) !== 0;
  }

  /** Jobs may fit on a machine that they did not fit on before. */
  private machineReturned(machine: number): void {
    if (!this.pool.machines.isInService(machine)) return;
    this.preemption?.machineFreed(machine);
    this.preemption?.retryRequests();
    this.markDirty();
  }

  private measure(): void {
    const { machines } = this.pool;
    let cores = 0;
    let speeds = 0;
    for (let machine = 0; machine < machines.count; machine++) {
      if (this.is(REMOVED, machine)) continue;
      cores += machines.capacityCores[machine];
      speeds += machines.capacityCores[machine] * this.groups.speedOf[machines.groupOf[machine]];
    }
    this.cores = cores;
    this.speed = cores === 0 ? 1 : speeds / cores;
  }

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
