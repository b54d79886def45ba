import { doubled, Jobs, type JobRequest } from "../jobs/jobs.ts";
import { Placements } from "../jobs/placements.ts";
import { WaitingKinds } from "../jobs/waiting-kinds.ts";
import { AllowedMachines } from "../machines/allowed-machines.ts";
import { Eligibility, type Ineligible } from "../machines/eligibility.ts";
import { MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import { queueByArrival } from "../packing/family-queue.ts";
import { FamilyMachines } from "../packing/family-machines.ts";
import { PackedReservations } from "../packing/reservations.ts";
import { FairShareQueue } from "../queue/fair-share-queue.ts";
import type { WaitQueue } from "../queue/wait-queue.ts";
import { Choosers } from "./choosers.ts";
import { Placer } from "./placer.ts";
import type { Chooser } from "./search.ts";
import { Plan } from "./plan.ts";
import type { Policy, PolicyContext } from "./policy.ts";
import type { PoolSettings } from "./pool-settings.ts";
import { Reservations } from "./reservations.ts";

/**
 * A physical pool: machines, the wait queue, and the policy that decides (Shai
 * 2014, section 1). Events go in, decisions come out.
 *
 * The driver reports what happened (`submit`, `finish`, `refuse`, `cancel`) and
 * calls `cycle` when it is time; the jobs to start are then in `started`, their
 * machines in `placements`. The pool holds no clock and waits for nothing; a
 * simulation and a live farm drive it alike.
 */
export class Pool {
  readonly machines: MachineState;
  readonly jobs: Jobs;
  readonly placements = new Placements();
  /** Jobs that the last cycle decided to start: the first `startedCount`. */
  started = new Int32Array(1024);
  startedCount = 0;
  readonly policy: Policy;
  /** Where the jobs of each family are; null without packing. */
  readonly packing: FamilyMachines | null;
  readonly allowed: AllowedMachines;
  readonly eligibility: Eligibility;
  private readonly queue: WaitQueue;
  private readonly placer: Placer;
  private readonly choosers: Choosers;
  private readonly chooser: Chooser;
  private readonly plan = new Plan();
  private readonly waitingKinds = new WaitingKinds();

  constructor(settings: PoolSettings) {
    const machines = new MachineState(settings.capacities);
    this.machines = machines;
    this.jobs = settings.jobs ?? new Jobs();
    this.queue =
      settings.queue ??
      (settings.shares === undefined
        ? queueByArrival(this.jobs, settings.packing?.families ?? 0)
        : new FairShareQueue(this.jobs, settings.shares));
    const packing =
      settings.packing === undefined ? null : new FamilyMachines(machines, this.jobs, settings.packing);
    this.packing = packing;
    const allowed = new AllowedMachines(machines, this.jobs, settings.groups, packing);
    this.allowed = allowed;
    this.eligibility = new Eligibility(machines, this.jobs, allowed);
    const choosers = new Choosers(machines, this.jobs, allowed, packing, settings.plainScan === true);
    this.choosers = choosers;
    this.placer = new Placer(machines, this.jobs, choosers, settings.named ?? [], packing);
    this.chooser = choosers.of(settings.heuristic);
    const leastFree = settings.leastFree ?? { cores: 0, memory: 0 };
    const context: PolicyContext = {
      machines,
      allowed,
      jobs: this.jobs,
      placements: this.placements,
      queue: this.queue,
      waitingKinds: this.waitingKinds,
      placer: this.placer,
      reservations:
        packing === null
          ? new Reservations(machines, this.jobs, leastFree, allowed)
          : new PackedReservations(machines, this.jobs, packing, leastFree, allowed),
      limits: { examined: settings.examined ?? Infinity, reserving: settings.reserving ?? Infinity },
      chooser: (heuristic) => choosers.of(heuristic),
    };
    this.policy = settings.policy.create(context, settings.heuristic);
  }

  get waiting(): number {
    return this.queue.length;
  }

  /** When a cycle may decide otherwise though nothing was submitted or finished; Infinity: never. */
  get nextChange(): number {
    return Math.min(this.packing?.nextExpiry ?? Infinity, this.allowed.exclusions.nextExpiry);
  }

  /** Why no machine of this pool could ever hold the job, or null where one could. */
  ineligible(request: JobRequest): Ineligible | null {
    return this.eligibility.reason(request);
  }

  /** A job joins the queue. The caller has checked that it is eligible. Returns its handle. */
  submit(request: JobRequest): number {
    const job = this.jobs.add(request);
    this.wait(job);
    return job;
  }

  /** Runs a scheduling cycle; what it decided is in `started`. */
  cycle(now: number): void {
    const { plan } = this;
    this.startedCount = 0;
    plan.clear();
    this.allowed.begin(now);
    this.packing?.begin(now);
    this.policy.cycle(now, plan);
    this.start(plan, now);
  }

  /**
   * Starts a waiting job outside the policy's cycle: as many of its tasks as fit on
   * this machine, the others, or with `NONE` all, where its heuristic says. False,
   * and nothing done, where they do not fit.
   */
  startOn(job: number, machine: number, now: number): boolean {
    const { plan, machines, jobs, placer, chooser } = this;
    const cores = jobs.cores[job];
    const memory = jobs.memory[job];
    const gpu = jobs.gpu[job];
    plan.clear();
    let left = jobs.tasks[job];
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
        placer.undo(plan);
        return false;
      }
      here = 1;
    }
    this.startedCount = 0;
    this.start(plan, now);
    this.policy.joined?.(job, now);
    return true;
  }

  /** Where a task of a job of this kind would go now, or `NONE`. */
  find(kind: number): number {
    const { cores, memory, gpu } = this.jobs.kinds;
    return this.choosers.forKind(kind, this.chooser).find(cores[kind], memory[kind], gpu[kind]);
  }

  /** A running job stops for now: it gives up its cores and GPUs, and keeps its machines and, if so, its memory. */
  suspend(job: number, keepsMemory: boolean): void {
    const { machines, jobs, placements } = this;
    this.policy.finished?.(job);
    this.queue.finished(job);
    const memory = keepsMemory ? 0 : jobs.memory[job];
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.next[entry]) {
      const { machine, tasks } = placements;
      machines.give(machine[entry], jobs.cores[job], memory, jobs.gpu[job], tasks[entry]);
    }
  }

  /** A suspended job goes on. The caller has checked that there is room. */
  resume(job: number, keptMemory: boolean, now: number): void {
    const { machines, jobs, placements } = this;
    const memory = keptMemory ? 0 : jobs.memory[job];
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.next[entry]) {
      const { machine, tasks } = placements;
      machines.take(machine[entry], jobs.cores[job], memory, jobs.gpu[job], tasks[entry]);
    }
    this.queue.started(job);
    this.policy.joined?.(job, now);
  }

  /** A suspended job gives up its machines, and its memory there, and keeps its handle. */
  abandon(job: number, keptMemory: boolean): void {
    const { machines, jobs, placements } = this;
    const memory = keptMemory ? jobs.memory[job] : 0;
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.remove(entry)) {
      machines.give(placements.machine[entry], 0, memory, 0, placements.tasks[entry]);
      this.packing?.leave(job, placements.machine[entry], placements.tasks[entry]);
    }
    jobs.placement[job] = NONE;
  }

  /** A running job has ended, well or not: its resources are free and its handle is void. */
  finish(job: number): void {
    this.release(job);
    this.jobs.remove(job);
  }

  /**
   * A job that was to start could not: it gives its machines back and waits again, in its turn.
   *
   * @param machine whose fault it was; the job does not try it before `until`. `NONE`: no machine's
   */
  refuse(job: number, machine = NONE, until = 0): void {
    this.release(job);
    if (machine !== NONE) this.allowed.exclude(job, machine, until);
    this.wait(job);
  }

  /** A waiting job leaves: its handle is void. */
  cancel(job: number): void {
    this.leave(job);
    this.jobs.remove(job);
  }

  /** A job of the table joins the queue: what `submit` does for a new one. */
  wait(job: number): void {
    this.queue.add(job);
    this.waitingKinds.wait(this.jobs.kind[job]);
    this.policy.waits?.(job);
  }

  /** A waiting job leaves the queue and keeps its handle. */
  leave(job: number): void {
    this.queue.remove(job);
    this.waitingKinds.leave(this.jobs.kind[job]);
    this.policy.leaves?.(job);
  }

  /** A running job gives its machines back and keeps its handle. */
  release(job: number): void {
    const { machines, jobs, placements } = this;
    this.policy.finished?.(job);
    this.queue.finished(job);
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.remove(entry)) {
      machines.give(
        placements.machine[entry],
        jobs.cores[job],
        jobs.memory[job],
        jobs.gpu[job],
        placements.tasks[entry],
      );
      this.packing?.leave(job, placements.machine[entry], placements.tasks[entry]);
    }
    jobs.placement[job] = NONE;
  }

  /** Turns a plan into placements. */
  private start(plan: Plan, now: number): void {
    const { jobs } = this;
    for (let start = 0; start < plan.length;) {
      const job = plan.job[start];
      let end = start + 1;
      while (end < plan.length && plan.job[end] === job) end++;
      // From the last to the first, so that the chain reads in the order of placement.
      let placement = NONE;
      for (let entry = end - 1; entry >= start; entry--) {
        placement = this.placements.add(plan.machine[entry], plan.tasks[entry], placement);
        this.packing?.start(job, plan.machine[entry], now);
      }
      start = end;
      jobs.placement[job] = placement;
      this.leave(job);
      this.queue.started(job);
      if (this.startedCount === this.started.length) this.started = doubled(this.started);
      this.started[this.startedCount++] = job;
    }
  }
}
