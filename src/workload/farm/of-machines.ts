import type { Machines } from "../machines/machines.ts";
import { farmDefaults } from "./defaults.ts";
import type { Farm, MachineGroup } from "./farm.ts";

/** How many machines of one size stand next to each other in a list. */
export type MachineSize = Pick<MachineGroup, "count" | "coresMilli" | "memoryMiB" | "gpuMilli">;

/** A list of machines as groups, in the list's order: neighbours of one size are together. */
export function alikeMachines({ count, coresMilli, memoryMiB, gpuMilli }: Machines): MachineSize[] {
  const sizes: MachineSize[] = [];
  for (let first = 0; first < count;) {
    let end = first + 1;
    const isAlike = (column: Int32Array | null): boolean => column === null || column[end] === column[first];
    while (end < count && isAlike(coresMilli) && isAlike(memoryMiB) && isAlike(gpuMilli)) end++;
    sizes.push({
      count: end - first,
      coresMilli: coresMilli[first]!,
      memoryMiB: memoryMiB === null ? null : memoryMiB[first]!,
      gpuMilli: gpuMilli === null ? null : gpuMilli[first]!,
    });
    first = end;
  }
  return sizes;
}

/** A list of machines as a farm: one pool, one virtual pool, one site. */
export function farmOfMachines(machines: Machines): Farm {
  const { name } = machines;
  const plain = { speed: 1, owner: null, attributes: {} };
  return {
    name,
    sites: [name],
    transferSeconds: [[0]],
    pools: [
      {
        name,
        site: 0,
        groups: alikeMachines(machines).map((size) => ({ ...size, ...plain })),
        policy: farmDefaults.policy,
        maxJobsList: [],
        intervalSeconds: null,
        reserving: Infinity,
        shares: null,
      },
    ],
    virtualPools: [{ name, site: 0, pools: [0], routing: farmDefaults.routing, viewAgeSeconds: 0 }],
    preemption: { keepsMemory: true, victim: farmDefaults.victim },
    rescheduling: {
      strategy: farmDefaults.strategy,
      waitThresholdSeconds: farmDefaults.waitThresholdSeconds,
      maxRestarts: Infinity,
      checkSeconds: farmDefaults.checkSeconds,
      checkpointSeconds: null,
    },
  };
}
