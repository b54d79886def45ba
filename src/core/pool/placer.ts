import type { AllowedMachines } from "../machines/allowed-machines.ts";
import type { MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import type { Heuristic } from "../matching/heuristic.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Licences } from "../licences/licences.ts";
import type { FamilyMachines } from "../packing/family-machines.ts";
import { leavingOut, type Choosers } from "./choosers.ts";
import type { Plan } from "./plan.ts";
import type { Chooser } from "./search.ts";

/** Follows the placing of a job, and may keep it off machines. */
export interface PlacementGuard {
  /** How many of the job's tasks may be put on a machine that has room for so many. It does not grow later on. */
  mayPut(machine: number, job: number, tasks: number): number;
  /** So many of the job's tasks are put on a machine, where they are allowed. */
  put(machine: number, job: number, tasks: number): void;
}

/** Places jobs on machines within a plan, and undoes that. */
export class Placer {
  /**
   * After a job was not placed: the largest number of its tasks that there can be room for; `NONE` if a guard kept
   * it from machines, or its licences are in use.
   */
  room = 0;
  /** After a job was not placed: whether the guard allows none of its tasks on any machine with room. */
  isRefusedEverywhere = false;
  /** The machines that the guard keeps the job from that is being placed. */
  private readonly refused: number[] = [];
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly allowed: AllowedMachines;
  /** The heuristics that jobs can name, by number. */
  private readonly named: readonly Chooser[];
  private readonly choosers: Choosers;
  private readonly packing: FamilyMachines | null;
  private readonly licences: Licences | null;

  constructor(
    machines: MachineState,
    jobs: Jobs,
    allowed: AllowedMachines,
    choosers: Choosers,
    named: readonly Heuristic[],
    packing: FamilyMachines | null,
    licences: Licences | null,
  ) {
    this.machines = machines;
    this.jobs = jobs;
    this.allowed = allowed;
    this.choosers = choosers;
    this.named = named.map((heuristic) => choosers.of(heuristic));
    this.packing = packing;
    this.licences = licences;
  }

  /** Whether jobs may name heuristics. */
  get hasNamed(): boolean {
    return this.named.length > 0;
  }

  /** The heuristic that the job names, or the pool's, on the machines that the job may use. */
  chooserOf(job: number, poolChooser: Chooser): Chooser {
    const { jobs } = this;
    const own = jobs.heuristic[job];
    const chooser = own === NONE ? poolChooser : this.named[own];
    const mayUseAny = jobs.requirementOf(job) === 0 && jobs.exclusionOf(job) === 0 && this.packing === null;
    const ofKind = mayUseAny ? chooser : this.choosers.forKind(jobs.kind[job], chooser);
    const booked = this.allowed.bookings?.closedTo(job) ?? [];
    return booked.length === 0 ? ofKind : leavingOut(ofKind, this.machines, booked);
  }

  /** Whether a task of this kind finds a machine, bookings aside. */
  fits(kind: number, poolChooser: Chooser): boolean {
    const { cores, memory, gpu } = this.jobs.kinds;
    const { find } = this.choosers.forKind(kind, poolChooser);
    return find(cores[kind], memory[kind], gpu[kind]) !== NONE;
  }

  /** Places all of a job's tasks and adds them to the plan, or places none. */
  place(job: number, poolChooser: Chooser, plan: Plan, guard?: PlacementGuard): boolean {
    const { machines, jobs, licences } = this;
    if (licences !== null && !licences.areFree(jobs.kind[job])) {
      this.room = NONE;
      return false;
    }
    const chooser = this.chooserOf(job, poolChooser);
    const cores = jobs.coresOf(job);
    const memory = jobs.memoryOf(job);
    const gpu = jobs.gpuOf(job);
    const tasks = jobs.tasksOf(job);
    if (tasks * cores > machines.totalFreeCores) {
      this.room = Math.floor(machines.totalFreeCores / cores);
      return false;
    }
    this.isRefusedEverywhere = false;
    const start = plan.length;
    let left = tasks;
    let isGuarded = false;
    while (left > 0) {
      const machine = chooser.find(cores, memory, gpu);
      if (machine === NONE) break;
      let here =
        left > 1 && (chooser.keepsChoice || machines.count === 1)
          ? Math.min(left, machines.roomFor(machine, cores, memory, gpu))
          : 1;
      if (guard !== undefined) {
        here = guard.mayPut(machine, job, here);
        if (here === 0) {
          isGuarded = true;
          if (this.closeRefused(job, guard)) continue;
          this.isRefusedEverywhere = left === tasks;
          break;
        }
        guard.put(machine, job, here);
      }
      machines.take(machine, cores, memory, gpu, here);
      this.packing?.plan(job, machine, here);
      plan.add(job, machine, here);
      left -= here;
    }
    if (this.refused.length > 0) this.openRefused();
    if (left > 0) {
      this.takeOff(plan, start);
      this.room = isGuarded ? NONE : tasks - left;
      return false;
    }
    licences?.take(jobs.kind[job]);
    plan.jobCount++;
    return true;
  }

  /**
   * Closes the machines on which a guard allows no more of a job's tasks while the job is placed. Returns false if that
   * leaves none: a pass tries many jobs in vain, and to search for one machine after the other took most of a run.
   */
  private closeRefused(job: number, guard: PlacementGuard): boolean {
    const { machines, jobs, refused } = this;
    const { freeCores, freeMemory, freeGpu, closed, count } = machines;
    const cores = jobs.coresOf(job);
    const memory = jobs.memoryOf(job);
    const gpu = jobs.gpuOf(job);
    const found = refused.length;
    let isAnyLeft = false;
    for (let machine = 0; machine < count; machine++) {
      if (freeCores[machine] < cores || freeMemory[machine] < memory || freeGpu[machine] < gpu) continue;
      if (closed[machine] !== 0) continue;
      if (guard.mayPut(machine, job, 1) === 0) refused.push(machine);
      else isAnyLeft = true;
    }
    if (!isAnyLeft) refused.length = found;
    for (let i = found; i < refused.length; i++) machines.reserve(refused[i]);
    return isAnyLeft;
  }

  private openRefused(): void {
    for (const machine of this.refused) this.machines.unreserve(machine);
    this.refused.length = 0;
  }

  /**
   * Adds a job to the plan with its tasks on these machines. Returns false, without a change, if they do not fit there,
   * the job may not use one of them, or its licences are in use.
   */
  placeOn(job: number, machine: readonly number[], tasks: readonly number[], plan: Plan): boolean {
    const { machines, jobs, licences, allowed } = this;
    if (licences !== null && !licences.areFree(jobs.kind[job])) return false;
    const cores = jobs.coresOf(job);
    const memory = jobs.memoryOf(job);
    const gpu = jobs.gpuOf(job);
    const start = plan.length;
    for (let i = 0; i < machine.length; i++) {
      const to = machine[i];
      if (!allowed.allows(job, to) || machines.roomFor(to, cores, memory, gpu) < tasks[i]) {
        this.takeOff(plan, start);
        return false;
      }
      machines.take(to, cores, memory, gpu, tasks[i]);
      this.packing?.plan(job, to, tasks[i]);
      plan.add(job, to, tasks[i]);
    }
    licences?.take(jobs.kind[job]);
    plan.jobCount++;
    return true;
  }

  /** Gives back all that the plan's jobs from the entry `start` on have taken, and removes their entries. */
  undo(plan: Plan, start = 0): void {
    const { licences, jobs } = this;
    if (licences !== null) for (const job of plan.jobs(start)) licences.give(jobs.kind[job]);
    this.takeOff(plan, start);
  }

  /** Takes the plan's entries from `start` on off their machines, and removes them. */
  takeOff(plan: Plan, start = 0): void {
    const { machines, jobs } = this;
    for (let entry = plan.length - 1; entry >= start; entry--) {
      const job = plan.job[entry];
      machines.give(
        plan.machine[entry],
        jobs.coresOf(job),
        jobs.memoryOf(job),
        jobs.gpuOf(job),
        plan.tasks[entry],
      );
      this.packing?.unplan(job, plan.machine[entry], plan.tasks[entry]);
    }
    plan.length = start;
  }

  /** Undoes the placement of the last job. */
  undoLast(plan: Plan): void {
    const job = plan.job[plan.length - 1];
    let start = plan.length - 1;
    while (start > 0 && plan.job[start - 1] === job) start--;
    this.undo(plan, start);
    plan.jobCount--;
  }

  /** Takes the resources of an undone plan again. */
  redo(plan: Plan, length: number): void {
    const { machines, jobs, licences } = this;
    plan.length = length;
    if (licences !== null) for (const job of plan.jobs()) licences.take(jobs.kind[job]);
    for (let entry = 0; entry < length; entry++) {
      const job = plan.job[entry];
      machines.take(
        plan.machine[entry],
        jobs.coresOf(job),
        jobs.memoryOf(job),
        jobs.gpuOf(job),
        plan.tasks[entry],
      );
      this.packing?.plan(job, plan.machine[entry], plan.tasks[entry]);
    }
  }
}
