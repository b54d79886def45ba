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
  /** Seconds of a transfer from one site to another: `transferSeconds[from][to]`, 0 on the diagonal. */
  readonly transferSeconds: readonly (readonly number[])[];
  readonly pools: readonly PhysicalPool[];
  readonly virtualPools: readonly VirtualPool[];
  readonly preemption: PreemptionRule;
  readonly rescheduling: ReschedulingRule;
  /** What a live farm's users may ask for beyond the default; absent if the file does not say. */
  readonly userGroups?: readonly UserGroup[];
  /** By which users of a live farm have themselves told what becomes of their jobs; absent: there are none. */
  readonly channels?: readonly Channel[];
  /** The most that a live farm keeps of what a job prints, in each of its two streams; absent: the default. */
  readonly outputMiB?: number;
  /** How long after its month a job of a live farm stays in the database, with what it printed; absent: the default. */
  readonly retentionSeconds?: number;
  /** What jobs that count together may have at a time; absent: there are no limits. */
  readonly limits?: readonly FarmLimit[];
  /** Machines that are kept for some people for a time; absent: none are. */
  readonly reservations?: readonly FarmReservation[];
}

/** What is told about a job, as JSON, to a program at its standard input, or to an address by POST. */
export type Channel =
  | { readonly name: string; readonly kind: "command"; readonly command: readonly string[] }
  | { readonly name: string; readonly kind: "webhook"; readonly url: string };

/** Machines of a pool that are kept for some people for a time; for nobody if it names none. */
export interface FarmReservation {
  readonly name: string;
  readonly pool: number;
  /** By name; so many, the first of the pool; null: all of it. */
  readonly machines: readonly string[] | number | null;
  readonly from: FarmTime;
  /** How long it is. */
  readonly seconds: number;
  readonly users: readonly string[];
  /** Those that jobs name. */
  readonly groups: readonly string[];
  /** Each with those below it. */
  readonly projects: readonly string[];
  /** Null: not told. */
  readonly reason: string | null;
}

/** A date, or a time since a log's first job. */
export interface FarmTime {
  readonly since: "1970" | "log";
  readonly seconds: number;
}

/** What the jobs of a user, a group or a project may have at a time. Null: no limit. */
export interface FarmLimit {
  readonly of: "user" | "group" | "project";
  /** Null: each that no other limit of its kind names. */
  readonly name: string | null;
  readonly runningJobs: number | null;
  readonly runningCores: number | null;
  /** Of a live farm: jobs that wait or are held. */
  readonly waitingJobs: number | null;
  /** Of a live farm: the jobs of one submission. */
  readonly jobsAtOnce: number | null;
  /** Of a live farm: what is stored of jobs that wait or are held. Absent: no limit. */
  readonly storedMiB?: number;
}

export const groupRoles = ["user", "operator", "admin"] as const;
export type GroupRole = (typeof groupRoles)[number];

/** Users of a live farm, and what they may ask for. */
export interface UserGroup {
  /** The group whose machines its users' jobs come first on, if it owns any. */
  readonly name: string;
  readonly users: readonly string[];
  /** The members of these Unix groups belong to it as well. */
  readonly unixGroups: readonly string[];
  /** The highest priority of their jobs; null: the default. */
  readonly maxPriority: number | null;
  /** The projects, each with those below it, that their jobs may count against. */
  readonly projects: readonly string[];
  /** What those may who come in by sockets of their own; absent: what any user may. */
  readonly role?: GroupRole;
}

/** Takes jobs from users at its site and sends each to a pool it is connected to. */
export interface VirtualPool {
  readonly name: string;
  readonly site: number;
  /** The physical pools that it can send jobs to, in the order of the file. */
  readonly pools: readonly number[];
  /** A registered routing: `round-robin`, `utilization`, … */
  readonly routing: string;
  /** The age in seconds of the pools' states that it knows; 0: they are current. */
  readonly viewAgeSeconds: number;
  /** Whether jobs wait here while no candidate pool has room for them; otherwise they wait in a pool. */
  readonly hasQueue: boolean;
}

