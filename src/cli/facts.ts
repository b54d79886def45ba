import type { MachineFacts, WorkloadFacts } from "../report/index.ts";
import { offeredLoad } from "../simulation/index.ts";
import type { Farm, Machines, Workload } from "../workload/index.ts";

/** What `--json` and the report tell of the workload. */
export function workloadFacts(workload: Workload, machines: Machines): WorkloadFacts {
  const { name, synthetic, count, submitSeconds, notes } = workload;
  return {
    name,
    synthetic,
    jobs: count,
    spanSeconds: count === 0 ? 0 : submitSeconds[count - 1]! - submitSeconds[0]!,
    offeredLoad: offeredLoad(workload, machines),
    notes,
  };
}

export function machineFacts({ name, count, coresMilli, memoryMiB }: Machines): MachineFacts {
  const sum = (amounts: Int32Array): number => amounts.reduce((total, amount) => total + amount, 0);
  return {
    name,
    count,
    coresMilli: sum(coresMilli),
    memoryMiB: memoryMiB === null ? null : sum(memoryMiB),
  };
}

/** What `--json` tells of a farm of pools. */
export function farmFacts({ name, sites, pools, virtualPools }: Farm, machines: Machines): object {
  return {
    name,
    sites: sites.length,
    virtualPools: virtualPools.length,
    pools: pools.length,
    machines: machines.count,
    cores: machines.coresMilli.reduce((sum, cores) => sum + cores, 0) / 1000,
  };
}
