import { extended } from "../arrays.ts";
import { NONE } from "../none.ts";

/**
 * The times at which machines stop being reserved, first to last. Every reservation lasts equally long, so the newest
 * one ends last: a linked list of machines.
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

  /** Makes room for a larger number of machines. */
  resized(machines: number): void {
    this.time = extended(this.time, machines);
    this.next = extended(this.next, machines);
    this.previous = extended(this.previous, machines);
    this.isListed = extended(this.isListed, machines);
  }

  /** The first time; Infinity if there is none. */
  get nextTime(): number {
    return this.first === NONE ? Infinity : this.time[this.first];
  }

  /** When a machine's reservation ends; Infinity if it has no end here. */
  timeOf(machine: number): number {
    return this.isListed[machine] === 0 ? Infinity : this.time[machine];
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

  /** Removes the first and returns it. */
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