/** The machines and the queue of one Physical Pool Manager. */
export interface PhysicalPool {
  readonly name: string;
  readonly site: number;
  /** Empty if a live farm's engine reports them. */
  readonly groups: readonly MachineGroup[];
  /** What runs its jobs in a live farm; absent if the file does not say. */
  readonly engine?: PoolEngine;
  /** The name of a policy, as for `croft simulate --policy`. */
  readonly policy: string;
  /** The list of heuristics for Max-Jobs; empty: its default, or another policy. */
  readonly maxJobsList: readonly string[];
  /** Seconds between cycles. 0: a cycle at every event; null: the policy's default. */
  readonly intervalSeconds: number | null;
  /** The number of jobs examined in a cycle, from the first, that may reserve; 0 for none, `Infinity` for all. */
  readonly reserving: number;
  /** Fair share among projects, by path; null: off. */
  readonly shares: readonly { readonly path: string; readonly share: number }[] | null;
  /** Fair share by what projects have used; absent: by the cores they use now, or there is none. */
  readonly usage?: FairShareUsage;
  /** How many the pool has of each licence, or of whatever else jobs ask for by name and belongs to no machine. */
  readonly licences?: readonly { readonly name: string; readonly count: number }[];
  /** The GPUs of its machine, of which each job gets its own; absent: the machines tell how many they have, if any. */
  readonly gpus?: PoolGpus;
  /** What a live farm does before and after each job; absent: nothing. */
  readonly hooks?: PoolHooks;
}

/** Programs and folders by their absolute paths; null: none. */
export interface PoolHooks {
  readonly prolog: string | null;
  readonly epilog: string | null;
  /** How long each may take; null: as the engine has it. */
  readonly limitSeconds: number | null;
  /** The folder in which each job has one of its own. */
  readonly scratch: string | null;
}

/** The devices of one machine. */
export interface PoolGpus {
  /** As `CUDA_VISIBLE_DEVICES` takes them; null: the engine finds them. */
  readonly devices: readonly string[] | null;
  /** What jobs ask for by name: the machine's attribute `gpuKind`. Null: found with the devices, or not told. */
  readonly kind: string | null;
  /** So many jobs share a device. 1: each has its own. */
  readonly parts: number;
}

/** Thousandths of a GPU that a job gets at a time. */
export function gpuPartOf({ parts }: PoolGpus): number {
  return Math.floor(1000 / parts);
}

/** The attribute of machines by which jobs ask for a kind of GPU. */
export const GPU_KIND = "gpuKind";

/** What projects have used, as fair share counts it. */
export interface FairShareUsage {
  /** After so many seconds half of what was used counts. */
  readonly halfLifeSeconds: number;
  /** The dominant resource is the one of which a job has the largest part of the pool. */
  readonly of: "cores" | "memory" | "dominant";
}

/** An engine by its registered name, with settings of its own. */
interface PoolEngine {
  readonly kind: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Equal machines. */
export interface MachineGroup {
  readonly count: number;
  /**
   * The names of the machines in the list that they come from, in its order; absent: they are called by their pool's
   * name and a number.
   */
  readonly names?: readonly string[];
  /** Thousandths of a core. */
  readonly coresMilli: number;
  /** Null if memory is not considered. */
  readonly memoryMiB: number | null;
  /** Thousandths of a GPU; null if GPUs are not considered. */
  readonly gpuMilli: number | null;
  /** A job that runs 60 s on a machine of speed 1 takes 60 ÷ speed here. */
  readonly speed: number;
  /** The business group that owns the machines, whose jobs come first here; null: no owner. */
  readonly owner: string | null;
  /** The attributes that requirement expressions can use, beside those that `machineAttributes` adds. */
  readonly attributes: MachineAttributes;
}

/** The values of a machine's attributes, by name. */
export type MachineAttributes = Readonly<Record<string, string | number | boolean>>;

/** All attributes that requirement expressions can use for a group's machines, including `cores` and `memory` (MiB). */
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
  /** It gives up its cores; its memory and GPUs are kept, as a stopped process does, or given up as well. */
  readonly keepsMemory: boolean;
  /** A registered rule that chooses the job to suspend; null: no job is suspended. */
  readonly victim: string | null;
}

export interface ReschedulingRule {
  /** A registered strategy: `NoRes`, `ResSusUtil`, … */
  readonly strategy: string;
  /** A job that has waited longer than this in a pool may be moved. */
  readonly waitThresholdSeconds: number;
  /** How often waiting jobs are checked. */
  readonly checkSeconds: number;
  /** The largest number of restarts of a job; `Infinity`: no limit. */
  readonly maxRestarts: number;
  /** The pools where jobs may be restarted that name none; null: those where they may first be sent. */
  readonly candidates: readonly number[] | null;
  /** A restart loses only what came after the last checkpoint. Null: jobs write no checkpoints. */
  readonly checkpointSeconds: number | null;
}
