import { askedLicences, type Machines, type Workload } from "../../src/workload/index.ts";

export interface Amounts {
  cores: number;
  memory: number;
  gpu: number;
}

export interface Machine {
  readonly capacity: Amounts;
  free: Amounts;
  isReserved: boolean;
  /** Packed jobs that have reached it, first to last, and those of them that run there. */
  readonly reached: Job[];
  readonly packed: Set<Job>;
}

export interface Job extends Amounts {
  readonly row: number;
  readonly submit: number;
  readonly runtime: number;
  readonly tasks: number;
  /** The parts of the path of its project. */
  readonly project: readonly string[];
  /** The heuristic it names, or none. */
  readonly heuristic: string;
  /** The queue it is packed with, or none. */
  readonly family: string;
  /** The licences that it asks for, by name. */
  readonly licences: ReadonlyMap<string, number>;
  start: number;
  /** The machine of each task while it runs. */
  ranOn: number[];
  end: number;
}

export function machinesOf(farm: Machines): Machine[] {
  return Array.from({ length: farm.count }, (_, machine) => {
    const capacity = {
      cores: farm.coresMilli[machine],
      memory: farm.memoryMiB?.[machine] ?? 0,
      gpu: farm.gpuMilli?.[machine] ?? 0,
    };
    return { capacity, free: { ...capacity }, isReserved: false, reached: [], packed: new Set<Job>() };
  });
}

export function jobsOf(workload: Workload, farm: Machines, families: readonly string[] = []): Job[] {
  const { project, policy, queue, licences } = workload;
  return Array.from({ length: workload.count }, (_, row) => ({
    row,
    submit: workload.submitSeconds[row],
    runtime: workload.runtimeSeconds[row],
    cores: workload.coresMilli[row],
    memory: farm.memoryMiB === null ? 0 : (workload.memoryMiB?.[row] ?? 0),
    gpu: farm.gpuMilli === null ? 0 : (workload.gpuMilli?.[row] ?? 0),
    tasks: workload.tasks?.[row] ?? 1,
    project:
      project === null ? [] : project.names[project.codes[row]].split("/").filter((part) => part !== ""),
    heuristic: policy === null ? "" : policy.names[policy.codes[row]],
    family: families.find((name) => name === queue?.names[queue.codes[row]]) ?? "",
    licences: askedLicences(licences === undefined ? "" : licences.names[licences.codes[row]]),
    start: NaN,
    ranOn: [],
    end: Infinity,
  }));
}

export function timesWithin(have: Amounts, job: Amounts): number {
  const times = (have: number, asked: number): number => (asked === 0 ? Infinity : Math.floor(have / asked));
  return Math.min(times(have.cores, job.cores), times(have.memory, job.memory), times(have.gpu, job.gpu));
}

/** Starts a task of the job on the machine. */
export function take({ free, reached, packed }: Machine, job: Job): void {
  if (job.family !== "") {
    reached.push(job);
    packed.add(job);
  }
  free.cores -= job.cores;
  free.memory -= job.memory;
  free.gpu -= job.gpu;
}

/** Takes off a job that has not started after all. */
export function unplace(machines: readonly Machine[], job: Job): void {
  release(machines, job);
  if (job.family !== "") for (const machine of job.ranOn) machines[machine].reached.pop();
}

/** Gives back what the job holds on its machines. */
export function release(machines: readonly Machine[], job: Job): void {
  for (const machine of job.ranOn) {
    const { free, packed } = machines[machine];
    packed.delete(job);
    free.cores += job.cores;
    free.memory += job.memory;
    free.gpu += job.gpu;
  }
}
