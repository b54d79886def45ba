import type { Ineligible } from "../machines/eligibility.ts";
import type { MachineGroups } from "../machines/machine-groups.ts";
import { Pool } from "../pool/pool.ts";
import type { PoolSettings } from "../pool/pool-settings.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import { RUNNING, SUSPENDED, WAITING, type FarmJobs } from "./farm-jobs.ts";
import { Preemption } from "./preemption.ts";
import type { VictimRule } from "./victims/victim-rule.ts";

/** What a pool of a farm is made of, beside what any pool is. */
export interface PhysicalPoolSettings extends Omit<PoolSettings, "jobs" | "queue"> {
  readonly site: number;
  readonly groups: MachineGroups;
  /** By group of machines: the number of the group that owns them, 0 where nobody does. */
  readonly ownerOf: Int32Array;
  /** By group of machines. */
  readonly speedOf: Float64Array;
}

export interface PreemptionSettings {
  readonly rule: VictimRule;
  readonly keepsMemory: boolean;
}

/** What the cycle at hand has done with a job so far. */
const STARTED = 1;
const STOPPED = 2;
const WENT_ON = 3;

/**
 * A Physical Pool Manager: a pool whose jobs have priorities and may suspend one
 * another (Zhang 2010, sections 2.1 and 2.2).
 *
 * A cycle lets suspended jobs go on where there is room again, starts waiting jobs
 * as the pool's policy has it, and then lets those that still wait suspend others.
 * What room is left over by that is offered again, until nobody is suspended. The
 * outcome counts, not the way there: a job that the cycle started and then took
 * off again goes on waiting as if nothing had been.
 */
export class PhysicalPool {
  readonly pool: Pool;
  readonly site: number;
  readonly groups: MachineGroups;
  readonly ownerOf: Int32Array;
  /** Thousandths of a core of all machines. */
  readonly cores: number;
  /** Mean over the cores. */
  readonly speed: number;
  /** What the waiting jobs ask for: thousandths of a core, and those times the expected seconds. */
  waitingCores = 0;
  waitingWork = 0;
  /** Something happened since the last cycle that may let a job start. */
  isDirty = false;
  /** The outcome of the last cycle. */
  readonly started: number[] = [];
  readonly suspended: number[] = [];
  readonly resumed: number[] = [];
  readonly preemption: Preemption | null;
  readonly keepsMemory: boolean;
  private readonly jobs: FarmJobs;
  private readonly dirtyPools: number[];
  private readonly number: number;

  /**
   * @param priorities jobs' priorities are below this
   * @param dirtyPools takes this pool's number when something happens that may let a job start
   */
  constructor(
    jobs: FarmJobs,
    number: number,
    dirtyPools: number[],
    settings: PhysicalPoolSettings,
    priorities: number,
    preemption: PreemptionSettings | null,
  ) {
    const { groups, ownerOf } = settings;
    this.jobs = jobs;
    this.number = number;
    this.dirtyPools = dirtyPools;
    this.site = settings.site;
    this.groups = groups;
    this.ownerOf = ownerOf;
    this.keepsMemory = preemption?.keepsMemory ?? true;
    const owners = new Set(ownerOf);
    owners.delete(0);
    const classes = owners.size === 0 ? priorities : priorities * 2;
    // Who owns machines here comes before all who do not; then the job's own priority counts.
    const classOf = (job: number): number =>
      owners.has(jobs.jobs.owner[job]) ? priorities + jobs.priority[job] : jobs.priority[job];
    const queue = classes === 1 ? undefined : new PriorityQueue(jobs.jobs, classes, classOf);
    const isByPriority = queue !== undefined && settings.shares === undefined;
    this.pool = new Pool({
      ...settings,
      jobs: jobs.jobs,
      ...(isByPriority ? { queue } : {}),
    });
    const { machines } = this.pool;
    this.cores = machines.totalFreeCores;
    let speeds = 0;
    for (let machine = 0; machine < machines.count; machine++)
      speeds += machines.capacityCores[machine] * settings.speedOf[machines.groupOf[machine]];
    this.speed = speeds / this.cores;
    this.preemption =
      preemption === null || queue === undefined
        ? null
        : new Preemption(jobs, this, queue, priorities, preemption, !isByPriority);
  }

  /** Busy cores ÷ cores. */
  get utilization(): number {
    return 1 - this.pool.machines.totalFreeCores / this.cores;
  }

  /** Whether the machines that the job's requirement allows could, when empty, hold all its tasks. */
  isEligible(job: number): boolean {
    return this.pool.eligibility.isEligible(job);
  }

