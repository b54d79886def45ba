import type { MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";

/** A key is free memory, then how far from the end of pool order: the largest comes first. */
const MACHINE_RANGE = 2 ** 20;

/**
 * The open machines by available memory, highest first; among equals, the first
 * in pool order.
 *
 * A heap made once a cycle, by the first reservation. Placements after that only
 * lower what is free, so an entry is checked when it comes to the top and sunk if
 * it has become too good; a search per reservation over an index of all machines
 * took four fifths of the run on a pool whose free memory has thousands of values.
 */
export class MemoryOrder {
  private readonly machines: MachineState;
  private readonly keys: Float64Array;
  private count = 0;

  constructor(machines: MachineState) {
    this.machines = machines;
    this.keys = new Float64Array(machines.count);
  }

  /** Takes in all open machines as they are now, or those of them that are wanted. */
  start(isWanted?: (machine: number) => boolean): void {
    const { machines, keys } = this;
    this.count = 0;
    for (let machine = 0; machine < machines.count; machine++) {
      if (machines.closed[machine] === 0 && isWanted?.(machine) !== false)
        keys[this.count++] = this.keyOf(machine);
    }
    for (let at = (this.count >> 1) - 1; at >= 0; at--) this.sink(at, keys[at]);
  }

  /** Takes out the first machine; `NONE` where none is left. */
  take(): number {
    const { keys } = this;
    while (this.count > 0) {
      const machine = MACHINE_RANGE - 1 - (keys[0] % MACHINE_RANGE);
      const key = this.keyOf(machine);
      if (key === keys[0]) {
        const last = keys[--this.count];
        if (this.count > 0) this.sink(0, last);
        return machine;
      }
      this.sink(0, key);
    }
    return NONE;
  }

  /** Puts a machine in again. */
  putBack(machine: number): void {
    const { keys } = this;
    const key = this.keyOf(machine);
    let at = this.count++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (keys[above] >= key) break;
      keys[at] = keys[above];
      at = above;
    }
    keys[at] = key;
  }

  private keyOf(machine: number): number {
    return this.machines.freeMemory[machine] * MACHINE_RANGE + (MACHINE_RANGE - 1 - machine);
  }

  private sink(at: number, key: number): void {
    const { keys, count } = this;
    for (;;) {
      let below = at * 2 + 1;
      if (below >= count) break;
      if (below + 1 < count && keys[below + 1] > keys[below]) below++;
      if (keys[below] <= key) break;
      keys[at] = keys[below];
      at = below;
    }
    keys[at] = key;
  }
}
