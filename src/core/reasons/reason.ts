import type { Booking } from "../bookings/bookings.ts";
import type { LicenceShortage } from "../licences/licences.ts";
import type { LimitExcess } from "../limits/limits.ts";

/**
 * Why a cycle did not start a waiting job, as data: jobs by handle, machines by number, amounts in thousandths of a
 * core, MiB and thousandths of a GPU. It is noted as the cycle decides, so it describes the machines as they were at
 * the job's turn, without the room that jobs before it had just been given.
 */
export interface WaitReason {
  readonly machines: MachineCounts;
  /** The licences of which too few are free. While there are any, no machine would let the job start. */
  readonly licences: readonly LicenceShortage[];
  /** The limits that it would exceed; the same holds of them. */
  readonly limits: readonly LimitExcess[];
  /**
   * Running jobs of lower rank, on machines that meet its requirement, that could have been suspended for it but for one
   * thing: they are not to be for now, since that has failed or they are spared.
   */
  readonly spared: number;
  /** The policy's own reason. Null: there was no room or no licence, and that was the only reason. */
  readonly rule: WaitRule | null;
  /** The jobs that the cycle passed by before it came to this one: the first few, and their number. */
  readonly ahead: readonly number[];
  readonly aheadCount: number;
  /** The jobs that the cycle started, in order: so many of them before this one's turn. */
  readonly started: readonly number[];
  readonly startedBefore: number;
}

/** The machines of the pool by why the job cannot use them. Each counts once, under the first reason that holds. */
export interface MachineCounts {
  /** They do not meet its requirement: their number, by group of machines. */
  readonly unsuitable: ReadonlyMap<number, number>;
  /** They could not hold one of its tasks even if nobody used any of them. */
  readonly tooSmall: number;
  /** They are drained or down; the first few of them. */
  readonly outOfService: number;
  readonly firstOutOfService: readonly number[];
  /** The job could not start there a short while ago. */
  readonly refusing: number;
  /** They are reserved for another family. */
  readonly keptForFamilies: number;
  /** They are booked for others, before the job would end; and by which bookings how many, from the first that begins. */
  readonly booked: number;
  readonly bookedBy: readonly (readonly [Booking, number])[];
  /** They lack free cores, memory or GPUs. `nearest` is the one that lacks least, or null if there is none. */
  readonly tooFull: number;
  readonly nearest: Shortage | null;
  /** They have room: for this many of its tasks in all. */
  readonly withRoom: number;
  readonly tasksWithRoom: number;
  /** The same by groups of machines that are alike, in the order in which the pool first has one. */
  readonly groups: readonly GroupCounts[];
}

/** The machines of a group by why the job cannot use them. */
export interface GroupCounts {
  readonly group: number;
  /** One of them. */
  readonly first: number;
  unsuitable: number;
  tooSmall: number;
  outOfService: number;
  refusing: number;
  keptForFamilies: number;
  booked: number;
  tooFull: number;
  nearest: Shortage | null;
  withRoom: number;
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
  /** It would delay the first waiting job, which is expected to start at this time; null if that is not known. */
  | { readonly kind: "would delay"; readonly job: number; readonly startSeconds: number | null }
  /** It holds a promise for a later time. */
  | PromisedStart
  /** It would delay jobs that hold promises: the first few of them, their number, and when the first is to start. */
  | {
      readonly kind: "would delay promises";
      readonly jobs: readonly number[];
      readonly count: number;
      readonly startSeconds: number | null;
    }
  /** A cycle examines this many jobs, and it is not among them. */
  | { readonly kind: "not examined"; readonly examined: number };

/** What may move a job behind the time that it was first promised. */
export type DelayName =
  | "overrun"
  | "machine lost"
  | "higher rank"
  | "resumed"
  | "late cycle"
  | "refused"
  | "relaxed"
  | "above limit";

/** What a job waits for if nobody can say when it starts. */
export type Awaited =
  /** Jobs whose end is not known. */
  | { readonly kind: "jobs" }
  /** Too few machines take jobs to hold it. Those that could and do not: the first few, and their number; 0: they refused it. */
  | { readonly kind: "machines"; readonly machines: readonly number[]; readonly count: number };

/** What a waiting job is promised. */
export interface PromisedStart {
  readonly kind: "promised";
  /** Null: it is not known. */
  readonly startSeconds: number | null;
  /** Why it is not known; null: it is. */
  readonly awaits: Awaited | null;
  /** What it was promised first; null: none that is known. */
  readonly firstSeconds: number | null;
  /** Null: any that have room then. */
  readonly machines: readonly number[] | null;
  /** What moved the promise behind the first; null: it is not later. */
  readonly delay: DelayName | null;
}

/** Receives the reasons for what becomes of some jobs. Nothing in the engine depends on it. */
export interface ReasonSink {
  /** The jobs to give reasons for, by handle. */
  readonly jobs: ReadonlySet<number>;
  /** A cycle of a pool is over, and one of these jobs still waits there. */
  waits(job: number, pool: number, reason: WaitReason, now: number): void;
  /** One of these jobs waits at its virtual pool, since none of these pools, its candidates, has room for it. */
  waitsForPool(job: number, pools: readonly number[], now: number): void;
  /** A cycle has suspended a job, any job, in favour of another. */
  suspended(job: number, pool: number, by: number, now: number): void;
}
