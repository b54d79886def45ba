import { extended } from "../arrays.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { FamilyRule } from "../machines/allowed-machines.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type { MachineWatcher } from "../machines/machine-view.ts";
import { Expiries } from "./expiries.ts";
import { MachineSubset } from "./machine-subset.ts";
import type { PackingSettings } from "./settings.ts";

/** The family of jobs that are not packed, and of machines that are reserved for no family. */
export const ORDINARY = 0;

/**
 * Which machines jobs of each family run on, and for which family a machine is reserved (Dal Pra 2014, sections 2 to
 * 4). It says which machines a job may use and which of them it prefers; among equals the pool's heuristic decides.
 *
 * It follows the plan of a cycle as it is made and undone. A machine is reserved for the family whose job reached it
 * last, until its time to live is over or the last job of the family has left. A suspended job has not left.
 */
export class FamilyMachines implements FamilyRule, MachineWatcher {
  readonly families: number;
  /** Whether machines are reserved for families. */
  readonly isExclusive: boolean;
  /** How long a start reserves a machine; 0 if machines are not reserved. */
  readonly ttlSeconds: number;
  /**
   * The paper's load table L: at `family * stride + machine` the tasks of a
   * family on a machine; row 0 has all tasks, packed or not.
   */
  tasks: Int32Array;
  /** The length of a row: the number of machines, or more. */
  stride: number;
  /** By family: the machines it has tasks on, and what they hold of each resource. Row 0 is not kept. */
  readonly machinesUsed: Int32Array;
  readonly coresHeld: Float64Array;
  readonly memoryHeld: Float64Array;
  readonly gpuHeld: Float64Array;
  /** By machine: the family it is reserved for, or `ORDINARY`. */
  reservedTo: Uint8Array;
  /** Counts up when a machine is reserved for another family than before, or for none. */
  reservationChanges = 0;
  /** By family: the machines that its jobs may use, in order of preference. */
  readonly preferences: readonly (readonly MachineSubset[])[];
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly spreads: boolean;
  /** By machine: packed tasks that the current cycle has planned, and the family of the last of them. */
  private arriving: Int32Array;
  private arrivingFamily: Uint8Array;
  /** By machine: the family whose job reached it last, if jobs of it still run there within the time to live. */
  private owner: Uint8Array;
  private readonly expiries: Expiries;

  constructor(machines: MachineState, jobs: Jobs, settings: PackingSettings) {
    const { count } = machines;
    const { families } = settings;
    this.machines = machines;
    this.jobs = jobs;
    this.stride = count;
    this.families = families;
    this.ttlSeconds = settings.policy === "exclusive" ? settings.ttlSeconds : 0;
    this.isExclusive = this.ttlSeconds > 0;
    this.spreads = settings.policy === "none";
    this.tasks = new Int32Array((families + 1) * count);
    this.machinesUsed = new Int32Array(families + 1);
    this.coresHeld = new Float64Array(families + 1);
    this.memoryHeld = new Float64Array(families + 1);
    this.gpuHeld = new Float64Array(families + 1);
    this.reservedTo = new Uint8Array(count);
    this.arriving = new Int32Array(count);
    this.arrivingFamily = new Uint8Array(count);
    this.owner = new Uint8Array(count);
    this.expiries = new Expiries(count);
    this.preferences = Array.from({ length: families + 1 }, (_, family) =>
      Array.from({ length: family === ORDINARY ? 1 : 2 }, () => new MachineSubset(machines)),
    );
    for (let machine = 0; machine < count; machine++) this.sort(machine);
    machines.watch(this, false);
  }

  changed(): void {}

  /** Makes room for machines that were added, on which no jobs run. */
  resized(count: number): void {
    const before = this.reservedTo.length;
    if (count === before) return;
    if (count > this.stride) this.widen(count * 2);
    this.reservedTo = extended(this.reservedTo, count);
    this.arriving = extended(this.arriving, count);
    this.arrivingFamily = extended(this.arrivingFamily, count);
    this.owner = extended(this.owner, count);
    this.expiries.resized(count);
    for (let machine = before; machine < count; machine++) this.sort(machine);
  }

  private widen(stride: number): void {
    const tasks = new Int32Array((this.families + 1) * stride);
    for (let family = 0; family <= this.families; family++)
      tasks.set(this.tasks.subarray(family * this.stride, (family + 1) * this.stride), family * stride);
    this.tasks = tasks;
    this.stride = stride;
  }

  /** Whether a heuristic that keeps its choice for the next equal task does so for this family, too. */
  keepsChoice(family: number): boolean {
    return family === ORDINARY || !this.spreads;
  }

  mayUse(family: number, machine: number): boolean {
    const reservedTo = this.reservedTo[machine];
    return reservedTo === ORDINARY || reservedTo === family;
  }

  /** Whether a family's jobs take this machine before others. */
  prefers(family: number, machine: number): boolean {
    return family === ORDINARY || this.tasks[family * this.stride + machine] > 0 !== this.spreads;
  }

