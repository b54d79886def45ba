import type { OwnedGroups } from "../machines/machine-groups.ts";
import {
  DOWN,
  DRAINED,
  REMOVED,
  type MachineCapacity,
  type MachineState,
} from "../machines/machine-state.ts";
import type { MachineJobs } from "../preemption/machine-jobs.ts";
import type { Preemption } from "../preemption/preemption.ts";
import type { PlacedJobs } from "./placed-jobs.ts";

/** Why a machine is out of service: an operator, or the engine, wants no more jobs on it; or it does not work. */
export type ServiceReason = typeof DRAINED | typeof DOWN;

/** What the machines of a pool need of the rest of it. */
export interface PoolMachinesParts {
  readonly machines: MachineState;
  readonly groups: OwnedGroups;
  /** The groups of jobs that own machines here. */
  readonly owners: ReadonlySet<number>;
  readonly placed: PlacedJobs;
  readonly machineJobs: MachineJobs | null;
  readonly preemption: Preemption | null;
  /** There are so many machines now, not fewer than before. */
  readonly added: (count: number) => void;
  /** Jobs may fit that did not fit before. */
  readonly markDirty: () => void;
}

/** The machines of a pool as they come, go, change size, and are taken out of service and let back in. */
export class PoolMachines {
  /** Thousandths of a core of all machines; and how fast they are on average. */
  cores = 0;
  speed = 1;
  readonly #machines: MachineState;
  readonly #groups: OwnedGroups;
  readonly #owners: ReadonlySet<number>;
  readonly #placed: PlacedJobs;
  readonly #machineJobs: MachineJobs | null;
  readonly #preemption: Preemption | null;
  readonly #added: (count: number) => void;
  readonly #markDirty: () => void;

  constructor({
    machines,
    groups,
    owners,
    placed,
    machineJobs,
    preemption,
    added,
    markDirty,
  }: PoolMachinesParts) {
    this.#machines = machines;
    this.#groups = groups;
    this.#owners = owners;
    this.#placed = placed;
    this.#machineJobs = machineJobs;
    this.#preemption = preemption;
    this.#added = added;
    this.#markDirty = markDirty;
    this.#measure();
  }

  /** Whether there is a machine of this number: it was not removed. */
  has(machine: number): boolean {
    const machines = this.#machines;
    return (
      Number.isInteger(machine) &&
      machine >= 0 &&
      machine < machines.count &&
      (machines.closed[machine] & REMOVED) === 0
    );
  }

  /** Whether a machine is out of service for this reason. */
  isOut(machine: number, reason: ServiceReason): boolean {
    return this.#is(reason, machine);
  }

  /** A machine takes no more jobs; those on it are not touched. */
  takeOut(machine: number, reason: ServiceReason): void {
    if (reason === DRAINED) this.#machines.drain(machine);
    else this.#machines.down(machine);
  }

  /** The reason is gone: the machine takes jobs again, unless there is another. */
  letIn(machine: number, reason: ServiceReason): void {
    if (reason === DRAINED) this.#machines.undrain(machine);
    else this.#machines.up(machine);
    this.#returned(machine);
  }

  /** Whether a machine may join as this number: that of one that was removed, or the next. */
  mayAdd(machine: number): boolean {
    const machines = this.#machines;
    return machine === machines.count || (machine >= 0 && this.#is(REMOVED, machine));
  }

  /** Whether machines of a group may join: whoever owns them is known to own machines here. */
  knowsGroup(group: number): boolean {
    const groups = this.#groups;
    if (!(group >= 0 && group < groups.count)) return false;
    return groups.ownerOf[group] === 0 || this.#owners.has(groups.ownerOf[group]);
  }

  add(machine: number, capacity: MachineCapacity, group: number): void {
    const machines = this.#machines;
    machines.add(machine, capacity, group);
    this.#added(machines.count);
    this.#preemption?.resized(machines.count);
    this.#measure();
    this.#returned(machine);
  }

  /** A machine has another capacity, or is of another group, from now on. What runs there runs on. */
  resize(machine: number, capacity: MachineCapacity, group: number): void {
    const machineJobs = this.#machineJobs;
    const machines = this.#machines;
    const running = this.#placed.on(machine).filter((job) => machineJobs?.isListedAsRunning(job) === true);
    // They are listed by group.
    for (const job of running) machineJobs!.stop(job);
    machines.setCapacity(machine, capacity, group);
    this.#preemption?.resized(machines.count);
    for (const job of running) machineJobs!.run(job);
    this.#measure();
    this.#returned(machine);
  }

  /** A machine on which nobody is any more leaves the pool. */
  remove(machine: number): void {
    this.#machines.remove(machine);
    this.#measure();
  }

  #is(what: number, machine: number): boolean {
    return (this.#machines.closed[machine] & what) !== 0;
  }

  /** Jobs may fit on a machine that they did not fit on before. */
  #returned(machine: number): void {
    if (!this.#machines.isInService(machine)) return;
    this.#preemption?.machineFreed(machine);
    this.#preemption?.retryRequests();
    this.#markDirty();
  }

  #measure(): void {
    const machines = this.#machines;
    let cores = 0;
    let speeds = 0;
    for (let machine = 0; machine < machines.count; machine++) {
      if (this.#is(REMOVED, machine)) continue;
      cores += machines.capacityCores[machine];
      speeds += machines.capacityCores[machine] * this.#groups.speedOf[machines.groupOf[machine]];
    }
    this.cores = cores;
    this.speed = cores === 0 ? 1 : speeds / cores;
  }
}
