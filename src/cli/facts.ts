import type { ArrivalFacts, MachineFacts, MachineUse, WorkloadFacts } from "../report/index.ts";
import { offeredLoad } from "../simulation/index.ts";
import {
  machinesUsed,
  placelessShare,
  submissions,
  type Farm,
  type Machines,
  type QueuedWorkload,
  type Workload,
} from "../workload/index.ts";
import { isFarm, machinesOf, type Place } from "./simulate/place.ts";

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

/**
 * Where the log says that its jobs ran, as far as a simulation lets them run elsewhere: of all jobs or, where these go
 * to the machines of their queues, of those of the queue with the most. Undefined where there is nothing to tell.
 *
 * @param log without the requirements that its queues make
 * @param queues how many machines take each queue's jobs; null: jobs do not go by their queues
 */
export function machineUse(
  log: Workload,
  place: Place,
  isInferred: boolean,
  queues: QueuedWorkload["queues"] | null,
): MachineUse | undefined {
  const placeless = isInferred ? placelessShare(log) : 0;
  const told = {
    isInferred,
    machines: machinesOf(place).count,
    ...(placeless === 0 ? {} : { placelessShare: placeless }),
  };
  if (queues !== null) return { ...told, isByQueue: true, ...useOfLargestQueue(log, queues) };
  const isOpen = log.requires === null && !(isFarm(place) && place.pools.length > 1);
  const used = isOpen ? machinesUsed(log) : null;
  return used === null && !isInferred ? undefined : { ...told, ...used };
}

function useOfLargestQueue(
  log: Workload,
  queues: QueuedWorkload["queues"],
): Pick<MachineUse, "queue" | "used" | "busiest"> {
  const { names, codes } = log.queue!;
  const jobs = new Float64Array(names.length);
  for (const code of codes) jobs[code]!++;
  const largest = jobs.indexOf(jobs.reduce((most, each) => Math.max(most, each), 0));
  const queue = queues.find(({ name }) => name === names[largest]);
  // What else its jobs require may keep them from machines of their queue.
  if (queue === undefined || log.requires !== null) return {};
  const used = machinesUsed(log, (row) => codes[row] === largest);
  return used === null ? {} : { queue: { ...queue, jobsShare: jobs[largest]! / log.count }, ...used };
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
