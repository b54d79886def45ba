import type { Machines } from "../machines/machines.ts";
import { farmDefaults } from "./defaults.ts";
import type { Farm, MachineGroup } from "./farm.ts";

/** How many equal machines are next to each other in a list. */
type AlikeMachines = Pick<MachineGroup, "count" | "coresMilli" | "memoryMiB" | "gpuMilli" | "attributes">;

/** A list of machines as groups, in the list's order: neighbours of one size and one set of attributes form a group. */
export function alikeMachines(machines: Machines): AlikeMachines[] {
  const { count, coresMilli, memoryMiB, gpuMilli, attributes } = machines;
  const groups: AlikeMachines[] = [];
  for (let first = 0; first < count;) {
    let end = first + 1;
    const isAlike = (column: Int32Array | null | undefined): boolean =>
      column === null || column === undefined || column[end] === column[first];
    while (
      end < count &&
      isAlike(coresMilli) &&
      isAlike(memoryMiB) &&
      isAlike(gpuMilli) &&
      isAlike(attributes?.codes)
    )
      end++;
    groups.push({
      count: end - first,
      coresMilli: coresMilli[first]!,
      memoryMiB: memoryMiB === null ? null : memoryMiB[first]!,
      gpuMilli: gpuMilli === null ? null : gpuMilli[first]!,
      attributes: attributes === undefined ? {} : attributes.sets[attributes.codes[first]!]!,
    });
    first = end;
  }
  return groups;
}

/** A list of machines as a farm: one pool, one virtual pool, one site. */
export function farmOfMachines(machines: Machines): Farm {
  const { name } = machines;
  return {
    name,
    sites: [name],
    transferSeconds: [[0]],
    pools: [
      {
        name,
        site: 0,
        groups: alikeMachines(machines).map((alike) => ({ ...alike, speed: 1, owner: null })),
        policy: farmDefaults.policy,
        maxJobsList: [],
        intervalSeconds: null,
        reserving: Infinity,
        shares: null,
      },
    ],
    virtualPools: [
      { name, site: 0, pools: [0], routing: farmDefaults.routing, viewAgeSeconds: 0, hasQueue: false },
    ],
    preemption: { keepsMemory: true, victim: farmDefaults.victim },
    rescheduling: {
      strategy: farmDefaults.strategy,
      waitThresholdSeconds: farmDefaults.waitThresholdSeconds,
      maxRestarts: Infinity,
      checkSeconds: farmDefaults.checkSeconds,
      candidates: null,
      checkpointSeconds: null,
    },
  };
}
