import type { MachineState } from "../core/index.ts";
import type { TypicalTask } from "./offered-load.ts";

/**
 * The free cores and memory of a pool, and the part of them that a typical task cannot use. Only the machines that
 * changed since the last call are counted again: on a large farm these are few.
 */
export class FreeResources {
  cores = 0;
  memory = 0;
  /** Free cores on machines where a typical task lacks memory, and the other way round. */
  strandedCores = 0;
  strandedMemory = 0;
  private readonly machines: MachineState;
  private readonly typical: TypicalTask;
  /** What each machine had free when it was last counted. */
  private readonly countedCores: Int32Array;
  private readonly countedMemory: Int32Array;
  private readonly changed: number[] = [];
  private readonly isChanged: Uint8Array;

  constructor(machines: MachineState, typical: TypicalTask) {
    const { count, freeCores, freeMemory } = machines;
    this.machines = machines;
    this.typical = typical;
    this.countedCores = freeCores.slice();
    this.countedMemory = freeMemory.slice();
    this.isChanged = new Uint8Array(count);
    for (let machine = 0; machine < count; machine++) this.count(machine, 1);
    const watcher = {
      changed: (machine: number): void => {
        if (this.isChanged[machine] !== 0) return;
        this.isChanged[machine] = 1;
        this.changed.push(machine);
      },
      resized: (): void => {
        throw new Error("a simulation samples machines that stay as they are, and one was added or resized");
      },
    };
    machines.watch(watcher, false);
  }

  refresh(): void {
    const { changed, isChanged, machines } = this;
    for (const machine of changed) {
      isChanged[machine] = 0;
      this.count(machine, -1);
      this.countedCores[machine] = machines.freeCores[machine];
      this.countedMemory[machine] = machines.freeMemory[machine];
      this.count(machine, 1);
    }
    changed.length = 0;
  }

  private count(machine: number, sign: number): void {
    const { typical } = this;
    const cores = this.countedCores[machine];
    const memory = this.countedMemory[machine];
    this.cores += sign * cores;
    this.memory += sign * memory;
    if (cores >= typical.cores && memory < typical.memory) this.strandedCores += sign * cores;
    if (memory >= typical.memory && cores < typical.cores) this.strandedMemory += sign * memory;
  }
}
