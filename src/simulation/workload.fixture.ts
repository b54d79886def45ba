import { someMachines, type MachineSpec } from "../core/pool/pool.fixture.ts";
import type { CodedColumn, Machines, Workload } from "../workload/index.ts";

/** A job to be: at time 0, for 60 s, one core, unless told otherwise. */
export interface JobSpec {
  readonly submit?: number;
  readonly run?: number;
  /** Thousandths of a core a task. */
  readonly cores?: number;
  /** MiB a task; where no job tells, the log says nothing of memory. */
  readonly memory?: number;
  /** Thousandths of a GPU a task; where no job tells, the log says nothing of GPUs. */
  readonly gpu?: number;
  readonly tasks?: number;
  /** Seconds; where no job tells, the log has none. */
  readonly estimate?: number;
  readonly user?: string;
  readonly project?: string;
  readonly queue?: string;
  /** The heuristic that the job names for itself. */
  readonly policy?: string;
  readonly priority?: number;
  readonly requires?: string;
  /** Candidate pools, as `p1; p2`. */
  readonly pools?: string;
  readonly site?: string;
  readonly group?: string;
  /** As `matlab=2; vcs`; where no job tells, none asks for any. */
  readonly licences?: string;
}

type CodedField =
  | "user"
  | "project"
  | "queue"
  | "policy"
  | "requires"
  | "pools"
  | "site"
  | "group"
  | "licences";

/** A workload of these jobs, which are in order of submission. */
export function aWorkload(jobs: readonly JobSpec[], name = "examples"): Workload {
  const integers = (field: "memory" | "gpu" | "tasks" | "priority", missing: number): Int32Array | null =>
    jobs.some((job) => job[field] !== undefined)
      ? Int32Array.from(jobs, (job) => job[field] ?? missing)
      : null;
  const coded = (field: CodedField): CodedColumn | null => {
    if (!jobs.some((job) => job[field] !== undefined)) return null;
    const names = [...new Set(jobs.map((job) => job[field] ?? ""))];
    return { names, codes: Int32Array.from(jobs, (job) => names.indexOf(job[field] ?? "")) };
  };
  const licences = coded("licences");
  return {
    name,
    synthetic: true,
    count: jobs.length,
    submitSeconds: Float64Array.from(jobs, ({ submit }) => submit ?? 0),
    runtimeSeconds: Float64Array.from(jobs, ({ run }) => run ?? 60),
    coresMilli: Int32Array.from(jobs, ({ cores }) => cores ?? 1000),
    memoryMiB: integers("memory", 0),
    gpuMilli: integers("gpu", 0),
    tasks: integers("tasks", 1),
    estimateSeconds: jobs.some(({ estimate }) => estimate !== undefined)
      ? Float64Array.from(jobs, ({ estimate }) => estimate ?? NaN)
      : null,
    jobNumber: null,
    recordedWaitSeconds: null,
    project: coded("project"),
    user: coded("user"),
    queue: coded("queue"),
    policy: coded("policy"),
    priority: integers("priority", 0),
    requires: coded("requires"),
    pools: coded("pools"),
    site: coded("site"),
    group: coded("group"),
    ...(licences === null ? {} : { licences }),
    notes: [],
    farm: null,
  };
}

export function aFarm(specs: readonly MachineSpec[], name = "farm"): Machines {
  return { name, ids: specs.map((_, machine) => `m${machine + 1}`), ...someMachines(...specs) };
}
