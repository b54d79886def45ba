import type { MachineTasks } from "../jobs/placements.ts";
import {
  findPolicy,
  Jobs,
  NONE,
  Pool,
  type Capacities,
  type JobRequest,
  type PoolSettings,
} from "../index.ts";
import type { Ineligible } from "../machines/eligibility.ts";

/** One core and no memory by default. Cores and GPUs in thousandths, memory in MiB. */
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
  /** MiB; if no machine has any, memory is not considered. */
  readonly memory?: number;
  /** Thousandths of a GPU; if no machine has any, GPUs are not considered. */
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

/** A pool under the policy with this name. */
export function aPool(
  policy: string,
  capacities: Capacities,
  settings: Partial<PoolSettings> = {},
): DrivenPool {
  const named = findPolicy(policy);
  if (named === undefined) throw new Error(`no policy ${policy}`);
  const { kind, heuristic } = named;
  return new DrivenPool({
    jobs: new Jobs(),
    capacities,
    policy: kind,
    heuristic,
    ...settings,
  });
}

/** A pool without an engine: jobs come and go as a test says. */
export class DrivenPool extends Pool {
  ineligible(request: JobRequest): Ineligible | null {
    return this.eligibility.reason(request);
  }

  /** Adds a job to the queue. Returns its handle. */
  submit(request: JobRequest): number {
    const job = this.jobs.add(request);
    this.wait(job);
    return job;
  }

  /** A running job has ended. Its handle is void. */
  finish(job: number, now = 0): void {
    this.release(job, now);
    this.jobs.remove(job);
  }

  /**
   * A job that was to start could not. It waits again in its old place.
   *
   * @param machine the machine to blame, which the job avoids until `until`; `NONE` if none is
   */
  refuse(job: number, machine = NONE, until = 0): void {
    this.release(job, 0);
    if (machine !== NONE) this.allowed.exclude(job, machine, until);
    this.wait(job);
  }

  /** A waiting job leaves. Its handle is void. */
  cancel(job: number): void {
    this.leave(job);
    this.jobs.remove(job);
  }
}

/** A started job's placement: machines and tasks on them, in order of placement. */
export function placementOf(pool: Pool, job: number): MachineTasks[] {
  const entries: MachineTasks[] = [];
  const { placements } = pool;
  for (let entry = pool.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
    entries.push({ machine: placements.machineOf(entry), tasks: placements.tasksOf(entry) });
  return entries;
}

/** The jobs that the last cycle started. */
export function startedOf(pool: Pool): number[] {
  return Array.from(pool.started.subarray(0, pool.startedCount));
}
