import type { MachineFacts, WorkloadFacts } from "../report/index.ts";
import { offeredLoad } from "../simulation/index.ts";
import type { Machines, Workload } from "../workload/index.ts";

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
