import type { Heuristic, PolicyKind, Share, UsageSettings } from "../../core/index.ts";
import type { PackingChoice } from "./families.ts";
import type { FailureSettings } from "./failure-settings.ts";

/**
 * Where backfilling takes the expected run times from: the log, the true run times, predictions from the user's earlier
 * jobs, or the true run times a factor.
 */
export type Estimates = "log" | "exact" | "predicted" | number;

/** A policy's name (`mix-fit`, `max-jobs`, `easy/mix-fit`), or a heuristic or policy of one's own. */
export type PolicyChoice = string | Heuristic | PolicyKind;

/** The watts of one node: with nothing to do, and with all cores busy; in between by the cores in use. */
export interface NodePower {
  readonly idleWatts: number;
  readonly busyWatts: number;
}

/** How a run is made. Everything has a default; see `defaultSettings`. */
export interface SimulationSettings {
  /** Null: each pool's own. */
  readonly policy: PolicyChoice | null;
  /** A rescheduling strategy's name; null: the farm's own. */
  readonly strategy: string | null;
  /** The routing of every virtual pool; null: each its own. */
  readonly routing: string | null;
  /** Of the random numbers that strategies and failures draw. */
  readonly seed: number;
  /** Machines that fail; null: none does. */
  readonly failures: FailureSettings | null;
  /** Whether the result tells each pool's figures and course over time. */
  readonly poolDetail: boolean;
  /** Max-Jobs' list, in the order that breaks its ties. */
  readonly maxJobsList: readonly string[];
  /** Arrival times, since the log's start, are multiplied by this. */
  readonly beta: number;
  /** Offered load to reach by choosing beta; null: `beta` holds. */
  readonly load: number | null;
  /** Seconds between cycles; 0: after every instant at which something happened; null: the policy's own. */
  readonly intervalSeconds: number | null;
  readonly estimates: Estimates;
  /** `instant`: all events of an instant, then one cycle. `single`: events one at a time: see `runSingleEvents`. */
  readonly eventOrder: "instant" | "single";
  /** Fair share over the workload's projects; shares not named are 1. Null: each pool's own, or plain arrival order. */
  readonly fairShare: readonly Share[] | null;
  /** With `fairShare`: by what projects have used, which decays. Null: by the cores that they use now. */
  readonly usage: UsageSettings | null;
  /** Waiting jobs examined a cycle, at most. */
  readonly examined: number;
  /** Only the first so many jobs examined in a cycle may reserve; 0: no reservations; null: each pool's own. */
  readonly reserving: number | null;
  /** A machine with fewer free cores (thousandths) or less free memory (MiB) takes no reservation. */
  readonly leastFree: { readonly cores: number; readonly memory: number };
  /** Jobs submitted in the first or last so many seconds are left out of the figures. */
  readonly warmupSeconds: number;
  readonly cooldownSeconds: number;
  /** Which families of jobs are kept together, and how; null: none. */
  readonly packing: PackingChoice | null;
  /** `time`: jobs come when the log says. `order`: one after the other, as the farm takes them: see `runOrder`. */
  readonly clock: "time" | "order";
  /** Jobs that wait at a time under the order-driven clock; null: as many as there are nodes. Only with that clock. */
  readonly queuedJobs: number | null;
  /** What a node draws; null: energy is not considered. Only with packing. */
  readonly power: NodePower | null;
  /** Whether the result has pictures of the farm. Only with packing. */
  readonly pictures: boolean;
  /** Policies that share nodes in parts: seconds without progress after a pause and resume, or a move. */
  readonly penaltySeconds: number;
  /** Seconds between their periods: `/per`. */
  readonly periodSeconds: number;
  /** The virtual time under which a job is not moved: `/MVT`. */
  readonly minimumVirtualSeconds: number;
  /** The time since submission under which a job is not moved: `/MFT`. */
  readonly minimumFlowSeconds: number;
  /** Speeds of the nodes, in order, as parts of the fastest kind's; null: all are alike. */
  readonly nodeSpeeds: readonly number[] | null;
  /** A node's memory, for the bandwidth of pauses and moves; null: what the machines have, else 8. */
  readonly nodeMemoryGiB: number | null;
  /** Search every machine instead of the indexes. */
  readonly plainScan: boolean;
}

export const defaultSettings: SimulationSettings = {
  policy: null,
  strategy: null,
  routing: null,
  seed: 1,
  failures: null,
  poolDetail: false,
  maxJobsList: [],
  beta: 1,
  load: null,
  intervalSeconds: null,
  estimates: "log",
  eventOrder: "instant",
  fairShare: null,
  usage: null,
  examined: Infinity,
  reserving: null,
  leastFree: { cores: 0, memory: 0 },
  warmupSeconds: 0,
  cooldownSeconds: 0,
  packing: null,
  clock: "time",
  queuedJobs: null,
  power: null,
  pictures: false,
  penaltySeconds: 0,
  periodSeconds: 600,
  minimumVirtualSeconds: 600,
  minimumFlowSeconds: 600,
  nodeSpeeds: null,
  nodeMemoryGiB: null,
  plainScan: false,
};

/** A pool's cycle unless told otherwise (Shai 2014, section 6). */
export const CYCLE_SECONDS = 30;
