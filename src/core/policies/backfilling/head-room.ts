import type { Jobs } from "../../jobs/jobs.ts";
import type { AllowedMachines } from "../../machines/allowed-machines.ts";
import { DRAINED, tasksWithin, type MachineState } from "../../machines/machine-state.ts";
import { NONE } from "../../none.ts";
import type { PolicyContext } from "../../pool/policy.ts";
import type { OtherFamilies } from "./other-families.ts";

/** What each machine will have free at the shadow time, and how many of the head's tasks that holds. */
export class HeadRoom {
  private readonly machines: MachineState;
  private readonly allowed: AllowedMachines;
  private readonly jobs: Jobs;
  /** Null if no machine is ever reserved for a family. */
  private readonly others: OtherFamilies | null;
  /** What the head asks for: its room is worked out for every machine and every job that ends. */
  private kind = NONE;
  private headCores = 0;
  private headMemory = 0;
  private headGpu = 0;
  private headTasks = 0;
  /** Whether every machine suits the head. */
  private suitsAll = true;
  /** What each machine will have free in addition to what is free now. */
  private cores = new Int32Array(0);
  private memory = new Int32Array(0);
  private gpu = new Int32Array(0);
  /**
   * By machine: what may be taken there without a loss to the head, and whether that is known. A pass asks this of
   * hundreds of machines for each kind of candidate.
   */
  private looseCores = new Int32Array(0);
  private looseMemory = new Int32Array(0);
  private looseGpu = new Int32Array(0);
  private isLooseKnown = new Uint8Array(0);

  constructor(context: PolicyContext, others: OtherFamilies | null) {
    this.machines = context.machines;
    this.allowed = context.allowed;
    this.jobs = context.jobs;
    this.others = others;
  }

  /** Starts from the machines as they are now. */
  begin(head: number): void {
    const { jobs } = this;
    this.kind = jobs.kind[head];
    this.headCores = jobs.coresOf(head);
    this.headMemory = jobs.memoryOf(head);
    this.headGpu = jobs.gpuOf(head);
    this.headTasks = jobs.tasksOf(head);
    this.suitsAll = this.allowed.suitsEverywhere(this.kind);
    this.clear();
  }

  /** In tasks of the head, on all machines together. */
  inAll(): number {
    let room = 0;
    for (let machine = 0; machine < this.machines.count; machine++) room += this.on(machine);
    return room;
  }

  /** In tasks of the head. */
  on(machine: number): number {
    const { machines } = this;
    if (!this.suits(machine) || this.others?.closes(machine) === true) return 0;
    return tasksWithin(
      machines.freeCores[machine] + this.cores[machine],
      machines.freeMemory[machine] + this.memory[machine],
      machines.freeGpu[machine] + this.gpu[machine],
      this.headCores,
      this.headMemory,
      this.headGpu,
    );
  }

  /** The room on a machine beside so many tasks of a job that still run then. */
  beside(machine: number, job: number, tasks: number): number {
    this.add(machine, job, -tasks);
    const room = this.on(machine);
    this.add(machine, job, tasks);
    return room;
  }

  /** Adds `tasks` of a job to what a machine will have free. */
  add(machine: number, job: number, tasks: number): void {
    const { kind, kinds } = this.jobs;
    const ofKind = kind[job];
    this.cores[machine] += kinds.cores[ofKind] * tasks;
    this.memory[machine] += kinds.memory[ofKind] * tasks;
    this.gpu[machine] += kinds.gpu[ofKind] * tasks;
    this.isLooseKnown[machine] = 0;
  }

  /** What is free on a machine now has changed. */
  noteChange(machine: number): void {
    this.isLooseKnown[machine] = 0;
  }

  /** Whether a task of a job may be put on a machine without a loss to the head. */
  isLoose(machine: number, job: number): boolean {
    const { jobs } = this;
    if (this.isLooseKnown[machine] === 0) this.findLoose(machine);
    return (
      jobs.coresOf(job) <= this.looseCores[machine] &&
      jobs.memoryOf(job) <= this.looseMemory[machine] &&
      jobs.gpuOf(job) <= this.looseGpu[machine]
    );
  }

  private findLoose(machine: number): void {
    const { freeCores, freeMemory, freeGpu } = this.machines;
    const room = this.on(machine);
    const beyond = (later: number, each: number): number =>
      room === 0 ? 0 : Math.min(0, later - room * each);
    this.looseCores[machine] = freeCores[machine] + beyond(this.cores[machine], this.headCores);
    this.looseMemory[machine] = freeMemory[machine] + beyond(this.memory[machine], this.headMemory);
    this.looseGpu[machine] = freeGpu[machine] + beyond(this.gpu[machine], this.headGpu);
    this.isLooseKnown[machine] = 1;
  }

  /** How many tasks of a job, `tasks` at most, leave a machine all that the head could ever use there. */
  leftFor(machine: number, job: number, tasks: number): number {
    if (!this.suits(machine)) return tasks;
    if (this.others?.isOther(this.jobs.familyOf(job)) === true) return 0;
    const { machines, jobs, headCores, headMemory, headGpu } = this;
    const most = Math.min(this.headTasks, machines.capacityFor(machine, headCores, headMemory, headGpu));
    const leaves = (n: number): number =>
      tasksWithin(
        machines.freeCores[machine] + this.cores[machine] - n * jobs.coresOf(job),
        jobs.memoryOf(job) === 0
          ? Infinity
          : machines.freeMemory[machine] + this.memory[machine] - n * jobs.memoryOf(job),
        jobs.gpuOf(job) === 0
          ? Infinity
          : machines.freeGpu[machine] + this.gpu[machine] - n * jobs.gpuOf(job),
        headCores,
        headMemory,
        headGpu,
      );
    let n = tasks;
    while (n > 0 && leaves(n) < most) n--;
    return n;
  }

  /** Whether the head may use a machine, apart from the questions of room and of other families. */
  private suits(machine: number): boolean {
    if (this.machines.closed[machine] >= DRAINED) return false;
    return this.suitsAll || this.allowed.suitsKind(this.kind, machine);
  }

  /** Makes room for machines that have joined. */
  private clear(): void {
    const { count } = this.machines;
    this.isLooseKnown.fill(0);
    if (this.cores.length === count) {
      this.cores.fill(0);
      this.memory.fill(0);
      this.gpu.fill(0);
      return;
    }
    this.cores = new Int32Array(count);
    this.memory = new Int32Array(count);
    this.gpu = new Int32Array(count);
    this.looseCores = new Int32Array(count);
    this.looseMemory = new Int32Array(count);
    this.looseGpu = new Int32Array(count);
    this.isLooseKnown = new Uint8Array(count);
  }
}
