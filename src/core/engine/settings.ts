import type { LimitSettings } from "../limits/limits.ts";
import type { JobRequest } from "../jobs/jobs.ts";
import type { KindRequest } from "../jobs/request-kinds.ts";
import type { Ineligible } from "../machines/eligibility.ts";
import type { VictimRule } from "../preemption/victim-rule.ts";
import type { ReschedulerSettings } from "../rescheduling/rescheduler.ts";
import type { PoolLists, VirtualPoolSettings } from "../routing/virtual-pool.ts";
import type { PoolManagerSettings } from "./pool-manager.ts";

/** What the engine is made of. */
export interface EngineSettings extends ReschedulerSettings {
  readonly pools: readonly PoolManagerSettings[];
  readonly virtualPools: readonly VirtualPoolSettings[];
  /** The seconds of a transfer from one site to another. */
  readonly transferSeconds: readonly (readonly number[])[];
  /** Where jobs may go, by the number they name it with. */
  readonly candidateLists: readonly PoolLists[];
  /** The number of priorities: all are below it. A higher priority is more urgent. */
  readonly priorities: number;
  /** The rule that chooses the job to suspend for one of higher rank; null: no job is suspended. */
  readonly victimRule: VictimRule | null;
  /** A whole number from 0 to below the argument, from a seeded generator. */
  readonly random: (below: number) => number;
  readonly faults?: Partial<FaultSettings>;
  /** What may run at a time of those that count together. Absent: there are no limits. */
  readonly limits?: LimitSettings;
}

/** What to do when decisions fail. */
export interface FaultSettings {
  /** For this long a job avoids a machine on which it could not start, and a failed suspension is not repeated. */
  readonly retrySeconds: number;
  /** A machine is drained after this many failed starts in a row. */
  readonly maxStartFailures: number;
}

export const defaultFaults: FaultSettings = { retrySeconds: 300, maxStartFailures: 5 };

/** What a job asks for. */
export interface EngineJobRequest extends JobRequest {
  virtualPool: number;
  /** The number of its list of candidate pools. */
  candidates: number;
  priority: number;
  /** How often it starts again after it was lost with its machine. Absent: never. */
  retries?: number;
}

/** What a user changes of a waiting job. */
export interface JobChange {
  readonly priority?: number | undefined;
  readonly estimateSeconds?: number | undefined;
  readonly size?: Partial<KindRequest> | undefined;
  readonly place?: Pick<EngineJobRequest, "virtualPool" | "candidates"> | undefined;
}

/** Why no pool takes a job: none of its candidate pools is connected, or none could hold it. */
export interface Rejection {
  readonly pools: readonly { readonly pool: number; readonly reason: Ineligible }[];
}
