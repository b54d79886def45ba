import type { ArrivalFacts, MachineFacts, MachineUse, WorkloadFacts } from "../report/index.ts";
import { offeredLoad } from "../simulation/index.ts";
import { machinesUsed, submissions, type Farm, type Machines, type Workload } from "../workload/index.ts";

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

/** Where the log says that its jobs ran; undefined where it does not, and the machines are given. */
export function machineUse(
  workload: Workload,
  machines: Machines,
  isInferred: boolean,
): MachineUse | undefined {
  const used = machinesUsed(workload);
  if (used === null && !isInferred) return undefined;
  return { isInferred, machines: machines.count, ...used };
}

/** How jobs come, with times as `--from` and `--to` take them. */
export function arrivalFacts(workload: Workload): ArrivalFacts | undefined {
  const found = submissions(workload);
  if (found === null) return undefined;
  const { longestGap: gap, spanSeconds, headSeconds, headUntilSeconds, days, daysWithJobs } = found;
  const start = workload.farm?.unixStartSeconds;
  const timeText = (seconds: number): string =>
    start === undefined
      ? String(Math.round(seconds))
      : `${new Date(Math.round(start + seconds) * 1000).toISOString().slice(0, "2013-11-05T10:00:00".length)}Z`;
  return {
    spanSeconds,
    headSeconds,
    head: timeText(headUntilSeconds),
    days,
    daysWithJobs,
    longestGap:
      gap === null
        ? null
        : {
            seconds: gap.untilSeconds - gap.fromSeconds,
            from: timeText(gap.fromSeconds),
            until: timeText(gap.untilSeconds),
            isLaterLarger: gap.isLaterLarger,
          },
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
