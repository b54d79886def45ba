import { IntList } from "../int-list.ts";
import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { KindMemory } from "../jobs/kind-memory.ts";
import { extended } from "../arrays.ts";
import { NONE } from "../none.ts";
import type { Pool } from "../pool/pool.ts";
import type { PriorityQueue } from "../queue/priority-queue.ts";
import { FailedPreemptions } from "./failed-preemptions.ts";
import type { MachineJobs, PreemptionRequest } from "./machine-jobs.ts";

/** After this many rounds of a cycle, a job that is taken off its machine takes no other job off in that cycle. */
const ROUNDS = 16;

/** What preemption does to the jobs of a pool. */
export interface PreemptionActions {
  /** Starts a waiting job on this machine, or wherever it fits if that is `NONE`. Returns whether there was room. */
  startOn(job: number, machine: number, now: number): boolean;
  suspend(job: number, now: number): void;
  /** Resumes a suspended job. There is room. */
  resume(job: number, now: number): void;
}

/** Where jobs would be suspended for a request. */
interface Target {
  /** `NONE` if no jobs can be suspended for it. */
  readonly machine: number;
  /** The number of tasks that there is room for without suspensions, if the request has several. */
  readonly tasksElsewhere: number;
}

/**
 * Decides which jobs of a pool are suspended for which, and which resume.
 *
 * A waiting job that found no room suspends jobs of lower rank on one machine: see `MachineJobs` for ranks. One whose
 * licences are in use suspends nobody, since suspended jobs keep theirs. A request
 * that failed is not tried again until a job leaves that could make a difference (`FailedPreemptions`): in a burst of
 * urgent jobs a cycle goes through the kinds that wait, not the thousands of jobs.
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
  /** The kinds for which there is no room beside the jobs that were suspended last. */
  private readonly noRoom: KindMemory;
  /** Machines with suspended jobs on which something became free since `resume` last went through them. */
  private readonly freed = new IntList();
  /**
   * Those of them to go through once more: a job there can resume once it has stopped, or when another one can be
   * suspended for it, which is starting now.
   */
  private readonly again = new IntList();
  private isFreed: Uint8Array;
  /** How often machines had been reserved to other families when requests last failed. */
  private reservationChanges = 0;
  /** By machine: the number of entries of suspended jobs. */
  private suspendedHere: Int32Array;
  /** The current round of the cycle; and the jobs that were taken off machines after the last permitted round. */
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
   * @param priorities the number of priorities: all are below it
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
    this.noRoom = new KindMemory(jobs.jobs.kinds);
  }

  /** Makes room for a larger number of machines. */
  resized(count: number): void {
    this.isFreed = extended(this.isFreed, count);
    this.suspendedHere = extended(this.suspendedHere, count);
    this.machineJobs.resized(count);
  }

  /** Whether a job of lower rank runs than the highest that this one has on any machine. */
  outranksSome(job: number): boolean {
    return this.queue.classOf(job) > this.machineJobs.lowestRank();
  }

  started(job: number): void {
    this.machineJobs.add(job);
  }

  /** A job leaves its machines. Must be called before it gives up its resources. */
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

  /** Lets requests that failed be tried again, because machines or jobs have changed though no job has left. */
  retryRequests(): void {
    this.failed.clear();
  }

  /** Lets failed suspensions and resumptions be tried again though nothing became free. */
  retry(): void {
    this.retryRequests();
    for (let machine = 0; machine < this.isFreed.length; machine++) this.machineFreed(machine);
  }

  /** Resumes suspended jobs where there is room again, if need be in place of jobs of lower rank. */
  resume(now: number): void {
    const { freed, isFreed, again, machineJobs, actions } = this;
    for (let i = 0; i < freed.length; i++) {
      const machine = freed.values[i];
      isFreed[machine] = 0;
      machineJobs.hasPassedOver = false;
      for (const job of machineJobs.suspendedOn(machine)) {
        if (machineJobs.isResumable(job) && this.makeRoomFor(job, now)) actions.resume(job, now);
      }
      if (machineJobs.hasPassedOver || machineJobs.isStoppingOn(machine)) again.add(machine);
    }
    freed.clear();
    for (let i = 0; i < again.length; i++) this.machineFreed(again.values[i]);
    again.clear();
  }

  /**
   * Lets waiting jobs suspend others. Returns whether any did. Ranks depend on the machine, so of two jobs with several
   * tasks each may outrank the other somewhere; without a limit on rounds they would take each other's place for ever.
   *
   * @param round counts the calls in the current cycle, from 1
   */
  preempt(now: number, round: number): boolean {
    const { queue, machineJobs, priorities } = this;
    const { packing } = this.pool;
    if (packing !== null && packing.reservationChanges !== this.reservationChanges) {
      this.reservationChanges = packing.reservationChanges;
      this.retryRequests();
    }
    this.round = round;
    if (round === 1 && this.displaced.size > 0) this.displaced.clear();
    let isAny = false;
    const lowest = machineJobs.lowestRank();
    // A job of a class has no higher rank than this on any machine.
    for (let level = queue.classCount - 1; level > 0 && level > lowest; level--) {
      const kinds = queue.kindsOfClass(level);
      if (kinds === undefined || kinds.count === 0) continue;
      const priority = level % priorities;
      if (this.mayPreempt(level, priority) && this.preemptFor(level, priority, now)) isAny = true;
    }
    return isAny;
  }

  /** Whether some waiting kind of the class can suspend other jobs. */
  private mayPreempt(level: number, priority: number): boolean {
    const { list, count } = this.queue.kindsOfClass(level)!;
    const { kinds } = this.jobs.jobs;
    const { request, failed } = this;
    request.priority = priority;
    for (let i = 0; i < count; i++) {
      const kind = list[i];
      if (this.lacksLicences(kind)) continue;
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

  /** Goes through the jobs of a class. Returns whether any suspended others. */
  private preemptFor(level: number, priority: number, now: number): boolean {
    const { queue, request, failed, noRoom, actions } = this;
    const { jobs } = this.jobs;
    const waiting = queue.ofClass(level)!;
    let isAny = false;
    waiting.begin();
    for (let job = waiting.next(); job !== NONE; job = waiting.next()) {
      const kind = jobs.kind[job];
      // The first may have left room for others beside it. Thousands wait, of a few kinds.
      if (isAny && noRoom.of(kind) === NONE) {
        if (actions.startOn(job, NONE, now)) continue;
        noRoom.note(kind, 0);
      }
      if (this.displaced.has(job) || this.lacksLicences(kind)) continue;
      const departures = failed.departures(priority, jobs.tasksOf(job), jobs.memoryOf(job));
      if (failed.includes(level, kind, departures)) continue;
      request.priority = priority;
      request.cores = jobs.coresOf(job);
      request.memory = jobs.memoryOf(job);
      request.gpu = jobs.gpuOf(job);
      request.tasks = jobs.tasksOf(job);
      request.kind = kind;
      request.owner = jobs.ownerOf(job);
      const target = this.findTarget();
      if (target.machine === NONE) {
        if (this.fails(target)) failed.add(level, kind, departures);
        continue;
      }
      this.suspendFor(job, target, now);
      actions.startOn(job, target.machine, now);
      isAny = true;
      noRoom.clear();
    }
    return isAny;
  }

  private lacksLicences(kind: number): boolean {
    const { licences } = this.pool;
    return licences !== null && !licences.areFree(kind);
  }

  /** Whether a request without a target fails until a job leaves. Not if a job could be suspended later. */
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

  /** The number of the request's tasks that open machines have room for now. */
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

  /**
   * Whether there is room for the request now, which jobs of lower rank may still take. Then its failure means nothing.
   */
  private hasRoom({ tasksElsewhere }: Target): boolean {
    const { kind, tasks } = this.request;
    return tasks > 1 ? tasksElsewhere >= tasks : this.pool.find(kind) !== NONE;
  }

  /**
   * Suspends jobs of lower rank on the target's machine in the rule's order, until there is room. If the last of them
   * makes some of the first unnecessary, those resume within the same cycle.
   */
  private suspendFor(job: number, { machine, tasksElsewhere }: Target, now: number): void {
    const { machineJobs, actions, jobs } = this;
    const { machines, notes } = this.pool;
    const cores = jobs.jobs.coresOf(job);
    const memory = jobs.jobs.memoryOf(job);
    const gpu = jobs.jobs.gpuOf(job);
    const tasks = jobs.jobs.tasksOf(job);
    const room = (): number => machines.roomFor(machine, cores, memory, gpu);
    const wanted = tasks === 1 ? 1 : tasks - (tasksElsewhere - room());
    for (const lower of machineJobs.lowerOn(machine, machineJobs.rankOn(job, machine))) {
      if (room() >= wanted) break;
      if (this.round > ROUNDS) this.displaced.add(lower);
      if (notes.isOn) notes.suspendedFor(lower, job);
      actions.suspend(lower, now);
    }
  }

  /** Whether a suspended job can resume, after jobs of lower rank have made room if they must. */
  private makeRoomFor(job: number, now: number): boolean {
    const { actions, jobs, machineJobs } = this;
    const { machines, placements, notes } = this.pool;
    const cores = jobs.jobs.coresOf(job);
    const memoryWanted = this.keepsMemory ? 0 : jobs.jobs.memoryOf(job);
    const gpu = jobs.jobs.gpuOf(job);
    const first = jobs.jobs.placement[job];
    const machine = placements.machine[first];
    if (placements.next[first] !== NONE) return this.fitsOnAll(job, memoryWanted);
    if (machines.closed[machine] !== 0) return false;
    const n = jobs.jobs.tasksOf(job);
    if (machines.roomFor(machine, cores, memoryWanted, gpu) >= n) return true;
    const rank = machineJobs.rankOn(job, machine);
    if (machineJobs.roomWithout(machine, rank, cores, memoryWanted, gpu) < n) return false;
    for (const lower of machineJobs.lowerOn(machine, rank)) {
      if (notes.isOn) notes.suspendedFor(lower, job);
      actions.suspend(lower, now);
      if (machines.roomFor(machine, cores, memoryWanted, gpu) >= n) break;
    }
    return true;
  }

  /** A job with tasks on several machines resumes only if all have room without suspensions. */
  private fitsOnAll(job: number, memory: number): boolean {
    const { machines, placements } = this.pool;
    const { jobs } = this.jobs;
    const cores = jobs.coresOf(job);
    const gpu = jobs.gpuOf(job);
    const wanted = new Map<number, number>();
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.next[entry]) {
      const machine = placements.machine[entry];
      wanted.set(machine, (wanted.get(machine) ?? 0) + placements.tasks[entry]);
    }
    for (const [machine, n] of wanted) {
      if (machines.closed[machine] !== 0) return false;
      if (machines.roomFor(machine, cores, memory, gpu) < n) return false;
    }
    return true;
  }

  /** Something became free on the job's machines, so jobs suspended there may resume. */
  private markFreed(job: number): void {
    const { placements } = this.pool;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.next[entry])
      this.machineFreed(placements.machine[entry]);
  }

  /** Something became free on a machine. */
  machineFreed(machine: number): void {
    if (this.isFreed[machine] !== 0 || this.suspendedHere[machine] === 0) return;
    this.isFreed[machine] = 1;
    this.freed.add(machine);
  }

  /** For a snapshot: the machines to go through, in order. */
  get toLookAt(): number[] {
    return [...this.freed];
  }

  set toLookAt(machines: readonly number[]) {
    this.freed.clear();
    this.isFreed.fill(0);
    for (const machine of machines) {
      this.freed.add(machine);
      this.isFreed[machine] = 1;
    }
  }

  private countSuspended(job: number, sign: number): void {
    const { machine, next } = this.pool.placements;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = next[entry])
      this.suspendedHere[machine[entry]] += sign;
  }
}
