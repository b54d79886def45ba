import { findPolicy, NONE, Pool, type Capacities, type JobRequest, type PoolSettings } from "../index.ts";

/** One core and no memory, unless told otherwise; cores and GPUs in thousandths, memory in MiB. */
export function aJob(request: Partial<JobRequest> = {}): JobRequest {
  return {
    cores: 1000,
    memory: 0,
    gpu: 0,
    tasks: 1,
    project: 0,
    heuristic: NONE,
    estimateSeconds: 60,
    ...request,
  };
}

export interface MachineSpec {
  /** Thousandths of a core. */
  readonly cores: number;
  /** MiB; where no machine tells, memory is not considered. */
  readonly memory?: number;
  /** Thousandths of a GPU; where no machine tells, GPUs are not considered. */
  readonly gpu?: number;
}

export function someMachines(...specs: readonly MachineSpec[]): Capacities & { readonly count: number } {
  const column = (name: "memory" | "gpu"): Int32Array | null =>
    specs.some((spec) => spec[name] !== undefined) ? Int32Array.from(specs, (spec) => spec[name] ?? 0) : null;
  return {
    count: specs.length,
    coresMilli: Int32Array.from(specs, ({ cores }) => cores),
    memoryMiB: column("memory"),
    gpuMilli: column("gpu"),
  };
}

export function equalMachines(count: number, spec: MachineSpec): ReturnType<typeof someMachines> {
  return someMachines(...Array.from({ length: count }, () => spec));
}

/** A pool under the policy that people call by this name. */
export function aPool(policy: string, capacities: Capacities, settings: Partial<PoolSettings> = {}): Pool {
  const named = findPolicy(policy);
  if (named === undefined) throw new Error(`no policy ${policy}`);
  const { kind, heuristic } = named;
  return new Pool({ capacities, policy: kind, heuristic, ...settings });
}

/** Where a started job's tasks are: machines and tasks on them, in order of placement. */
export function placementOf(pool: Pool, job: number): { machine: number; tasks: number }[] {
  const entries: { machine: number; tasks: number }[] = [];
  const { machine, tasks, next } = pool.placements;
  for (let entry = pool.jobs.placement[job]; entry !== NONE; entry = next[entry])
    entries.push({ machine: machine[entry], tasks: tasks[entry] });
  return entries;
}

/** The jobs that the last cycle started. */
export function startedOf(pool: Pool): number[] {
  return Array.from(pool.started.subarray(0, pool.startedCount));
}
