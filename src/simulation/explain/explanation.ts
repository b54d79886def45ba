import type { DelayName, UseMeasure } from "../../core/index.ts";
import type { DominantReason } from "./dominant.ts";

/** Why a job started when it did, cycle by cycle, as data; times are the run's, in seconds. */
export interface Explanation {
  /** The log's own number of the job. */
  readonly job: number;
  /** Its place in its array; absent where it is of none. */
  readonly arrayIndex?: number;
  readonly submitSeconds: number;
  readonly runtimeSeconds: number;
  /** Why no pool takes it; absent for a job that ran. */
  readonly rejected?: string;
  /** When it first started, and when it was done; null: never. */
  readonly startSeconds: number | null;
  readonly completedSeconds: number | null;
  /** What became of it, in order and without gaps. */
  readonly steps: readonly Step[];
  /** For what reason it waited, and how that changed. */
  readonly waits: readonly WaitSpan[];
  /** What would have let it start earlier: each was tried in a run of its own. */
  readonly helps: readonly StartIf[];
  /** When it would have first started with the pools' policy replaced; null: never. */
  readonly alternatives: readonly { readonly policy: string; readonly startSeconds: number | null }[];
}

/** A stretch of time in which a job waited for the same reason; the sentence is as it was when that began. */
export interface WaitSpan extends DominantReason {
  readonly attempt: number;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** When a job would have first started had it asked for less. */
export interface StartIf {
  readonly change: {
    readonly cores?: number;
    readonly memoryMiB?: number;
    /** How long it is expected to run. */
    readonly estimateSeconds?: number;
  };
  readonly startSeconds: number;
}

/** A stretch of time in which a job did one thing at one place for the same reasons. */
export interface Step {
  readonly doing: "waiting" | "running" | "suspended" | "in transfer";
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** The pool, or the virtual pool while it waits there. */
  readonly pool: string;
  /** 2 and more: another attempt at the job, made beside the first. */
  readonly attempt: number;
  /** What began this step; absent where the job does the same as before, for other reasons. */
  readonly because?: Cause;
  /** Where it runs, or stays suspended. */
  readonly machines?: readonly string[];
  /**
   * Cycles of the pool that passed it by, and why, as it was at the first of them. At a virtual pool there are reasons
   * and no cycles.
   */
  readonly cycles?: number;
  readonly reasons?: readonly Reason[];
  /** The jobs that waited before it at the first of those cycles, and what they asked for; absent: none did. */
  readonly ahead?: Ahead;
}

/** Jobs that wait before another. */
export interface Ahead {
  readonly jobs: number;
  /** By their estimates. */
  readonly coreHours: number;
  /** How many have none, and are not in the core-hours. */
  readonly withoutLimit: number;
}

export type Cause =
  /** The routing is told where there are pools to choose from. */
  | { readonly kind: "submitted"; readonly routing?: string }
  /** It waited at its virtual pool until the routing chose a pool that had room. */
  | { readonly kind: "assigned"; readonly routing: string }
  | ({ readonly kind: "started" } & Partial<LatePromise>)
  | { readonly kind: "resumed" }
  /** Jobs above it took its machines; why the first of them is above it, where that is known. */
  | { readonly kind: "suspended"; readonly by: readonly number[]; readonly rank?: Rank }
  | {
      readonly kind: "moved";
      readonly from: string;
      readonly strategy: string;
      readonly when: "suspended" | "waited";
    }
  | { readonly kind: "duplicated"; readonly strategy: string }
  /** Its machine failed, or it was ended for a job above it: it starts again. */
  | { readonly kind: "lost" | "killed" }
  | { readonly kind: "arrived" };

/** What a job was promised that started later. */
export interface LatePromise {
  /** What it was promised first. */
  readonly firstSeconds: number;
  /** What moved it behind that; null: its policy does not tell. */
  readonly delay: DelayName | null;
  /** The jobs that moved it; absent where that is not known. */
  readonly by?: readonly number[];
}

/** Why a job was suspended. */
export type Suspension = Extract<Cause, { readonly kind: "suspended" }>;

/** Why one job comes before another. */
export type Rank =
  /** It is of the business group that owns machines there. */
  | { readonly kind: "owner"; readonly group: string }
  /** Its priority is higher. */
  | { readonly kind: "priority"; readonly priority: number; readonly ownPriority: number }
  /** It was submitted earlier. */
  | { readonly kind: "earlier" }
  /** Its project uses, or has used, less for its share. */
  | { readonly kind: "share" };

/** What kept a waiting job from starting in its pool; each machine counts once. */
export type Reason =
  /** Machines that do not meet a part of its requirement. */
  | {
      readonly kind: "requirement";
      readonly machines: number;
      readonly part: string;
      readonly has: string;
    }
  | PlainReason
  /** It asks for more of a licence than is free. */
  | {
      readonly kind: "licence";
      readonly licence: string;
      readonly asked: number;
      readonly inUse: number;
      readonly count: number;
      /** The first jobs that have it, where they are known. */
      readonly by?: readonly number[];
    }
  /** It would be above what its user, group or project may have at a time. Amounts are jobs, or cores. */
  | {
      readonly kind: "limit";
      readonly of: "user" | "group" | "project";
      readonly name: string;
      readonly what: "jobs" | "cores";
      readonly asked: number;
      readonly inUse: number;
      readonly most: number;
    }
  /** It waits at its virtual pool, and none of these pools has room. */
  | { readonly kind: "no pool has room"; readonly pools: readonly string[] }
  /** Machines that lack free cores or memory, and the one that lacks least, with who is on it. */
  | {
      readonly kind: "too full";
      readonly machines: number;
      readonly nearest: Nearest;
    }
  /** Machines with room that the policy keeps free, or that hold too few tasks, with the jobs before it in the queue. */
  | {
      readonly kind: "kept free";
      readonly machines: number;
      readonly tasksWithRoom: number;
      readonly tasks: number;
      readonly before: readonly number[];
      readonly beforeCount: number;
      /** Why the first of them is before it; absent where none is. */
      readonly rank?: Rank;
    }
  /**
   * Jobs that came later were served first, since its project, or the part of the path above it that sets it apart from
   * theirs, has used more for its share.
   */
  | {
      readonly kind: "share used";
      readonly project: string;
      /** What is counted: core-hours, or GiB-hours of memory; of the dominant resource as that part of the cores. */
      readonly of: UseMeasure;
      readonly usedHours: number;
      /** What its share would be of all that was used in the pool. */
      readonly dueHours: number;
      /** The first of those jobs. */
      readonly before: readonly number[];
    }
  /** The queue is served in order, and the first job in it has no room. */
  | { readonly kind: "behind"; readonly job: number }
  /** On machines with room it would delay the first job in the queue, which is expected to start then; null: unknown. */
  | {
      readonly kind: "would delay";
      readonly machines: number;
      readonly job: number;
      readonly startSeconds: number | null;
    }
  /** Its policy promises it to start then. The machines with room now are promised to others. */
  | {
      readonly kind: "promised";
      readonly policy: string;
      readonly machines: number;
      /** Null: that is not known. */
      readonly startSeconds: number | null;
      /** Why it is not known; null: it is. */
      readonly awaits: AwaitedNames | null;
      /** What it was promised first; null: nothing that is known. */
      readonly firstSeconds: number | null;
      /** The machines that it is promised; null: any that have room then. */
      readonly on: readonly string[] | null;
      /** What moved it behind that; null: it is not later. */
      readonly delay: DelayName | null;
      /** The jobs that moved it; absent where that is not known. */
      readonly by?: readonly number[];
    }
  /** On machines with room it would delay so many jobs that hold promises. */
  | {
      readonly kind: "would delay promises";
      readonly machines: number;
      /** The first of them. */
      readonly jobs: readonly number[];
      readonly count: number;
      /** When the first is promised to start; null: that is not known. */
      readonly startSeconds: number | null;
    }
  /** So many machines are kept for others by a reservation, which has begun or will before it ends. */
  | {
      readonly kind: "reserved";
      readonly machines: number;
      readonly reservation: string;
      readonly fromSeconds: number;
      readonly untilSeconds: number;
      readonly hasBegun: boolean;
      /** Whether it is known when the job would end: without a limit it reaches into any that comes. */
      readonly hasLimit: boolean;
    }
  /** Running jobs of lower priority that are not to be suspended for it for now. */
  | { readonly kind: "spared"; readonly jobs: number }
  /** A cycle looks at so many jobs, and it was not among them. */
  | { readonly kind: "not examined"; readonly examined: number };

/** What a job waits for if nobody can say when it starts: jobs whose end is not known, or machines that take no jobs. */
export type AwaitedNames =
  | { readonly kind: "jobs" }
  /** The first few of the machines, and their number; 0: those that could hold it have refused it. */
  | { readonly kind: "machines"; readonly machines: readonly string[]; readonly count: number };

/**
 * Machines that could not hold one of its tasks when empty; that take no jobs; on which it could not start a short
 * while ago; that are reserved to other families.
 */
export interface PlainReason {
  readonly kind: "too small" | "drained" | "refused it" | "other families";
  readonly machines: number;
  /** The first few that take no jobs, and why, where a farm tells it. */
  readonly closed?: readonly ClosedMachine[];
}

/** A machine that takes no jobs. */
export interface ClosedMachine {
  readonly machine: string;
  /** As the operator or the engine says; empty: nobody says. */
  readonly why: string;
}

/** The machine that lacks least, with the jobs on it. */
export interface Nearest {
  readonly machine: string;
  readonly coresShort: number;
  readonly memoryShortMiB: number;
  readonly gpusShort: number;
  /** What its GPUs are; null: it does not tell. */
  readonly gpuKind: string | null;
  readonly running: readonly number[];
  readonly suspended: readonly number[];
}

/** Machines of a pool that are alike to a job, by why it cannot use them: each counts once. */
export interface GroupEvidence {
  readonly machines: number;
  /** One of them. */
  readonly example: string;
  readonly cores: number;
  readonly memoryMiB: number;
  /** The part of the requirement that they do not meet; null: they meet it. */
  readonly unmet: { readonly part: string; readonly has: string } | null;
  readonly tooSmall: number;
  readonly drained: number;
  readonly refused: number;
  readonly otherFamilies: number;
  readonly reserved: number;
  readonly tooFull: number;
  /** Of those that are too full, the one that lacks least; null: none is. */
  readonly nearest: Pick<
    Nearest,
    "machine" | "coresShort" | "memoryShortMiB" | "gpusShort" | "gpuKind"
  > | null;
  readonly withRoom: number;
}