  /** At the start of a cycle: frees the machines whose time to live is over. */
  begin(now: number): void {
    const { expiries } = this;
    while (expiries.nextTime <= now) {
      const machine = expiries.take();
      this.owner[machine] = ORDINARY;
      this.reserve(machine);
      // Requests that failed before may find this machine now.
      this.machines.revision++;
    }
  }

  /** The reserved machines, in the order in which their reservations end. */
  save(): { machine: number; family: number; time: number }[] {
    const kept: { machine: number; family: number; time: number }[] = [];
    const { owner, expiries } = this;
    for (let machine = 0; machine < this.owner.length; machine++)
      if (owner[machine] !== ORDINARY)
        kept.push({ machine, family: owner[machine], time: expiries.timeOf(machine) });
    // Infinity less Infinity is no number, and counts as equal.
    return kept.sort((a, b) => a.time - b.time || a.machine - b.machine);
  }

  /** Loads them where none has been made yet and jobs are on their machines. */
  load(kept: readonly { machine: number; family: number; time: number }[]): void {
    for (const { machine, family, time } of kept) {
      this.owner[machine] = family;
      this.expiries.put(machine, time);
    }
    for (let machine = 0; machine < this.owner.length; machine++) {
      this.arriving[machine] = 0;
      this.reserve(machine, true);
    }
  }

  /** The latest end of a machine's reservation; Infinity while it lasts as long as jobs of the family are there. */
  reservedUntil(machine: number, now: number): number {
    return this.arriving[machine] > 0 ? now + this.ttlSeconds : this.expiries.timeOf(machine);
  }

  /** When the next reserved machine becomes free by time; Infinity if none will. */
  get nextExpiry(): number {
    return this.expiries.nextTime;
  }

  /**
   * A cycle plans tasks of a job on a machine.
   *
   * @throws RangeError if the job's family is unknown
   */
  plan(job: number, machine: number, n: number): void {
    const family = this.jobs.familyOf(job);
    this.tasks[machine] += n;
    if (family === ORDINARY) return;
    if (family > this.families)
      throw new RangeError(
        `a job is of family ${family}, and families are numbered from 1 to ${this.families}`,
      );
    this.arriving[machine] += n;
    this.arrivingFamily[machine] = family;
    this.hold(job, family, machine, n);
  }

  /** The cycle undoes what it planned. */
  unplan(job: number, machine: number, n: number): void {
    const family = this.jobs.familyOf(job);
    this.tasks[machine] -= n;
    if (family === ORDINARY) return;
    this.arriving[machine] -= n;
    this.hold(job, family, machine, -n);
  }

  /** Planned tasks start. The machine's time to live begins anew. */
  start(job: number, machine: number, now: number): void {
    const family = this.jobs.familyOf(job);
    if (family === ORDINARY) return;
    this.arriving[machine] = 0;
    if (this.ttlSeconds === 0) return;
    this.owner[machine] = family;
    this.expiries.put(machine, now + this.ttlSeconds);
    this.reserve(machine);
  }

  /** Tasks of a job leave a machine. */
  leave(job: number, machine: number, n: number): void {
    const family = this.jobs.familyOf(job);
    this.tasks[machine] -= n;
    if (family !== ORDINARY) this.hold(job, family, machine, -n);
  }

  /** Adds `n` tasks of a family's job to a machine, or takes some off. */
  private hold(job: number, family: number, machine: number, n: number): void {
    const { tasks, jobs } = this;
    const at = family * this.stride + machine;
    const before = tasks[at];
    tasks[at] = before + n;
    this.coresHeld[family] += jobs.coresOf(job) * n;
    this.memoryHeld[family] += jobs.memoryOf(job) * n;
    this.gpuHeld[family] += jobs.gpuOf(job) * n;
    const isFirst = before === 0;
    const isLast = before + n === 0;
    if (isFirst) this.machinesUsed[family]++;
    if (isLast) this.machinesUsed[family]--;
    if (isLast && this.owner[machine] === family) {
      this.owner[machine] = ORDINARY;
      this.expiries.remove(machine);
    }
    this.reserve(machine, isFirst || isLast);
  }

  /** @param isMoved whether the machine must be sorted even if it stays reserved for the same family */
  private reserve(machine: number, isMoved = false): void {
    const family = this.familyReservedTo(machine);
    if (family === this.reservedTo[machine] && !isMoved) return;
    if (family !== this.reservedTo[machine]) this.reservationChanges++;
    this.reservedTo[machine] = family;
    this.sort(machine);
  }

  private familyReservedTo(machine: number): number {
    if (this.ttlSeconds === 0) return ORDINARY;
    return this.arriving[machine] > 0 ? this.arrivingFamily[machine] : this.owner[machine];
  }

  /** Puts a machine into the subsets in which each family searches for it. */
  private sort(machine: number): void {
    const { preferences, tasks, stride, spreads } = this;
    preferences[ORDINARY][0].put(machine, this.mayUse(ORDINARY, machine));
    for (let family = 1; family <= this.families; family++) {
      const isAllowed = this.mayUse(family, machine);
      const isPreferred = tasks[family * stride + machine] > 0 !== spreads;
      preferences[family][0].put(machine, isAllowed && isPreferred);
      preferences[family][1].put(machine, isAllowed && !isPreferred);
    }
  }
}
