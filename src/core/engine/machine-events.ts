import type { Booking } from "../bookings/bookings.ts";
import { SUSPENDED } from "../jobs/job-states.ts";
import { DOWN, DRAINED, type MachineCapacity, type ServiceReason } from "../machines/machine-state.ts";
import { EnginePart, type SharedState } from "./engine-part.ts";
import {
  NO_CHANGE,
  NO_SUCH_GROUP,
  NO_SUCH_MACHINE,
  NOT_NEXT_MACHINE,
  TAKEN,
  type Ignored,
} from "./ignored.ts";
import type { JobMoves } from "./job-moves.ts";
import type { PoolManager } from "./pool-manager.ts";

/** The events about machines that the driver reports. */
export class MachineEvents extends EnginePart {
  private readonly moves: JobMoves;

  constructor(state: SharedState, moves: JobMoves) {
    super(state);
    this.moves = moves;
  }

  /** Drains a machine: it takes no more jobs, and those on it run on. */
  drain(pool: number, machine: number, now: number): Ignored {
    const answer = this.change(pool, machine, now, DRAINED, true);
    if (answer === TAKEN) this.moves.unclaimOn(this.pools[pool], [machine], now);
    return answer;
  }

  undrain(pool: number, machine: number, now: number): Ignored {
    return this.change(pool, machine, now, DRAINED, false);
  }

  up(pool: number, machine: number, now: number): Ignored {
    return this.change(pool, machine, now, DOWN, false);
  }

  /** A machine is down. The jobs on it are lost. */
  down(pool: number, machine: number, now: number): Ignored {
    const answer = this.change(pool, machine, now, DOWN, true);
    if (answer !== TAKEN) return answer;
    this.loseAllOn(this.pools[pool], machine, now);
    return TAKEN;
  }

  /** Machines are kept for some people for a time. Jobs that run there are left alone. */
  book(pool: number, booking: Booking, now: number): Ignored {
    const manager = this.pools[pool];
    const bookings = manager?.pool.bookings ?? null;
    if (bookings === null || !booking.machines.every((machine) => manager.machines.has(machine)))
      return NO_SUCH_MACHINE;
    if (bookings.has(booking.number) || booking.until <= now) return NO_CHANGE;
    this.views.changes(pool, now);
    bookings.add(booking);
    this.bookingsChanged(manager);
    return TAKEN;
  }

  unbook(pool: number, booking: number, now: number): Ignored {
    const manager = this.pools[pool];
    const bookings = manager?.pool.bookings ?? null;
    if (bookings?.has(booking) !== true) return NO_CHANGE;
    this.views.changes(pool, now);
    bookings.remove(booking);
    this.bookingsChanged(manager);
    return TAKEN;
  }

  private bookingsChanged(manager: PoolManager): void {
    manager.pool.machines.revision++;
    manager.preemption?.retry();
    manager.markDirty();
  }

  private loseAllOn(manager: PoolManager, machine: number, now: number): void {
    const moves = this.moves;
    moves.unclaimOn(manager, [machine], now);
    for (const job of manager.placed.on(machine)) if (moves.hasMachines(job)) moves.lose(job, now);
  }

  /** A machine joins and is in service. Its number is that of one that was removed, or the next one. */
  add(pool: number, machine: number, capacity: MachineCapacity, group: number, now: number): Ignored {
    const manager = this.pools[pool];
    if (manager === undefined) return NO_SUCH_MACHINE;
    if (!manager.machines.mayAdd(machine)) return NOT_NEXT_MACHINE;
    if (!manager.machines.knowsGroup(group)) return NO_SUCH_GROUP;
    this.views.changes(pool, now);
    manager.machines.add(machine, capacity, group);
    this.faults.recovered(pool, machine);
    return TAKEN;
  }

  /**
   * A machine has another capacity, or other attributes. Running jobs stay. Suspended jobs that the machine could not
   * hold even if it were empty are lost, since they could never resume.
   */
  resize(pool: number, machine: number, capacity: MachineCapacity, group: number, now: number): Ignored {
    const manager = this.pools[pool];
    if (manager === undefined || !manager.machines.has(machine)) return NO_SUCH_MACHINE;
    if (!manager.machines.knowsGroup(group)) return NO_SUCH_GROUP;
    this.views.changes(pool, now);
    // Jobs that are about to take the place of others may not fit any more.
    this.moves.unclaimOn(manager, [machine], now);
    manager.machines.resize(machine, capacity, group);
    // Without this each change would walk over all jobs of a pool that cannot suspend any.
    if (manager.suspensions.count === 0) return TAKEN;
    for (const job of manager.placed.on(machine).toReversed())
      if (this.engineJobs.state[job] === SUSPENDED && !manager.placed.couldHold(job))
        this.moves.lose(job, now);
    return TAKEN;
  }

  /** A machine leaves. The jobs on it are lost. */
  remove(pool: number, machine: number, now: number): Ignored {
    const manager = this.pools[pool];
    if (manager === undefined || !manager.machines.has(machine)) return NO_SUCH_MACHINE;
    this.down(pool, machine, now);
    this.views.changes(pool, now);
    manager.machines.remove(machine);
    this.faults.recovered(pool, machine);
    return TAKEN;
  }

  /** Adds a reason for a machine to be out of service, or removes it. */
  private change(pool: number, machine: number, now: number, reason: ServiceReason, isOut: boolean): Ignored {
    const manager = this.pools[pool];
    if (manager === undefined || !manager.machines.has(machine)) return NO_SUCH_MACHINE;
    if (manager.machines.isOut(machine, reason) === isOut) return NO_CHANGE;
    this.views.changes(pool, now);
    if (isOut) manager.machines.takeOut(machine, reason);
    else manager.machines.letIn(machine, reason);
    this.faults.recovered(pool, machine);
    return TAKEN;
  }
}
