import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { extended } from "../arrays.ts";
import { NONE } from "../none.ts";
import type { Pool } from "../pool/pool.ts";
import type { PriorityQueue } from "../queue/priority-queue.ts";
import { FailedPreemptions } from "./failed-preemptions.ts";
import type { MachineJobs, PreemptionRequest } from "./machine-jobs.ts";

/** After so many rounds of a cycle, who is taken off machines takes nobody else off in that cycle. */
const ROUNDS = 16;

/** What preemption does with the jobs of a pool. */
export interface PreemptionActions {
  /** Starts a waiting job on this machine, or with `NONE` wherever it fits; whether it found room. */
  startOn(job: number, machine: number, now: number): boolean;
  suspend(job: number, now: number): void;
  /** A suspended job goes on; there is room. */
  resume(job: number, now: number): void;
}

/** Where a request would suspend others. */
interface Target {
  /** `NONE`: no jobs can be suspended for it. */
  readonly machine: number;
  /** Of a request of several tasks: those that there is room for as it is. */
  readonly tasksElsewhere: number;
}

/**
 * Which jobs are suspended for which in a pool, and which go on.
 *
 * A waiting job that found no room suspends jobs of lower rank on one machine: see `MachineJobs` for ranks. A request
 * that failed is not tried again until a job leaves that could make a difference (`FailedPreemptions`): in a burst of
 * urgent jobs a cycle looks at the kinds that wait, not at the thousands of jobs.
 */
export class Preemption {
  private readonly jobs: EngineJobs;
  private readonly pool: Pool;
  private readonly actions: PreemptionActions;
  private readonly machineJobs: MachineJobs;
  private readonly queue: PriorityQueue;
  private readonly priorities: number;
  private readonly keepsMemory: boolean;
  private readonly failed: FailedPreemptions;
  /** Machines with suspended jobs on which something was given up since they were last looked at. */
  private readonly freed: number[] = [];
  private isFreed: Uint8Array;
  /** By machine: how many suspended jobs' entries are on it. */
  private suspendedHere: Int32Array;
  /** How often the present cycle has let jobs suspend others; who was taken off machines since the limit. */
  private round = 0;
  private readonly displaced = new Set<number>();
  private readonly request: PreemptionRequest = {
    cores: 0,
    memory: 0,
    gpu: 0,
    tasks: 1,
    kind: 0,
    owner: 0,
    priority: 0,
  };

  /**
   * @param queue the pool's waiting jobs by class
   * @param priorities jobs' own priorities are below this
   */
  constructor(
    jobs: EngineJobs,
    pool: Pool,
    actions: PreemptionActions,
    machineJobs: MachineJobs,
    queue: PriorityQueue,
    priorities: number,
    keepsMemory: boolean,
  ) {
    this.jobs = jobs;
    this.pool = pool;
    this.actions = actions;
    this.machineJobs = machineJobs;
    this.queue = queue;
    this.priorities = priorities;
    this.keepsMemory = keepsMemory;
    this.isFreed = new Uint8Array(pool.machines.count);
    this.suspendedHere = new Int32Array(pool.machines.count);
    this.failed = new FailedPreemptions(machineJobs, jobs.jobs.kinds, queue.classCount);
  }

  /** There are so many machines now, not fewer than before. */
  resized(count: number): void {
    this.isFreed = extended(this.isFreed, count);
    this.suspendedHere = extended(this.suspendedHere, count);
    this.machineJobs.resized(count);
  }

  started(job: number): void {
    this.machineJobs.add(job);
  }

  /** A job leaves its machines: before it gives its resources up. */
  left(job: number, wasSuspended: boolean): void {
    if (wasSuspended) this.countSuspended(job, -1);
    this.markFreed(job);
    this.machineJobs.remove(job);
  }

  suspended(job: number): void {
    this.countSuspended(job, 1);
    this.markFreed(job);
    this.machineJobs.stop(job);
  }

  resumed(job: number): void {
    this.countSuspended(job, -1);
    this.machineJobs.run(job);
  }

  /** Requests that failed may succeed though no job has left: machines or jobs are others than they were. */
  retryRequests(): void {
    this.failed.clear();
  }

  /** Jobs that could not be suspended, or could not go on, may be tried again though nothing was given up. */
  retry(): void {
    this.retryRequests();
    for (let machine = 0; machine < this.isFreed.length; machine++) this.machineFreed(machine);
  }