  /** Why no machines of this pool could ever hold the job; it is not eligible. */
  ineligible(job: number): Ineligible {
    const { cores, memory, gpu, tasks, requirement } = this.jobs.jobs;
    const asked = { cores: cores[job], memory: memory[job], gpu: gpu[job], tasks: tasks[job] };
    return this.pool.eligibility.reason({ ...asked, requirement: requirement[job] })!;
  }

  /** A job joins the queue. */
  wait(job: number): void {
    this.jobs.state[job] = WAITING;
    this.pool.wait(job);
    this.preemption?.wait(job);
    this.countWaiting(job, 1);
    this.stir();
  }

  /** A waiting job leaves the queue. */
  leave(job: number): void {
    this.pool.leave(job);
    this.preemption?.leave(job);
    this.countWaiting(job, -1);
  }

  /** A running or suspended job gives up its machines. */
  release(job: number): void {
    const isSuspended = this.jobs.state[job] === SUSPENDED;
    this.preemption?.left(job);
    if (isSuspended) this.pool.abandon(job, this.keepsMemory);
    else this.pool.release(job);
    this.stir();
  }

  /** A job that was to run could not: it waits again, in its turn. */
  refuse(job: number): void {
    this.release(job);
    this.wait(job);
  }

  cycle(now: number): void {
    const { preemption, started, suspended, resumed, jobs } = this;
    started.length = suspended.length = resumed.length = 0;
    this.isDirty = false;
    if (preemption === null) {
      this.runPolicy(now);
      return;
    }
    do {
      preemption.resume(now);
      this.runPolicy(now);
    } while (preemption.preempt(now));
    for (const job of started) jobs.mark[job] = 0;
    for (const job of suspended) jobs.mark[job] = 0;
    for (const job of resumed) jobs.mark[job] = 0;
    this.isDirty = false;
  }

  /** Starts a waiting job on this machine, or with `NONE` wherever it fits. */
  startOn(job: number, machine: number, now: number): boolean {
    if (!this.pool.startOn(job, machine, now)) return false;
    this.noteStarted(now);
    return true;
  }

  /** A job of the machines stops, in favour of another. */
  suspend(job: number, now: number): void {
    const { jobs } = this;
    const mark = jobs.mark[job];
    if (mark === STARTED) {
      // It has not started yet, so it goes on waiting.
      drop(this.started, job);
      jobs.mark[job] = 0;
      this.refuse(job);
      return;
    }
    this.preemption!.stopped(job);
    this.pool.suspend(job, this.keepsMemory);
    const progressSeconds = now - jobs.virtualStart[job];
    jobs.state[job] = SUSPENDED;
    jobs.virtualStart[job] = progressSeconds;
    jobs.jobs.estimateSeconds[job] = Math.max(0, jobs.estimateSeconds[job] - progressSeconds);
    if (mark === WENT_ON) {
      drop(this.resumed, job);
      jobs.mark[job] = 0;
    } else {
      this.suspended.push(job);
      jobs.mark[job] = STOPPED;
    }
  }

  /** A suspended job goes on; there is room. */
  resume(job: number, now: number): void {
    const { jobs } = this;
    this.pool.resume(job, this.keepsMemory, now);
    jobs.state[job] = RUNNING;
    jobs.virtualStart[job] = now - jobs.virtualStart[job];
    this.preemption!.wentOn(job);
    if (jobs.mark[job] === STOPPED) {
      drop(this.suspended, job);
      jobs.mark[job] = 0;
    } else {
      this.resumed.push(job);
      jobs.mark[job] = WENT_ON;
    }
  }

  private stir(): void {
    if (this.isDirty) return;
    this.isDirty = true;
    this.dirtyPools.push(this.number);
  }

  private runPolicy(now: number): void {
    if (this.pool.waiting === 0) return;
    this.pool.cycle(now);
    this.noteStarted(now);
  }

  private noteStarted(now: number): void {
    const { pool, jobs, preemption } = this;
    for (let i = 0; i < pool.startedCount; i++) {
      const job = pool.started[i];
      jobs.state[job] = RUNNING;
      jobs.virtualStart[job] = now;
      this.countWaiting(job, -1);
      this.started.push(job);
      if (preemption === null) continue;
      preemption.leave(job);
      preemption.started(job);
      jobs.mark[job] = STARTED;
    }
  }

  private countWaiting(job: number, sign: number): void {
    const { jobs } = this.jobs;
    const cores = sign * jobs.cores[job] * jobs.tasks[job];
    this.waitingCores += cores;
    // Nobody leaves nothing: what sums of fractions are off by would else decide ties between empty pools.
    this.waitingWork = this.waitingCores === 0 ? 0 : this.waitingWork + cores * jobs.estimateSeconds[job];
  }
}

function drop(list: number[], job: number): void {
  list.splice(list.indexOf(job), 1);
}
