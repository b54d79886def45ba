/**
 * Why a cycle passed a waiting job by, as data: jobs by handle, machines by number, amounts in thousandths of a core,
 * MiB and thousandths of a GPU. It is noted as the cycle decides, so it tells the machines as they were at the job's
 * turn, with what jobs before it had just been given taken off.
 */
export interface WaitReason {
  readonly machines: MachineCounts;
  /** What the policy has to say beyond that; null: there was no room, and nothing else stood in the way. */
  readonly rule: WaitRule | null;
  /** Jobs that the cycle passed by before it came to this one: the first few, and how many. */
  readonly ahead: readonly number[];
  readonly aheadCount: number;
}

/** The machines of the pool by what keeps the job off; each counts once, where the first of these holds. */
export interface MachineCounts {
  /** They do not meet its requirement: how many, by group of machines. */
  readonly unsuitable: ReadonlyMap<number, number>;
  /** They could not hold one of its tasks when empty. */
  readonly tooSmall: number;
  /** They are drained or down. */
  readonly outOfService: number;
  /** It could not start there a short while ago. */
  readonly refusing: number;
  /** They are reserved to another family. */
  readonly keptForFamilies: number;
  /** They lack free cores, memory or GPUs; of them the one that lacks least, or null where there is none. */
  readonly tooFull: number;
  readonly nearest: Shortage | null;
  /** They have room, for so many of its tasks in all. */
  readonly withRoom: number;
  readonly tasksWithRoom: number;
}

export interface Shortage {
  readonly machine: number;
  readonly cores: number;
  readonly memory: number;
  readonly gpu: number;
}

export type WaitRule =
  /** The machines with room are reserved in this cycle for jobs before it. */
  | { readonly kind: "reserved" }
  /** The queue is served in order, and this job has no room. */
  | { readonly kind: "behind"; readonly job: number }
  /** It would delay the first waiting job, which is expected to start then; null: at a time that is not known. */
  | { readonly kind: "would delay"; readonly job: number; readonly startSeconds: number | null }
  /** The times promised to jobs before it leave it none now. */
  | { readonly kind: "promised later" }
  /** A cycle looks at so many jobs, and it is not among them. */
  | { readonly kind: "not examined"; readonly examined: number };

/** Is told the reasons for what becomes of some jobs. Nothing depends on it. */
export interface ReasonSink {
  /** The jobs that are asked about, by handle. */
  readonly jobs: ReadonlySet<number>;
  /** A cycle of a pool is over, and the job still waits there. */
  waits(job: number, pool: number, reason: WaitReason, now: number): void;
  /** A cycle has suspended the job in favour of another. */
  suspended(job: number, pool: number, by: number, now: number): void;
}