  /** Lets suspended jobs go on where there is room again, if need be in place of jobs of lower rank. */
  resume(now: number): void {
    const { freed, isFreed, machineJobs, actions } = this;
    for (let i = 0; i < freed.length; i++) {
      const machine = freed[i];
      isFreed[machine] = 0;
      for (const job of machineJobs.suspendedOn(machine)) {
        if (machineJobs.isResumable(job) && this.makeRoomFor(job, now)) actions.resume(job, now);
      }
    }
    freed.length = 0;
  }

  /**
   * Lets waiting jobs suspend others; whether any did. Ranks depend on the machine, so of two jobs of several tasks
   * each may be above the other somewhere: without an end they would take one another's place for ever.
   *
   * @param round how often this is asked in the present cycle, from 1
   */
  preempt(now: number, round: number): boolean {
    const { queue, machineJobs, priorities } = this;
    this.round = round;
    if (round === 1) this.displaced.clear();
    let isAny = false;
    const lowest = machineJobs.lowestRank();
    // A job of a class has at most this rank anywhere.
    for (let level = queue.classCount - 1; level > 0 && level > lowest; level--) {
      const kinds = queue.kindsOfClass(level);
      if (kinds === undefined || kinds.count === 0) continue;
      const priority = level % priorities;
      if (this.mayPreempt(level, priority) && this.preemptFor(level, priority, now)) isAny = true;
    }
    return isAny;
  }

  /** Whether some kind of job that waits in the class can suspend others. */
  private mayPreempt(level: number, priority: number): boolean {
    const { list, count } = this.queue.kindsOfClass(level)!;
    const { kinds } = this.jobs.jobs;
    const { request, failed } = this;
    request.priority = priority;
    for (let i = 0; i < count; i++) {
      const kind = list[i];
      const departures = failed.departures(priority, kinds.tasks[kind], kinds.memory[kind]);
      if (failed.includes(level, kind, departures)) continue;
      request.cores = kinds.cores[kind];
      request.memory = kinds.memory[kind];
      request.gpu = kinds.gpu[kind];
      request.tasks = kinds.tasks[kind];
      request.kind = kind;
      request.owner = kinds.owner[kind];
      const target = this.findTarget();
      if (target.machine !== NONE) return true;
      if (this.fails(target)) failed.add(level, kind, departures);
    }
    return false;
  }

  /** Takes the jobs of a class in turn; whether any suspended others. */
  private preemptFor(level: number, priority: number, now: number): boolean {
    const { queue, request, failed, actions } = this;
    const { jobs } = this.jobs;
    const waiting = queue.ofClass(level)!;
    let isAny = false;
    waiting.begin();
    for (let job = waiting.next(); job !== NONE; job = waiting.next()) {
      const kind = jobs.kind[job];
      // The first may have left room for others beside it.
      if (isAny && actions.startOn(job, NONE, now)) continue;
      if (this.displaced.has(job)) continue;
      const departures = failed.departures(priority, jobs.tasks[job], jobs.memory[job]);
      if (failed.includes(level, kind, departures)) continue;
      request.priority = priority;
      request.cores = jobs.cores[job];
      request.memory = jobs.memory[job];
      request.gpu = jobs.gpu[job];
      request.tasks = jobs.tasks[job];
      request.kind = kind;
      request.owner = jobs.owner[job];
      const target = this.findTarget();
      if (target.machine === NONE) {
        if (this.fails(target)) failed.add(level, kind, departures);
        continue;
      }
      this.suspendFor(job, target, now);
      actions.startOn(job, target.machine, now);
      isAny = true;
    }
    return isAny;
  }

  /** Whether a request without a target fails until something leaves; not where a job could be suspended later. */
  private fails(target: Target): boolean {
    return !this.machineJobs.hasPassedOver && !this.hasRoom(target);
  }

  private findTarget(): Target {
    const { request, machineJobs } = this;
    machineJobs.hasPassedOver = false;
    const set = this.pool.allowed.setOf(this.jobs.jobs.kinds.requirement[request.kind]);
    const tasksElsewhere = request.tasks > 1 ? this.roomNow() : 0;
    return { machine: machineJobs.machineFor(request, set?.groups ?? null, tasksElsewhere), tasksElsewhere };
  }

