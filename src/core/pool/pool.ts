import { doubled } from "../arrays.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { Placements, type MachineTasks } from "../jobs/placements.ts";
import { WaitingKinds } from "../jobs/waiting-kinds.ts";
import { Licences, NO_LICENCES } from "../licences/licences.ts";
import { AllowedMachines } from "../machines/allowed-machines.ts";
import { Bookings } from "../bookings/bookings.ts";
import { Eligibility } from "../machines/eligibility.ts";
import { MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import { queueByArrival } from "../packing/family-queue.ts";
import { FamilyMachines } from "../packing/family-machines.ts";
import { DecayedUse } from "../queue/decayed-use.ts";
import { FairShareQueue } from "../queue/fair-share-queue.ts";
import { RunningUse } from "../queue/running-use.ts";
import type { WaitQueue } from "../queue/wait-queue.ts";
import { CycleNotes } from "../reasons/cycle-notes.ts";
import { Choosers } from "./choosers.ts";
import { Placer } from "./placer.ts";
import type { Chooser } from "./search.ts";
import { Plan } from "./plan.ts";
import type { Policy, PolicyContext } from "./policy.ts";
import type { PoolSettings } from "./pool-settings.ts";
import { Reservations } from "./reservations.ts";

/**
 * The machines and the wait queue of one pool, and the policy that decides in its cycles (Shai 2014, section 1). It
 * keeps the books: what is free, which jobs wait, and where jobs are. The engine decides when cycles run and carries
 * out the decisions.
 */
export class Pool {
  readonly machines: MachineState;
  readonly jobs: Jobs;
  readonly placements = new Placements();
  /** The jobs that the last cycle decided to start: the first `startedCount`. */
  started = new Int32Array(1024);
  startedCount = 0;
  readonly policy: Policy;
  /** Of the policy, without its heuristic. */
  readonly policyName: string;
  /** The machines of each family; null without packing. */
  readonly packing: FamilyMachines | null;
  /** The licences of the pool, and the limits; null if no job asks for any and there are none. */
  readonly licences: Licences | null;
  /** Null if no machine is ever booked. */
  readonly bookings: Bookings | null;
  readonly allowed: AllowedMachines;
  readonly eligibility: Eligibility;
  readonly notes: CycleNotes;
  /** What projects have used; null where that is not what fair share goes by. */
  readonly usage: DecayedUse | null;
  readonly queue: WaitQueue;
  private readonly placer: Placer;
  private readonly chooser: Chooser;
  private readonly plan = new Plan();
  private readonly waitingKinds = new WaitingKinds();

  constructor(settings: PoolSettings) {
    const machines = new MachineState(settings.capacities);
    this.machines = machines;
    this.jobs = settings.jobs;
    const { shares, usage } = settings;
    this.usage =
      shares === undefined || usage === undefined
        ? null
        : new DecayedUse(this.jobs, shares, usage, settings.capacities);
    this.queue =
      settings.queue ??
      (shares === undefined
        ? queueByArrival(this.jobs, settings.packing?.families ?? 0)
        : new FairShareQueue(this.jobs, shares, this.usage ?? new RunningUse(this.jobs, shares)));
    const packing =
      settings.packing === undefined ? null : new FamilyMachines(machines, this.jobs, settings.packing);
    this.packing = packing;
    this.bookings = settings.bookings === undefined ? null : new Bookings(this.jobs, settings.bookings);
    const allowed = new AllowedMachines(machines, this.jobs, settings.groups, packing, this.bookings);
    this.allowed = allowed;
    const { limits = null } = settings;
    const licences =
      settings.licences === undefined && limits === null
        ? null
        : new Licences(this.jobs.kinds, settings.licences ?? NO_LICENCES, limits);
    this.licences = licences;
    this.eligibility = new Eligibility(
      machines,
      this.jobs,
      allowed,
      settings.licences,
      settings.gpuPart,
      limits,
      settings.isUnknown,
    );
    this.notes = new CycleNotes(machines, allowed, this.jobs, licences);
    const choosers = new Choosers(machines, this.jobs, allowed, packing, settings.plainScan === true);
    this.placer = new Placer(machines, this.jobs, allowed, choosers, settings.named ?? [], packing, licences);
    this.chooser = choosers.of(settings.heuristic);
    const leastFree = settings.leastFree ?? { cores: 0, memory: 0 };
    const context: PolicyContext = {
      machines,
      allowed,
      reserving: packing?.isExclusive === true ? packing : null,
      packing,
      licences,
      bookings: this.bookings,
      jobs: this.jobs,
      placements: this.placements,
      queue: this.queue,
      waitingKinds: this.waitingKinds,
      placer: this.placer,
      reservations: new Reservations(machines, this.jobs, allowed, leastFree),
      limits: { examined: settings.examined ?? Infinity, reserving: settings.reserving ?? Infinity },
      intervalSeconds: settings.intervalSeconds ?? 0,
      notes: this.notes,
      chooser: (heuristic) => choosers.of(heuristic),
    };
    this.policyName = settings.policy.name;
    this.policy = settings.policy.create(context, settings.heuristic);
  }

  get waiting(): number {
    return this.queue.length;
  }

  /** When a cycle may decide differently though no job was submitted or ended; Infinity: never. */
  get nextChange(): number {
    return Math.min(
      this.packing?.nextExpiry ?? Infinity,
      this.allowed.exclusions.nextExpiry,
      this.bookings?.nextChange ?? Infinity,
      this.policy.nextChange ?? Infinity,
    );
  }

  /** Whether jobs may wait in another order at the next cycle though nothing happens until then. */
  get isReordering(): boolean {
    return this.usage !== null && this.usage.isGrowing && this.waiting > 0;
  }

  /** Lets jobs use the machines that become available to them by this time. */
  expire(now: number): void {
    this.allowed.begin(now);
    this.packing?.begin(now);
  }

  /** Runs a scheduling cycle. The jobs to start are in `started`. */
  cycle(now: number): void {
    const { plan } = this;
    this.startedCount = 0;
    plan.clear();
    this.expire(now);
    this.queue.cycle?.(now);
    this.policy.cycle(now, plan);
    this.start(plan, now);
  }

  /**
   * Starts a waiting job outside the policy's cycle: as many of its tasks as fit on this machine, and the others where
   * its heuristic says. With `NONE`, the heuristic places all. Returns false, without a change, if they do not fit or
   * its licences are in use.
   */
  startOn(job: number, machine: number, now: number): boolean {
    const { plan, machines, jobs, placer, chooser, licences } = this;
    if (licences !== null && !licences.areFree(jobs.kind[job])) return false;
    const cores = jobs.coresOf(job);
    const memory = jobs.memoryOf(job);
    const gpu = jobs.gpuOf(job);
    plan.clear();
    let left = jobs.tasksOf(job);
    let here = machine === NONE ? 0 : Math.min(left, machines.roomFor(machine, cores, memory, gpu));
    let to = machine;
    const { find } = placer.chooserOf(job, chooser);
    for (;;) {
      if (here > 0) {
        machines.take(to, cores, memory, gpu, here);
        this.packing?.plan(job, to, here);
        plan.add(job, to, here);
        left -= here;
      }
      if (left === 0) break;
      to = find(cores, memory, gpu);
      if (to === NONE) {
        placer.takeOff(plan);
        return false;
      }
      here = 1;
    }
    licences?.take(jobs.kind[job]);
    this.startedCount = 0;
    this.start(plan, now);
    this.policy.joined?.(job, now, "started");
    return true;
  }

  /** Whether a task of this kind finds a machine now, bookings aside. */
  fits(kind: number): boolean {
    return this.placer.fits(kind, this.chooser);
  }

  /** Whether a task of this job finds a machine now. */
  findsMachine(job: number): boolean {
    const { jobs, placer, allowed } = this;
    if (!allowed.isKeptOff(job)) return this.fits(jobs.kind[job]);
    const { find } = placer.chooserOf(job, this.chooser);
    return find(jobs.coresOf(job), jobs.memoryOf(job), jobs.gpuOf(job)) !== NONE;
  }

  /** Whether no booking keeps a suspended job from going on, for what is left of its estimate, where it is. */
  mayResume(job: number): boolean {
    const { bookings, placements, jobs } = this;
    if (bookings === null) return true;
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      if (!bookings.mayStart(job, placements.machineOf(entry))) return false;
    return true;
  }

  /**
   * Suspends a running job: it gives up its cores, and keeps its machines, its licences and, with `keepsMemory`, its
   * memory and its GPUs: a stopped process has both still allocated.
   */
  suspend(job: number, keepsMemory: boolean, now: number): void {
    const { machines, jobs, placements, policy } = this;
    const memory = keepsMemory ? 0 : jobs.memoryOf(job);
    const gpu = keepsMemory ? 0 : jobs.gpuOf(job);
    if (policy.suspended === undefined) policy.finished?.(job);
    else policy.suspended(job, keepsMemory);
    this.queue.finished(job, now);
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry)) {
      machines.give(placements.machineOf(entry), jobs.coresOf(job), memory, gpu, placements.tasksOf(entry));
    }
  }

  /** Resumes a suspended job. The caller has checked that there is room. */
  resume(job: number, keptMemory: boolean, now: number): void {
    const { machines, jobs, placements } = this;
    this.policy.suspensionEnds?.(job);
    const memory = keptMemory ? 0 : jobs.memoryOf(job);
    const gpu = keptMemory ? 0 : jobs.gpuOf(job);
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry)) {
      machines.take(placements.machineOf(entry), jobs.coresOf(job), memory, gpu, placements.tasksOf(entry));
    }
    this.queue.started(job, now);
    this.policy.joined?.(job, now, "resumed");
  }

  /** A job has begun to run later than it was decided, so it is expected to end later. */
  beganLate(job: number, now: number): void {
    const { policy } = this;
    if (policy.joined === undefined) return;
    policy.finished?.(job);
    policy.joined(job, now, "longer");
  }

  /** A running job is expected to end at another time than its estimate says. */
  expectEnd(job: number, end: number, now: number): void {
    const { policy, jobs } = this;
    if (policy.joined === undefined) return;
    policy.finished?.(job);
    const estimate = jobs.estimateSeconds[job];
    jobs.estimateSeconds[job] = end - now;
    policy.joined(job, now, "longer");
    jobs.estimateSeconds[job] = estimate;
  }

  /** A suspended job gives up its machines, its memory and GPUs there and its licences, but keeps its handle. */
  abandon(job: number, keptMemory: boolean): void {
    const { machines, jobs, placements } = this;
    this.policy.suspensionEnds?.(job);
    this.licences?.give(jobs.kind[job]);
    const memory = keptMemory ? jobs.memoryOf(job) : 0;
    const gpu = keptMemory ? jobs.gpuOf(job) : 0;
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.remove(entry)) {
      machines.give(placements.machineOf(entry), 0, memory, gpu, placements.tasksOf(entry));
      this.packing?.leave(job, placements.machineOf(entry), placements.tasksOf(entry));
    }
    jobs.placement[job] = NONE;
  }

  /** Adds a job to the queue, in order of arrival. */
  wait(job: number): void {
    this.queue.add(job);
    this.waitingKinds.wait(this.jobs.kind[job]);
    this.policy.waits?.(job);
  }

  /** Takes a waiting job out of the queue. It keeps its handle. */
  leave(job: number): void {
    this.queue.remove(job);
    this.waitingKinds.leave(this.jobs.kind[job]);
    this.policy.leaves?.(job);
  }

  /** A running job gives its machines and licences back. It keeps its handle. */
  release(job: number, now: number): void {
    const { machines, jobs, placements } = this;
    this.licences?.give(jobs.kind[job]);
    this.policy.finished?.(job);
    this.queue.finished(job, now);
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.remove(entry)) {
      machines.give(
        placements.machineOf(entry),
        jobs.coresOf(job),
        jobs.memoryOf(job),
        jobs.gpuOf(job),
        placements.tasksOf(entry),
      );
      this.packing?.leave(job, placements.machineOf(entry), placements.tasksOf(entry));
    }
    jobs.placement[job] = NONE;
  }

  /**
   * Puts a job of a snapshot back on its machines. One that runs keeps its expected end. What projects have used is
   * restored after all jobs.
   */
  restore(job: number, entries: readonly MachineTasks[], runs: boolean, keptMemory: boolean): void {
    const { jobs } = this;
    this.place(job, entries, runs, keptMemory);
    if (!runs) return;
    this.queue.started(job, 0);
    const estimate = jobs.estimateSeconds[job];
    jobs.estimateSeconds[job] = jobs.estimatedEnd[job];
    this.policy.joined?.(job, 0, "resumed");
    jobs.estimateSeconds[job] = estimate;
  }

  /** Puts a job that runs already on its machines. The caller has checked that they have room. */
  found(job: number, entries: readonly MachineTasks[], now: number): void {
    this.place(job, entries, true, false);
    for (const { machine } of entries) this.packing?.start(job, machine, now);
    this.queue.started(job, now);
    this.policy.joined?.(job, now, "resumed");
  }

  private place(job: number, entries: readonly MachineTasks[], runs: boolean, keptMemory: boolean): void {
    const { machines, jobs, placements } = this;
    this.licences?.take(jobs.kind[job]);
    let placement = NONE;
    for (const { machine, tasks } of entries.toReversed()) {
      placement = placements.add(machine, tasks, placement);
      this.packing?.plan(job, machine, tasks);
      if (runs) machines.take(machine, jobs.coresOf(job), jobs.memoryOf(job), jobs.gpuOf(job), tasks);
      else if (keptMemory) machines.take(machine, 0, jobs.memoryOf(job), jobs.gpuOf(job), tasks);
    }
    jobs.placement[job] = placement;
  }

  /** Turns a plan into placements. */
  private start(plan: Plan, now: number): void {
    const { jobs } = this;
    for (let start = 0; start < plan.length;) {
      const job = plan.job[start];
      let end = start + 1;
      while (end < plan.length && plan.job[end] === job) end++;
      // From the last to the first, so that the chain has the order of placement.
      let placement = NONE;
      for (let entry = end - 1; entry >= start; entry--) {
        placement = this.placements.add(plan.machine[entry], plan.tasks[entry], placement);
        this.packing?.start(job, plan.machine[entry], now);
      }
      start = end;
      jobs.placement[job] = placement;
      this.leave(job);
      this.queue.started(job, now);
      if (this.startedCount === this.started.length) this.started = doubled(this.started);
      this.started[this.startedCount++] = job;
    }
  }
}
