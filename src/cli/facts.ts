import type { MachineFacts, WorkloadFacts } from "../report/index.ts";
import { offeredLoad } from "../simulation/index.ts";
import type { Farm, Machines, Workload } from "../workload/index.ts";

/** The facts about the workload in `--json` and the report. */
export function workloadFacts(workload: Workload, machines: Machines): WorkloadFacts {
  const { name, synthetic, format, count, submitSeconds, notes, farm } = workload;
  const dropped = notes.filter(({ what }) => what.startsWith("dropped: "));
  return {
    name,
    synthetic,
    ...(format === undefined ? {} : { format }),
    jobs: count,
    dropped: {
      count: dropped.reduce((sum, note) => sum + note.count, 0),
      reasons: dropped.map((note) => ({ ...note, what: note.what.slice("dropped: ".length) })),
    },
    columns: columnsOf(workload),
    spanSeconds: count === 0 ? 0 : submitSeconds[count - 1]! - submitSeconds[0]!,
    offeredLoad: offeredLoad(workload, machines),
    notes,
    ...(farm?.unixStartSeconds === undefined ? {} : { unixStartSeconds: farm.unixStartSeconds }),
  };
}

/** The columns that the log has, by their names in CSV. */
function columnsOf(workload: Workload): string[] {
  const { memoryMiB, gpuMilli, tasks, estimateSeconds, jobNumber, recordedWaitSeconds } = workload;
  const { user, project, group, queue, policy, priority, requires, pools, site } = workload;
  const columns: Readonly<Record<string, unknown>> = {
    job: jobNumber,
    submit: true,
    runtime: true,
    cores: true,
    memory: memoryMiB,
    gpus: gpuMilli,
    tasks,
    estimate: estimateSeconds,
    wait: recordedWaitSeconds,
    user,
    project,
    group,
    queue,
    state: workload.state ?? null,
    nodes: workload.nodes ?? null,
    policy,
    priority,
    requires,
    pools,
    site,
    licences: workload.licences ?? null,
  };
  return Object.keys(columns).filter((name) => columns[name] !== null);
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
