import type { Farm, MachineGroup, PhysicalPool, VirtualPool } from "../../workload/index.ts";

/** Machines of one core without memory, unless told otherwise. */
export function aGroup(group: Partial<MachineGroup> = {}): MachineGroup {
  return {
    count: 1,
    coresMilli: 1000,
    memoryMiB: null,
    gpuMilli: null,
    speed: 1,
    owner: null,
    attributes: {},
    ...group,
  };
}

/** A pool at the first site whose cycles follow every event, unless told otherwise. */
export function aPoolOf(
  name: string,
  groups: readonly Partial<MachineGroup>[],
  pool: Partial<PhysicalPool> = {},
): PhysicalPool {
  return {
    name,
    site: 0,
    groups: groups.map(aGroup),
    policy: "first-fit",
    maxJobsList: [],
    intervalSeconds: 0,
    reserving: Infinity,
    shares: null,
    ...pool,
  };
}

/** One virtual pool over these pools, at one site; jobs that wait for more than half an hour may be moved. */
export function farmOf(
  pools: readonly PhysicalPool[],
  farm: Partial<Omit<Farm, "rescheduling" | "preemption">> & {
    rescheduling?: Partial<Farm["rescheduling"]>;
    preemption?: Partial<Farm["preemption"]>;
    virtualPool?: Partial<VirtualPool>;
  } = {},
): Farm {
  const { rescheduling, preemption, virtualPool, ...rest } = farm;
  return {
    name: "examples",
    sites: ["here"],
    transferSeconds: [[0]],
    pools,
    virtualPools: [
      {
        name: "users",
        site: 0,
        pools: pools.map((_, pool) => pool),
        routing: "round-robin",
        viewAgeSeconds: 0,
        ...virtualPool,
      },
    ],
    preemption: { keepsMemory: true, victim: "lowest-priority", ...preemption },
    rescheduling: {
      strategy: "NoRes",
      waitThresholdSeconds: 1800,
      checkSeconds: 60,
      maxRestarts: Infinity,
      checkpointSeconds: null,
      ...rescheduling,
    },
    ...rest,
  };
}
