import { NONE } from "../../none.ts";
import { ORDINARY, type FamilyMachines } from "../../packing/family-machines.ts";

/**
 * The machines that will be reserved for another family than the head's at the shadow time, so that the head cannot use
 * what is free on them. A reservation ends when the last job of its family leaves the machine, or when its time to live
 * is over.
 */
export class OtherFamilies {
  /** The time of the pass for which this was worked out. */
  now = NaN;
  private readonly packing: FamilyMachines;
  private headFamily = ORDINARY;
  private isClosed = new Uint8Array(0);
  /** At `family * stride + machine`: how many of the family's tasks there will have ended. */
  private ended = new Int32Array(0);
  /** The closed machines whose reservation ends by time, the first to end as the last of the list. */
  private expiring: number[] = [];

  constructor(packing: FamilyMachines) {
    this.packing = packing;
  }

  /** Starts from the machines as they are now. */
  begin(headFamily: number, now: number): void {
    const { packing } = this;
    const { reservedTo } = packing;
    this.headFamily = headFamily;
    this.now = now;
    if (this.isClosed.length !== reservedTo.length) this.isClosed = new Uint8Array(reservedTo.length);
    if (this.ended.length === packing.tasks.length) this.ended.fill(0);
    else this.ended = new Int32Array(packing.tasks.length);
    this.expiring = [];
    for (let machine = 0; machine < reservedTo.length; machine++) {
      this.isClosed[machine] = this.isOther(reservedTo[machine]) ? 1 : 0;
      if (this.closes(machine) && packing.reservedUntil(machine, now) < Infinity) this.expiring.push(machine);
    }
    this.expiring.sort((a, b) => packing.reservedUntil(b, now) - packing.reservedUntil(a, now));
  }

  /** Whether the jobs of this family keep the head off a machine. */
  isOther(family: number): boolean {
    return family !== ORDINARY && family !== this.headFamily;
  }

  closes(machine: number): boolean {
    return this.isClosed[machine] === 1;
  }

  /** When the next reservation ends because its time to live is over; Infinity if none does. */
  get nextExpiry(): number {
    const machine = this.expiring.at(-1);
    return machine === undefined ? Infinity : this.packing.reservedUntil(machine, this.now);
  }

  /** Ends that reservation. Returns the machine, or `NONE` if its jobs had left it before. */
  expire(): number {
    const machine = this.expiring.pop()!;
    if (!this.closes(machine)) return NONE;
    this.isClosed[machine] = 0;
    return machine;
  }

  /** Counts tasks of a family among those that will have ended. A number below 0 takes them back. */
  end(family: number, machine: number, tasks: number): void {
    if (family === ORDINARY) return;
    this.ended[family * this.packing.stride + machine] += tasks;
    if (family === this.packing.reservedTo[machine] && this.remaining(family, machine) === 0)
      this.isClosed[machine] = 0;
  }

  /** Whether a machine that has just got a job of this family will be reserved for it beyond a time. */
  isReservedBeyond(time: number, family: number, machine: number): boolean {
    return this.packing.reservedUntil(machine, this.now) > time && this.remaining(family, machine) > 0;
  }

  set(machine: number, isClosed: boolean): void {
    this.isClosed[machine] = isClosed ? 1 : 0;
  }

  private remaining(family: number, machine: number): number {
    const at = family * this.packing.stride + machine;
    return this.packing.tasks[at] - this.ended[at];
  }
}
