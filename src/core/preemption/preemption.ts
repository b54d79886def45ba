import { KindMemory } from "../jobs/kind-memory.ts";
import { NONE } from "../none.ts";
import { PoolPart, type ManagedPool } from "../pool/pool-part.ts";
import type { PriorityQueue } from "../queue/priority-queue.ts";
import { FailedPreemptions } from "./failed-preemptions.ts";
import { isAllowedTo, type MachineJobs, type PreemptionRequest } from "./machine-jobs.ts";
import type { PreemptionActions } from "./preemption-actions.ts";
import { Resumption } from "./resumption.ts";
import type { VictimRule } from "./victim-rule.ts";

/** After this many rounds of a cycle, a job that is taken off its machine takes no other job off in that cycle. */
const ROUNDS = 16;

/** Where jobs would be suspended for a request. */
interface Target {
  /** `NONE` if no jobs can be suspended for it. */
  readonly machine: number;
  /** The number of tasks that there is room for without suspensions, if the request has several. */
  readonly tasksElsewhere: number;
}

/**
 * Decides which jobs of a pool are suspended for which; see `Resumption` for those that resume.
 *
 * A waiting job that found no room suspends jobs of lower rank on one machine: see `MachineJobs` for ranks. One whose
 * licences are in use suspends nobody, since suspended jobs keep theirs. A request
 * that failed is not tried again until a job leaves that could make a difference (`FailedPreemptions`): in a burst of
 * urgent jobs a cycle goes through the kinds that wait, not the thousands of jobs.
 */
export class Preemption extends PoolPart {
  readonly resumption: Resumption;
  private readonly machineJobs: MachineJobs;
  private readonly actions: PreemptionActions;
  private readonly queue: PriorityQueue;
  private readonly priorities: number;
  private readonly rule: VictimRule;
  private readonly failed: FailedPreemptions;
  /** The kinds for which there is no room beside the jobs that were suspended last. */
  private readonly noRoom: KindMemory;
  /** The kinds of a class that neither fit beside those jobs nor can suspend others. */
  private readonly failing: KindMemory;
  /** How often machines had been reserved to other families when requests last failed. */
  private reservationChanges = 0;
  /** The current round of the cycle; and the jobs that were taken off machines after the last permitted round. */
  private round = 0;
  private readonly displaced = new Set<number>();
  private request!: PreemptionRequest;

  /**
   * @param queue the pool's waiting jobs by class
   * @param priorities the number of priorities: all are below it
   */
  constructor(
    managed: ManagedPool,
    machineJobs: MachineJobs,
    actions: PreemptionActions,
    queue: PriorityQueue,
    priorities: number,
    rule: VictimRule,
  ) {
    super(managed);
    this.machineJobs = machineJobs;
    this.actions = actions;
    this.queue = queue;
    this.priorities = priorities;
    this.rule = rule;
    this.resumption = new Resumption(managed, machineJobs, actions);
    const { kinds } = managed.jobs.jobs;
    this.failed = new FailedPreemptions(machineJobs, kinds, queue.classCount);
    this.noRoom = new KindMemory(kinds);
    this.failing = new KindMemory(kinds);
  }

  /** Makes room for a larger number of machines. */
  resized(count: number): void {
    this.resumption.resized(count);
    this.machineJobs.resized(count);
  }

  /** Whether a job of lower rank runs than the highest that this one has on any machine. */
  outranksSome(job: number): boolean {
    return this.queue.classOf(job) > this.machineJobs.lowestRank();
  }

  /** A job leaves its machines. Must be called before it gives up its resources. */
  left(job: number, wasSuspended: boolean): void {
    if (wasSuspended) this.resumption.count(job, -1);
    this.resumption.jobFreed(job);
    this.machineJobs.remove(job);
  }

  suspended(job: number): void {
    this.resumption.count(job, 1);
    this.resumption.jobFreed(job);
    this.machineJobs.stop(job);
  }

  resumed(job: number): void {
    this.resumption.count(job, -1);
    this.machineJobs.run(job);
  }

  /** Lets requests that failed be tried again, because machines or jobs have changed though no job has left. */
  retryRequests(): void {
    this.failed.clear();
  }

