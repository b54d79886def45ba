import type { MachinesView } from "../../core/index.ts";
import type { TypicalTask } from "./offered-load.ts";

/** What is free in a pool: thousandths of a core, and MiB. */
export interface FreeResources {
  cores: number;
  memory: number;
  /** Free cores on machines where a typical task lacks memory, and the other way round. */
  strandedCores: number;
  strandedMemory: number;
}

/**
 * Adds up what is free on a pool's machines, and the part of it that a typical task cannot use. A run asks a few
 * hundred times: to follow every change instead took a twentieth of the runs on large farms.
 */
export function addFree(to: FreeResources, machines: MachinesView, typical: TypicalTask): void {
  const { count, freeCores, freeMemory } = machines;
  let allCores = 0;
  let allMemory = 0;
  let strandedCores = 0;
  let strandedMemory = 0;
  for (let machine = 0; machine < count; machine++) {
    const cores = freeCores[machine];
    const memory = freeMemory[machine];
    allCores += cores;
    allMemory += memory;
    if (cores < typical.cores) {
      if (memory >= typical.memory) strandedMemory += memory;
    } else if (memory < typical.memory) strandedCores += cores;
  }
  to.cores += allCores;
  to.memory += allMemory;
  to.strandedCores += strandedCores;
  to.strandedMemory += strandedMemory;
}
