import type { Jobs } from "../jobs/jobs.ts";
import type { Placements } from "../jobs/placements.ts";
import type { WaitingKinds } from "../jobs/waiting-kinds.ts";
import type { AllowedMachines } from "../machines/allowed-machines.ts";
import type { MachineState } from "../machines/machine-state.ts";
import type { Heuristic } from "../matching/heuristic.ts";
import type { WaitQueue } from "../queue/wait-queue.ts";
import type { CycleNotes } from "../reasons/cycle-notes.ts";
import type { Placer } from "./placer.ts";
import type { Chooser } from "./search.ts";
import type { Plan } from "./plan.ts";
import type { Reservations } from "./reservations.ts";

export interface PassLimits {
  /** Waiting jobs looked at, at most. */
  readonly examined: number;
  /** Only the first so many jobs looked at may reserve. */
  readonly reserving: number;
}

/** What a pool gives a policy to decide with. */
export interface PolicyContext {
  readonly machines: MachineState;
  /** Which of them each job may use. */
  readonly allowed: AllowedMachines;
  readonly jobs: Jobs;
  readonly placements: Placements;
  readonly queue: WaitQueue;
  readonly waitingKinds: WaitingKinds;
  readonly placer: Placer;
  readonly reservations: Reservations;
  readonly limits: PassLimits;
  /** Takes the reasons for what the policy decides. */
  readonly notes: CycleNotes;
  chooser(heuristic: Heuristic): Chooser;
}

/** Which waiting jobs start in a cycle, and on which machines. */
export interface Policy {
  /**
   * Decides. The plan's resources are taken when it returns; the pool then moves
   * the plan's jobs from waiting to running.
   *
   * @param now seconds; the clock stands still within a cycle
   */
  cycle(now: number, plan: Plan): void;
  /** A job begins to wait: it was submitted, or could not be started. */
  waits?(job: number): void;
  /** A job waits no more: a plan had it, or it was taken back. */
  leaves?(job: number): void;
  /** A job that a plan had holds its resources no more: it has ended, or could not be started. */
  finished?(job: number): void;
  /** A job holds resources though no plan of this policy had it: it goes on after a suspension, or took another's place. */
  joined?(job: number, now: number): void;
  /** Max-Jobs: which members of its list reached the maximum in the last cycle, by place in the list. */
  readonly winners?: { readonly names: readonly string[]; readonly won: Uint8Array };
}

/** An entry of the registry of policies. */
export interface PolicyKind {
  readonly name: string;
  readonly summary: string;
  /** Whether `name/HEURISTIC` is understood; without one it is first-fit. */
  readonly takesHeuristic: boolean;
  /** Whether it plans with run times. */
  readonly needsEstimates: boolean;
  /** Whether memory must be known: see `Heuristic.needsMemory`. */
  readonly needsMemory: boolean;
  /** Whether it is made to run after every event rather than at intervals, as backfilling is. */
  readonly reactsToEvents: boolean;
  /** Whether it heeds the limits of a pass; a policy of a plugin that does not say so is taken to. */
  readonly heedsLimits?: boolean;
  create(context: PolicyContext, heuristic: Heuristic): Policy;
}