  /** Lets failed suspensions and resumptions be tried again though nothing became free. */
  retry(): void {
    this.retryRequests();
    this.resumption.allFreed();
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
    for (let i = 0; i < count; i++) {
      if (this.mayNot(list[i])) continue;
      const target = this.targetOf(level, priority, list[i]);
      if (target !== null && target.machine !== NONE) return true;
    }
    return false;
  }

  /**
   * Goes through the jobs of a class, until no waiting kind can suspend others or start beside one that did. Returns
   * whether any suspended others.
   */
  private preemptFor(level: number, priority: number, now: number): boolean {
    const { queue, noRoom, failing, actions } = this;
    const waiting = queue.ofClass(level)!;
    const waitingKinds = queue.kindsOfClass(level)!;
    let isAny = false;
    failing.clear();
    /** The waiting kinds that are not known to fail. */
    let left = waitingKinds.count;
    waiting.begin();
    for (let job = waiting.next(); job !== NONE; job = waiting.next()) {
      const kind = this.jobs.jobs.kind[job];
      if (failing.of(kind) !== NONE) continue;
      // Bookings keep this one off machines that others of its kind may use.
      const isKeptOff = this.pool.allowed.isKeptOff(job);
      // The first may have left room for others beside it. Thousands wait, of a few kinds.
      if (isAny && noRoom.of(kind) === NONE) {
        if (actions.startOn(job, NONE, now)) continue;
        if (!isKeptOff) noRoom.note(kind, 0);
      }
      if (this.displaced.has(job) || this.mayNot(kind)) continue;
      let target = this.targetOf(level, priority, kind);
      if (target !== null && target.machine !== NONE && isKeptOff) {
        this.request = { ...this.request, job };
        target = this.findTarget();
      }
      if (target === null) {
        failing.note(kind, 0);
        if (--left === 0) break;
        continue;
      }
      if (target.machine === NONE) continue;
      this.suspendFor(job, target, now);
      actions.startOn(job, target.machine, now);
      isAny = true;
      noRoom.clear();
      failing.clear();
      left = waitingKinds.count;
    }
    return isAny;
  }

  /** Whether nobody is suspended for jobs of a kind: they are patient, or would still lack their licences. */
  private mayNot(kind: number): boolean {
    const { licences } = this.pool;
    const { requirement } = this.jobs.jobs.kinds;
    return (
      this.rule.isPatient?.(requirement[kind]) === true || (licences !== null && !licences.areFree(kind))
    );
  }

  /** Where jobs would be suspended for a kind of a class; null: nowhere until a job leaves. */
  private targetOf(level: number, priority: number, kind: number): Target | null {
    const { failed } = this;
    const { kinds } = this.jobs.jobs;
    const departures = failed.departures(
      priority,
      kinds.tasks[kind],
      kinds.memory[kind] > 0 || kinds.gpu[kind] > 0,
    );
    if (failed.includes(level, kind, departures)) return null;
    this.request = { ...kinds.request(kind), kind, priority, job: NONE };
    const target = this.findTarget();
    if (target.machine !== NONE || !this.fails(target)) return target;
    failed.add(level, kind, departures);
    return null;
  }

  /** Whether a request without a target fails until a job leaves. Not if a job could be suspended later. */
  private fails(target: Target): boolean {
    return !this.machineJobs.hasPassedOver && !this.hasRoom(target);
  }

  private findTarget(): Target {
    const { request, machineJobs } = this;
    machineJobs.hasPassedOver = false;
    const set = this.pool.allowed.setOf(request.requirement);
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
      if (!isAllowedTo(request, allowed, machine)) continue;
      room += machines.roomFor(machine, request.cores, request.memory, request.gpu);
    }
    return room;
  }

  /**
   * Whether there is room for the request now, which jobs of lower rank may still take. Then its failure means nothing.
   */
  private hasRoom({ tasksElsewhere }: Target): boolean {
    const { kind, tasks } = this.request;
    return tasks > 1 ? tasksElsewhere >= tasks : this.pool.fits(kind);
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
}
