import type { MachineTasks } from "../jobs/placements.ts";
import type { Booking } from "../bookings/bookings.ts";
import type { MachineCapacity } from "../machines/machine-state.ts";
import type { Fault } from "../engine/outcomes.ts";
import type { PlainDecision } from "./decisions.ts";
import type { EngineJobRequest, Rejection } from "../engine/settings.ts";

/**
 * All events, each a small object that JSON can hold. Drivers report them to a `Port`; a journal keeps them, and a replay
 * reads them.
 * - `at`: seconds on the driver's clock. Time never goes back: an earlier time counts as the latest one so far.
 * - `job`: the number of the job. Whoever submits the job gives it. Numbers are 1 or more and ascend, so that none is
 *   ever used again and a late event about a job that is over finds nothing. Second attempts made by a strategy are
 *   numbered by the port, downwards from -1.
 * - `attempt`: the start of the job that the event is about, as its START gave it; 1 is the first.
 * - `decision`: the number of the decision that the event answers.
 *
 * A driver that reports each event once, at once and in order, such as the simulator, may name jobs by the engine's
 * handles (`Port`). It leaves out attempts, decisions and the number of a submitted job, its time may go back, and it
 * may use one object again for every event of a type.
 * - `pool`, `machine`: indexes in the settings, from 0; machines are counted in each pool.
 */
export type EngineEvent =
  | UserEvent
  | OutcomeEvent
  | MachineEvent
  | MachineCapacityEvent
  | BookingEvent
  | Tick;

interface AboutJob {
  readonly at: number;
  readonly job: number;
}

interface AboutAttempt extends AboutJob {
  readonly attempt?: number;
}

interface AboutMachine {
  readonly at: number;
  readonly pool: number;
  readonly machine: number;
}

/** Requests of users. */
export type UserEvent =
  | (AboutJob & { readonly type: "submitted"; readonly request: PlainRequest })
  /**
   * A job that is new to the engine runs on machines already, by the decision of somebody else or of a former engine.
   * This is its first attempt, and its estimate is the time that is left. It is ignored where it does not fit into what
   * is free. The machines need not meet its requirement or be in service, and may be kept for others.
   */
  | (AboutJob & {
      readonly type: "found";
      readonly request: PlainRequest;
      readonly pool: number;
      /** As many tasks as the request has. */
      readonly placement: readonly MachineTasks[];
    })
  /**
   * Hold: a waiting job leaves the queue. Release: a held job goes back to its place in it. Cancel: the job is to end.
   */
  | (AboutJob & { readonly type: "held" | "released" | "cancelled" })
  /** Somebody wants to know why a job waits: its pool has a cycle as if something had happened, and tells its sink. */
  | (AboutJob & { readonly type: "asked" })
  | (AboutJob & {
      readonly type: "changed";
      readonly priority?: number;
      /** The new estimate of the whole run time, in seconds; null if it is unknown. */
      readonly estimateSeconds?: number | null;
      /**
       * What each of its tasks asks for from now on: see `KindRequest`. That is ignored where no machine of its pool, or
       * of the pools that it may now go to, could hold it; and if a second attempt was made.
       */
      readonly cores?: number;
      readonly memory?: number;
      readonly gpu?: number;
      readonly requirement?: number;
      /**
       * Where it may go from now on: see `EngineJobRequest`; both are given, or none. The job leaves its pool if that is
       * not among them: MOVE tells where it went, unless it waits at the virtual pool. A held job stays held, and no
       * decision tells where. This is ignored if a second attempt was made.
       */
      readonly virtualPool?: number;
      readonly candidates?: number;
    });

/** What a job asks for: see `EngineJobRequest`. An unknown run time is null. */
export type PlainRequest = Readonly<EngineJobRequest>;

/** Outcomes of decisions, and ends of attempts. */
export type OutcomeEvent =
  /** The job has reached the pool that MOVE or DUPLICATE sent it to. */
  | (AboutJob & { readonly type: "arrived"; readonly decision?: number })
  | (AboutAttempt & {
      readonly type: "started" | "suspended" | "suspendFailed" | "resumed" | "resumeFailed" | "killed";
      readonly decision?: number;
    })
  | (AboutAttempt & {
      readonly type: "startFailed";
      readonly decision?: number;
      /** The machine of the attempt on which it failed. */
      readonly machine: number;
      readonly fault: Fault;
    })
  /** A running job is expected to end at another time than its estimate says. */
  | (AboutJob & { readonly type: "expected"; readonly until: number })
  /** A running job is not to be suspended, nor ended, for others before this time. */
  | (AboutAttempt & { readonly type: "spared"; readonly until: number })
  /** Exited: the attempt ended by itself. Lost: it is gone without having ended. */
  | (AboutAttempt & { readonly type: "exited" | "lost" });

export interface MachineEvent extends AboutMachine {
  readonly type: "machineUp" | "machineDown" | "machineDrained" | "machineUndrained" | "machineRemoved";
}

/**
 * A machine joins its pool, with the number of one that was removed or the next one; or it has another capacity or
 * other attributes from now on. `group` is the number of the machines that are alike to requirements and owners, in
 * the pool's settings; amounts are thousandths of a core, MiB and thousandths of a GPU.
 */
export interface MachineCapacityEvent extends AboutMachine, MachineCapacity {
  readonly type: "machineAdded" | "machineChanged";
  readonly group: number;
}

/** Machines of a pool are kept for some people for a time, or that is taken back: see `Booking`. */
export type BookingEvent =
  | { readonly type: "booked"; readonly at: number; readonly pool: number; readonly booking: Booking }
  | { readonly type: "unbooked"; readonly at: number; readonly pool: number; readonly booking: number };

/** Time has passed: runs the cycles, moves and retries that are due. */
export interface Tick {
  readonly type: "tick";
  readonly at: number;
}

/** The engine's answer to an event, with the decisions that follow from it at once. */
export type Answer =
  | { readonly answer: "taken"; readonly decisions: readonly PlainDecision[] }
  /** Nothing changed. `why` is one of the numbers in `ignored.ts`. */
  | {
      readonly answer: "ignored";
      readonly why: number;
      readonly text: string;
      readonly decisions: readonly [];
    }
  | { readonly answer: "rejected"; readonly reason: Rejection; readonly decisions: readonly [] };
