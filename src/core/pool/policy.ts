import type { Bookings } from "../bookings/bookings.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Licences } from "../licences/licences.ts";
import type { Placements } from "../jobs/placements.ts";
import type { WaitingKinds } from "../jobs/waiting-kinds.ts";
import type { AllowedMachines } from "../machines/allowed-machines.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type { Heuristic } from "../matching/heuristic.ts";
import type { FamilyMachines } from "../packing/family-machines.ts";
import type { WaitQueue } from "../queue/wait-queue.ts";
import type { CycleNotes } from "../reasons/cycle-notes.ts";
import type { DelayName } from "../reasons/reason.ts";
import type { Placer } from "./placer.ts";
import type { Chooser } from "./search.ts";
import type { Plan } from "./plan.ts";
import type { Reservations } from "./reservations.ts";

export interface PassLimits {
  /** The largest number of waiting jobs examined. */
  readonly examined: number;
  /** The number of examined jobs, from the first, that may reserve. */
  readonly reserving: number;
}

/** What a pool gives to its policy. */
export interface PolicyContext {
  readonly machines: MachineState;
  /** The machines that each job may use. */
  readonly allowed: AllowedMachines;
  /** The machines that are reserved for families; null if none ever is. */
  readonly reserving: FamilyMachines | null;
  /** The machines of each family; null without packing. */
  readonly packing: FamilyMachines | null;
  /** Null if no job asks for any. The placer takes them, and refuses a job whose licences are in use. */
  readonly licences: Licences | null;
  /** Null if no machine is ever booked. The placer keeps jobs off those that are not for them. */
  readonly bookings: Bookings | null;
  readonly jobs: Jobs;
  readonly placements: Placements;
  readonly queue: WaitQueue;
  readonly waitingKinds: WaitingKinds;
  readonly placer: Placer;
  readonly reservations: Reservations;
  readonly limits: PassLimits;
  /** Seconds between cycles; 0: they follow events. */
  readonly intervalSeconds: number;
  /** Takes notes on why jobs wait. */
  readonly notes: CycleNotes;
  chooser(heuristic: Heuristic): Chooser;
}

/** The promises that a policy makes to waiting jobs. */
export interface PromiseView {
  /** The first time that a job was promised; NaN if none is known. Kept until after the job has started. */
  firstSeconds(job: number): number;
  /** What moved a job behind that which has just started later; null: it is not known. Absent: it never is. */
  delayOf?(job: number): DelayName | null;
  /** How many jobs started later than they were first promised, by what moved them: those reasons that occurred. */
  broken(): ReadonlyMap<DelayName, number>;
}

/**
 * What a policy's decisions depend on beside the jobs and machines, as columns of numbers. Jobs are referred to by their
 * place in the snapshot.
 */
export type PolicyState = Readonly<Record<string, Float64Array>>;

/** How a job comes to take resources outside of a plan: it took another's place, resumed, or ran and will for longer. */
export type Joining = "started" | "resumed" | "longer";

/** Decides which waiting jobs start in a cycle, and on which machines. */
export interface Policy {
  /**
   * Fills the plan. The plan's resources have been taken when it returns; the pool then moves the plan's jobs from
   * waiting to running.
   *
   * @param now seconds; constant within a cycle
   */
  cycle(now: number, plan: Plan): void;
  /** A job begins to wait: it was submitted, could not be started, or its start was undone in the same cycle. */
  waits?(job: number): void;
  /** A job stops waiting: it was in a plan, or was cancelled. */
  leaves?(job: number): void;
  /** A job of an earlier plan gives its resources back: it has ended, or could not be started. */
  finished?(job: number): void;
  /**
   * A running job is suspended. It gives its cores back and keeps its licences, and with `keepsMemory` its memory and
   * GPUs, until `suspensionEnds`. Absent: `finished` is called instead.
   */
  suspended?(job: number, keepsMemory: boolean): void;
  /** A suspended job is about to resume, or to leave its machines. */
  suspensionEnds?(job: number): void;
  /** A job takes resources without having been in a plan of this policy. */
  joined?(job: number, now: number, how: Joining): void;
  /** When a cycle may decide differently though no job was submitted or ended; absent: never. */
  readonly nextChange?: number;
  /** Absent if the policy keeps nothing from one cycle to the next but what saves time. */
  save?(placeOf: (job: number) => number): PolicyState;
  /** Restores what was saved, when the jobs wait and run again. The handle of each is its place. */
  load?(state: PolicyState): void;
  /** Absent if the policy promises nothing. */
  readonly promised?: PromiseView;
  /** For Max-Jobs and its like: which members of its list reached the maximum in the last cycle, by position in the list. */
  readonly winners?: { readonly names: readonly string[]; readonly won: Uint8Array };
}

/** An entry in the registry of policies. */
export interface PolicyKind {
  readonly name: string;
  readonly summary: string;
  /** Whether `name/HEURISTIC` is accepted; without a heuristic it is first-fit. */
  readonly takesHeuristic: boolean;
  /** Whether the policy plans with run times. */
  readonly needsEstimates: boolean;
  /** Whether the run times that it plans with are predictions, whatever the log's estimates say; absent: they are not. */
  readonly plansOnPredictions?: boolean;
  /** Whether machines must have memory: see `Heuristic.needsMemory`. */
  readonly needsMemory: boolean;
  /** Whether the policy is meant to run after every event rather than at intervals, as backfilling is. */
  readonly reactsToEvents: boolean;
  /** Whether the policy observes the limits of a pass. A plugin's policy that does not say is assumed to. */
  readonly heedsLimits?: boolean;
  /**
   * Whether the policy may run where jobs ask for licences, or machines are booked. Not if it promises times to jobs without knowing when
   * licences will be free, or when machines are booked. A plugin's policy that does not say is assumed to.
   */
  readonly heedsLicences?: boolean;
  /** For policies that try a list of heuristics: the same with another list. */
  withList?(list: readonly Heuristic[]): PolicyKind;
  create(context: PolicyContext, heuristic: Heuristic): Policy;
}
