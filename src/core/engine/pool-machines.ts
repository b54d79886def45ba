import type { OwnedGroups } from "../machines/machine-groups.ts";
import {
  REMOVED,
  type MachineCapacity,
  type MachineState,
  type ServiceReason,
} from "../machines/machine-state.ts";
import type { MachineJobs } from "../preemption/machine-jobs.ts";
import type { Preemption } from "../preemption/preemption.ts";
import type { PlacedJobs } from "./placed-jobs.ts";

/** What `PoolMachines` is made of. */
export interface PoolMachinesParts {
  readonly machines: MachineState;
  readonly groups: OwnedGroups;
  /** The groups of jobs that own machines here. */
  readonly owners: ReadonlySet<number>;
  readonly placed: PlacedJobs;
  readonly machineJobs: MachineJobs | null;
  readonly preemption: Preemption | null;
  /** Called when the number of machines has grown to `count`. */
  readonly added: (count: number) => void;
  /** Called when jobs may fit that did not fit before. */
  readonly markDirty: () => void;
}

/** The machines of a pool, as they join, leave, change size, go out of service and come back. */
export class PoolMachines {
  /** The thousandths of a core of all machines, and their mean speed. */
  cores = 0;
  speed = 1;
  private readonly parts: PoolMachinesParts;

  constructor(parts: PoolMachinesParts) {
    this.parts = parts;
    this.measure();
  }

  /** Whether there is a machine of this number, that is, one that was not removed. */
  has(machine: number): boolean {
    const { machines } = this.parts;
    return (
      Number.isInteger(machine) &&
      machine >= 0 &&
      machine < machines.count &&
      (machines.closed[machine] & REMOVED) === 0
    );
  }

  /** Whether a machine is out of service for this reason. */
  isOut(machine: number, reason: ServiceReason | typeof REMOVED): boolean {
    return (this.parts.machines.closed[machine] & reason) !== 0;
  }

  /** Closes a machine to further jobs. Jobs on it stay. Waiting jobs may start that made way for a promise on it. */
  takeOut(machine: number, reason: ServiceReason): void {
    const { machines, markDirty } = this.parts;
    machines.close(machine, reason);
    markDirty();
  }

  /** Removes a reason. The machine takes jobs again unless there is another. */
  letIn(machine: number, reason: ServiceReason): void {
    this.parts.machines.open(machine, reason);
    this.returned(machine);
  }

  /** Whether a machine may join with this number: that of a removed one, or the next. */
  mayAdd(machine: number): boolean {
    const { machines } = this.parts;
    return machine === machines.count || (machine >= 0 && this.isOut(machine, REMOVED));
  }

  /** Whether machines of a group may join: their owner, if any, must be known to own machines here. */
  knowsGroup(group: number): boolean {
    const { groups, owners } = this.parts;
    if (!(group >= 0 && group < groups.count)) return false;
    return groups.ownerOf[group] === 0 || owners.has(groups.ownerOf[group]);
  }

  add(machine: number, capacity: MachineCapacity, group: number): void {
    const { machines, added, preemption } = this.parts;
    machines.add(machine, capacity, group);
    added(machines.count);
    preemption?.resized(machines.count);
    this.measure();
    this.returned(machine);
  }

  /** Changes a machine's capacity or group. Running jobs stay. */
  resize(machine: number, capacity: MachineCapacity, group: number): void {
    const { machines, machineJobs, placed, preemption } = this.parts;
    const running = placed.on(machine).filter((job) => machineJobs?.isListedAsRunning(job) === true);
    // Jobs are listed by group of machines.
    for (const job of running) machineJobs!.stop(job);
    machines.setCapacity(machine, capacity, group);
    preemption?.resized(machines.count);
    for (const job of running) machineJobs!.run(job);
    this.measure();
    this.returned(machine);
  }

  /** Removes a machine that holds no jobs any more. */
  remove(machine: number): void {
    this.parts.machines.remove(machine);
    this.measure();
  }

  /** Notes that jobs may fit on a machine that they did not fit on before. */
  private returned(machine: number): void {
    const { machines, preemption, markDirty } = this.parts;
    if (!machines.isInService(machine)) return;
    preemption?.resumption.machineFreed(machine);
    preemption?.retryRequests();
    markDirty();
  }

  private measure(): void {
    const { machines, groups } = this.parts;
    let cores = 0;
    let speeds = 0;
    for (let machine = 0; machine < machines.count; machine++) {
      if (this.isOut(machine, REMOVED)) continue;
      cores += machines.capacityCores[machine];
      speeds += machines.capacityCores[machine] * groups.speedOf[machines.groupOf[machine]];
    }
    this.cores = cores;
    this.speed = cores === 0 ? 1 : speeds / cores;
  }
}
