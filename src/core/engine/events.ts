import type { EngineJobRequest, Rejection } from "./settings.ts";
import type { Fault } from "./outcomes.ts";

/**
 * What happened, as plain data: one small object an event, all of it JSON. What a live farm's engine reports, what a
 * journal keeps, and what a replay reads. `EventPort` applies them to an engine.
 *
 * - `at`: seconds on the driver's clock. Time only goes on: an earlier time is taken as the latest one known.
 * - `job`: the number of the job. Whoever submits gives it; numbers are 1 or more and count up, so that none is ever
 *   used again and a late event about a job that is over finds nothing. Second attempts made by a strategy are
 *   numbered by the engine, downwards from -1.
 * - `attempt`: which start of the job it tells about, as its START said; 1 is the first.
 * - `decision`: the number of the decision that it answers.
 * - `pool`, `machine`: places in the settings, from 0; machines are counted in each pool.
 */
export type EngineEvent = UserEvent | OutcomeEvent | MachineEvent | MachineCapacityEvent | Tick;

/** What users wish. */
export type UserEvent =
  | {
      readonly type: "submitted";
      readonly at: number;
      readonly job: number;
      readonly request: PlainRequest;
    }
  /** A waiting job leaves the queue; a held one takes its turn again; a job is taken back. */
  | { readonly type: "held" | "released" | "cancelled"; readonly at: number; readonly job: number }
  | {
      readonly type: "changed";
      readonly at: number;
      readonly job: number;
      readonly priority?: number;
      /** What it is expected to run in all; null: unknown. */
      readonly estimateSeconds?: number | null;
    };

/** What a job asks for: see `EngineJobRequest`, with null for an unknown run time. */
export type PlainRequest = Omit<EngineJobRequest, "estimateSeconds"> & {
  readonly estimateSeconds: number | null;
};

/** What came of decisions, and how attempts end. */
export type OutcomeEvent =
  /** The job has reached the pool that MOVE or DUPLICATE sent it to. */
  | { readonly type: "arrived"; readonly at: number; readonly job: number; readonly decision: number }
  | {
      readonly type: "started" | "suspended" | "suspendFailed" | "resumed" | "resumeFailed" | "killed";
      readonly at: number;
      readonly job: number;
      readonly attempt: number;
      readonly decision: number;
    }
  | {
      readonly type: "startFailed";
      readonly at: number;
      readonly job: number;
      readonly attempt: number;
      readonly decision: number;
      /** The machine of the attempt on which it failed. */
      readonly machine: number;
      readonly fault: Fault;
    }
  /** The attempt came to its own end; or it is over without one. */
  | {
      readonly type: "exited" | "lost";
      readonly at: number;
      readonly job: number;
      readonly attempt: number;
    };

export interface MachineEvent {
  readonly type: "machineUp" | "machineDown" | "machineDrained" | "machineUndrained" | "machineRemoved";
  readonly at: number;
  readonly pool: number;
  readonly machine: number;
}

/**
 * A machine joins its pool, with the number of one that was removed or the next one; or it has another capacity or
 * other attributes from now on. `group` is the number of the machines that are alike to requirements and owners, in
 * the pool's settings; amounts are thousandths of a core, MiB and thousandths of a GPU.
 */
export interface MachineCapacityEvent {
  readonly type: "machineAdded" | "machineChanged";
  readonly at: number;
  readonly pool: number;
  readonly machine: number;
  readonly group: number;
  readonly coresMilli: number;
  readonly memoryMiB: number;
  readonly gpuMilli: number;
}

/** Time has passed: the cycles, looks and retries that are due run. */
export interface Tick {
  readonly type: "tick";
  readonly at: number;
}

/** What the engine says to an event, with what it decided at once. */
export type Answer =
  | { readonly answer: "taken"; readonly decisions: readonly PlainDecision[] }
  /** Nothing changed. `why` is a number of `ignored.ts`. */
  | {
      readonly answer: "ignored";
      readonly why: number;
      readonly text: string;
      readonly decisions: readonly [];
    }
  | { readonly answer: "rejected"; readonly reason: Rejection; readonly decisions: readonly [] };

/**
 * What the engine decided, as plain data. `number` counts up from 1 with every decision; the answer quotes it. What
 * each means and how it is answered is told in `decisions.ts`.
 */
export type PlainDecision =
  | {
      readonly type: "START";
      readonly number: number;
      readonly job: number;
      readonly attempt: number;
      readonly pool: number;
      /** Tasks by machine. */
      readonly placement: readonly { readonly machine: number; readonly tasks: number }[];
    }
  | {
      readonly type: "SUSPEND" | "RESUME";
      readonly number: number;
      readonly job: number;
      readonly attempt: number;
      readonly pool: number;
    }
  | {
      readonly type: "KILL";
      readonly number: number;
      readonly job: number;
      readonly attempt: number;
      readonly pool: number;
      readonly why: KillReason;
    }
  | {
      readonly type: "MOVE";
      readonly number: number;
      readonly job: number;
      /** The pool left; null: it was just submitted. */
      readonly from: number | null;
      readonly pool: number;
      readonly seconds: number;
    }
  | {
      readonly type: "DUPLICATE";
      readonly number: number;
      /** The second attempt's own number. */
      readonly job: number;
      readonly of: number;
      readonly pool: number;
      readonly seconds: number;
    }
  | { readonly type: "CANCEL"; readonly number: number; readonly job: number; readonly by: number }
  | {
      readonly type: "LOST";
      readonly number: number;
      readonly job: number;
      readonly attempt: number;
      readonly pool: number;
      /** Whether the job goes on: it waits again, or is moved. Else it is over. */
      readonly goesOn: boolean;
    }
  | { readonly type: "DRAIN"; readonly number: number; readonly pool: number; readonly machine: number };

export type KillReason = "move" | "preempt" | "cancel" | "twin";
