import type { MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import type { Heuristic } from "../matching/heuristic.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { FamilyMachines } from "../packing/family-machines.ts";
import type { Choosers } from "./choosers.ts";
import type { Plan } from "./plan.ts";
import type { Chooser } from "./search.ts";

/** Watches a job being placed. */
export interface PlacementGuard {
  /** So many of the job's tasks have just been put on a machine. False: the job is not to be placed. */
  allows(machine: number, job: number, tasks: number): boolean;
}

/** Puts jobs on machines within a plan, and takes them off again. */
export class Placer {
  /** After a job was not placed: how many of its tasks there was room for, at most; `NONE` where a guard would not have it. */
  room = 0;
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  /** The heuristics that jobs can name, by number. */
  private readonly named: readonly Chooser[];
  private readonly choosers: Choosers;
  private readonly packing: FamilyMachines | null;

  constructor(
    machines: MachineState,
    jobs: Jobs,
    choosers: Choosers,
    named: readonly Heuristic[],
    packing: FamilyMachines | null,
  ) {
    this.machines = machines;
    this.jobs = jobs;
    this.choosers = choosers;
    this.named = named.map((heuristic) => choosers.of(heuristic));
    this.packing = packing;
  }

  /** Whether jobs may name heuristics for themselves. */
  get hasNamed(): boolean {
    return this.named.length > 0;
  }

  /** The heuristic that the job names for itself, else the pool's, over the machines that the job may use. */
  chooserOf(job: number, poolChooser: Chooser): Chooser {
    const { heuristic, requirement, exclusion, kind } = this.jobs;
    const own = heuristic[job];
    const chooser = own === NONE ? poolChooser : this.named[own];
    const mayUseAny = requirement[job] === 0 && exclusion[job] === 0 && this.packing === null;
    return mayUseAny ? chooser : this.choosers.forKind(kind[job], chooser);
  }

  /** Places all of a job's tasks and adds them to the plan, or places none. */
  place(job: number, poolChooser: Chooser, plan: Plan, guard?: PlacementGuard): boolean {
    const { machines, jobs } = this;
    const chooser = this.chooserOf(job, poolChooser);
    const cores = jobs.cores[job];
    const memory = jobs.memory[job];
    const gpu = jobs.gpu[job];
    const tasks = jobs.tasks[job];
    if (tasks * cores > machines.totalFreeCores) {
      this.room = Math.floor(machines.totalFreeCores / cores);
      return false;
    }
    const start = plan.length;
    for (let left = tasks; left > 0;) {
      const machine = chooser.find(cores, memory, gpu);
      if (machine === NONE) {
        this.undo(plan, start);
        this.room = tasks - left;
        return false;
      }
      const here =
        left > 1 && (chooser.keepsChoice || machines.count === 1)
          ? Math.min(left, machines.roomFor(machine, cores, memory, gpu))
          : 1;
      machines.take(machine, cores, memory, gpu, here);
      this.packing?.plan(job, machine, here);
      plan.add(job, machine, here);
      left -= here;
      if (guard?.allows(machine, job, here) === false) {
        this.undo(plan, start);
        this.room = NONE;
        return false;
      }
    }
    plan.jobCount++;
    return true;
  }

  /** Gives back what the plan's entries from `start` on hold, and forgets them. */
  undo(plan: Plan, start = 0): void {
    const { machines, jobs } = this;
    for (let entry = plan.length - 1; entry >= start; entry--) {
      const job = plan.job[entry];
      machines.give(plan.machine[entry], jobs.cores[job], jobs.memory[job], jobs.gpu[job], plan.tasks[entry]);
      this.packing?.unplan(job, plan.machine[entry], plan.tasks[entry]);
    }
    plan.length = start;
  }

  /** Takes the job placed last off again. */
  undoLast(plan: Plan): void {
    const job = plan.job[plan.length - 1];
    let start = plan.length - 1;
    while (start > 0 && plan.job[start - 1] === job) start--;
    this.undo(plan, start);
    plan.jobCount--;
  }

  /** Takes again what a plan that was undone held. */
  redo(plan: Plan, length: number): void {
    const { machines, jobs } = this;
    plan.length = length;
    for (let entry = 0; entry < length; entry++) {
      const job = plan.job[entry];
      machines.take(plan.machine[entry], jobs.cores[job], jobs.memory[job], jobs.gpu[job], plan.tasks[entry]);
      this.packing?.plan(job, plan.machine[entry], plan.tasks[entry]);
    }
  }
}