  /** Tasks of the request that open machines have room for now. */
  private roomNow(): number {
    const { request } = this;
    const { machines, allowed } = this.pool;
    let room = 0;
    for (let machine = 0; machine < machines.count; machine++) {
      if (machines.closed[machine] !== 0) continue;
      if (!allowed.allowsKind(request.kind, machine)) continue;
      room += machines.roomFor(machine, request.cores, request.memory, request.gpu);
    }
    return room;
  }

  /** Whether the request has room as it is, which lower jobs may take yet: that it failed says nothing then. */
  private hasRoom({ tasksElsewhere }: Target): boolean {
    const { kind, tasks } = this.request;
    return tasks > 1 ? tasksElsewhere >= tasks : this.pool.find(kind) !== NONE;
  }

  /**
   * Suspends jobs below this one on the target's machine in the rule's order, until there is room. If the last made
   * some of the first superfluous, these go on within the same cycle.
   */
  private suspendFor(job: number, { machine, tasksElsewhere }: Target, now: number): void {
    const { machineJobs, actions, jobs } = this;
    const { machines, notes } = this.pool;
    const { cores, memory, gpu, tasks } = jobs.jobs;
    const room = (): number => machines.roomFor(machine, cores[job], memory[job], gpu[job]);
    const wanted = tasks[job] === 1 ? 1 : tasks[job] - (tasksElsewhere - room());
    for (const lower of machineJobs.lowerOn(machine, machineJobs.rankOn(job, machine))) {
      if (room() >= wanted) break;
      if (this.round > ROUNDS) this.displaced.add(lower);
      if (notes.isOn) notes.suspendedFor(lower, job);
      actions.suspend(lower, now);
    }
  }

  /** Whether a suspended job can go on, once jobs below it have made room where they must. */
  private makeRoomFor(job: number, now: number): boolean {
    const { actions, jobs, machineJobs } = this;
    const { machines, placements, notes } = this.pool;
    const { cores, memory, gpu, placement, tasks } = jobs.jobs;
    const memoryWanted = this.keepsMemory ? 0 : memory[job];
    const first = placement[job];
    const machine = placements.machine[first];
    if (placements.next[first] !== NONE) return this.fitsOnAll(job, memoryWanted);
    if (machines.closed[machine] !== 0) return false;
    const n = tasks[job];
    if (machines.roomFor(machine, cores[job], memoryWanted, gpu[job]) >= n) return true;
    const rank = machineJobs.rankOn(job, machine);
    if (machineJobs.roomWithout(machine, rank, cores[job], memoryWanted, gpu[job]) < n) return false;
    for (const lower of machineJobs.lowerOn(machine, rank)) {
      if (notes.isOn) notes.suspendedFor(lower, job);
      actions.suspend(lower, now);
      if (machines.roomFor(machine, cores[job], memoryWanted, gpu[job]) >= n) break;
    }
    return true;
  }

  /** A job with tasks on several machines goes on where all have room as they are. */
  private fitsOnAll(job: number, memory: number): boolean {
    const { machines, placements } = this.pool;
    const { cores, gpu, placement } = this.jobs.jobs;
    const wanted = new Map<number, number>();
    for (let entry = placement[job]; entry !== NONE; entry = placements.next[entry]) {
      const machine = placements.machine[entry];
      wanted.set(machine, (wanted.get(machine) ?? 0) + placements.tasks[entry]);
    }
    for (const [machine, n] of wanted) {
      if (machines.closed[machine] !== 0) return false;
      if (machines.roomFor(machine, cores[job], memory, gpu[job]) < n) return false;
    }
    return true;
  }

  /** Something is given up on the job's machines: those suspended there may go on. */
  private markFreed(job: number): void {
    const { placements } = this.pool;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.next[entry])
      this.machineFreed(placements.machine[entry]);
  }

  /** Something was given up on a machine. */
  machineFreed(machine: number): void {
    if (this.isFreed[machine] !== 0 || this.suspendedHere[machine] === 0) return;
    this.isFreed[machine] = 1;
    this.freed.push(machine);
  }

  /** The machines to be looked at, in order: what a snapshot keeps. */
  get toLookAt(): number[] {
    return [...this.freed];
  }

  set toLookAt(machines: readonly number[]) {
    this.freed.splice(0, this.freed.length, ...machines);
    this.isFreed.fill(0);
    for (const machine of machines) this.isFreed[machine] = 1;
  }

  private countSuspended(job: number, sign: number): void {
    const { machine, next } = this.pool.placements;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = next[entry])
      this.suspendedHere[machine[entry]] += sign;
  }
}
