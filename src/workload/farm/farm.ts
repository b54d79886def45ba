/**
 * A farm as its file describes it: sites, the virtual pools where users submit,
 * the physical pools that those send jobs to, and the rules between them
 * (Zhang 2010, section 2). Names have been resolved to numbers, defaults filled in.
 *
 * A list of machines is a farm of one pool, one virtual pool and one site.
 */
export interface Farm {
  readonly name: string;
  readonly sites: readonly string[];
  /** Seconds that a job takes from site to site: `transferSeconds[from][to]`, 0 on the diagonal. */
  readonly transferSeconds: readonly (readonly number[])[];
  readonly pools: readonly PhysicalPool[];
  readonly virtualPools: readonly VirtualPool[];
  readonly preemption: PreemptionRule;
  readonly rescheduling: ReschedulingRule;
}

/** Takes jobs from users at its site and sends each to a pool it is connected to. */
export interface VirtualPool {
  readonly name: string;
  readonly site: number;
  /** The physical pools it can send to, in the order of the file. */
  readonly pools: readonly number[];
  /** A registered routing: `round-robin`, `utilization`, … */
  readonly routing: string;
  /** It knows a pool's state as it was so many seconds ago; 0: as it is. */
  readonly viewAgeSeconds: number;
}

/** The machines and the queue of one Physical Pool Manager. */
export interface PhysicalPool {
  readonly name: string;
  readonly site: number;
  /** Empty where a live farm's engine tells them. */
  readonly groups: readonly MachineGroup[];
  /** What runs its jobs in a live farm; absent: the file does not say. */
  readonly engine?: PoolEngine;
  /** A policy's name as `croft simulate --policy` takes it. */
  readonly policy: string;
  /** The list of Max-Jobs; empty: its default, or another policy. */
  readonly maxJobsList: readonly string[];
  /** Seconds between cycles; 0: at every event; null: the policy's own. */
  readonly intervalSeconds: number | null;
  /** Only the first so many jobs examined in a cycle may reserve; 0 for none, `Infinity` for all. */
  readonly reserving: number;
  /** Fair share among projects, by path; null: off. */
  readonly shares: readonly { readonly path: string; readonly share: number }[] | null;
}

/** An engine by its registered name, with settings of its own. */
export interface PoolEngine {
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Equal machines. */
export interface MachineGroup {
  readonly count: number;
  /** What a list calls its machines, in its order; absent: they go by their pool's name and a number. */
  readonly names?: readonly string[];
  /** Thousandths of a core. */
  readonly coresMilli: number;
  /** Null: memory is not considered. */
  readonly memoryMiB: number | null;
  /** Thousandths of a GPU; null: GPUs are not considered. */
  readonly gpuMilli: number | null;
  /** A job that runs 60 s on a machine of speed 1 takes 60 ÷ speed here. */
  readonly speed: number;
  /** The business group whose jobs come first here; null: nobody's. */
  readonly owner: string | null;
  /** What requirement expressions can ask about, beside what `machineAttributes` adds. */
  readonly attributes: MachineAttributes;
}

/** What a machine says of itself, by attribute. */
export type MachineAttributes = Readonly<Record<string, string | number | boolean>>;

/** All that requirement expressions can ask of a group's machines: `cores` and `memory` (MiB) as well. */
export function machineAttributes(group: MachineGroup): MachineAttributes {
  const { coresMilli, memoryMiB, gpuMilli, speed, owner, attributes } = group;
  return {
    ...attributes,
    cores: coresMilli / 1000,
    ...(memoryMiB === null ? {} : { memory: memoryMiB }),
    ...(gpuMilli === null ? {} : { gpus: gpuMilli / 1000 }),
    speed,
    ...(owner === null ? {} : { owner }),
  };
}

export interface PreemptionRule {
  /** What a suspended job keeps: `cores` are given up, memory is kept (a stopped process) or given up as well. */
  readonly keepsMemory: boolean;
  /** A registered rule that chooses the job to suspend; null: nobody is suspended. */
  readonly victim: string | null;
}

export interface ReschedulingRule {
  /** A registered strategy: `NoRes`, `ResSusUtil`, … */
  readonly strategy: string;
  /** A job that has waited longer in a pool may be moved. */
  readonly waitThresholdSeconds: number;
  /** How often waiting jobs are looked at. */
  readonly checkSeconds: number;
  /** A job is restarted at most so often; `Infinity`: no cap. */
  readonly maxRestarts: number;
  /** A restart loses only what came after the last checkpoint; null: jobs have none. */
  readonly checkpointSeconds: number | null;
}
