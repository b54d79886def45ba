import { extended } from "../arrays.ts";
import { NONE } from "../none.ts";

/**
 * When machines become free by themselves, first to last. Every machine lives
 * equally long, so the one put in last is free last: a list through the machines.
 */
export class Expiries {
  private time: Float64Array;
  private next: Int32Array;
  private previous: Int32Array;
  private isListed: Uint8Array;
  private first = NONE;
  private last = NONE;

  constructor(machines: number) {
    this.time = new Float64Array(machines);
    this.next = new Int32Array(machines);
    this.previous = new Int32Array(machines);
    this.isListed = new Uint8Array(machines);
  }

  /** There are so many machines now, not fewer than before. */
  resized(machines: number): void {
    this.time = extended(this.time, machines);
    this.next = extended(this.next, machines);
    this.previous = extended(this.previous, machines);
    this.isListed = extended(this.isListed, machines);
  }

  /** Infinity where no machine becomes free by itself. */
  get nextTime(): number {
    return this.first === NONE ? Infinity : this.time[this.first];
  }

  /** When a machine becomes free by itself; Infinity: it does not. */
  timeOf(machine: number): number {
    return this.isListed[machine] === 0 ? Infinity : this.time[machine];
  }

  /** For sorting: machines of the same time become free at once, so their order does not matter. */
  comesBefore(one: number, other: number): number {
    const difference = this.timeOf(one) - this.timeOf(other);
    return Number.isNaN(difference) || difference === 0 ? one - other : difference;
  }

  /** @param time not before that of any machine in the list; Infinity: never */
  put(machine: number, time: number): void {
    this.remove(machine);
    if (time === Infinity) return;
    this.time[machine] = time;
    this.next[machine] = NONE;
    this.previous[machine] = this.last;
    if (this.last === NONE) this.first = machine;
    else this.next[this.last] = machine;
    this.last = machine;
    this.isListed[machine] = 1;
  }

  /** Takes out the first. */
  take(): number {
    const machine = this.first;
    this.remove(machine);
    return machine;
  }

  remove(machine: number): void {
    if (this.isListed[machine] === 0) return;
    this.isListed[machine] = 0;
    const before = this.previous[machine];
    const after = this.next[machine];
    if (before === NONE) this.first = after;
    else this.next[before] = after;
    if (after === NONE) this.last = before;
    else this.previous[after] = before;
  }
}
