import type { JobRequest } from "../jobs/jobs.ts";
import type { Ineligible } from "../machines/eligibility.ts";
import type { VictimRule } from "../preemption/victim-rule.ts";
import type { Strategy } from "../rescheduling/strategy.ts";
import type { VirtualPoolSettings } from "../routing/virtual-pool.ts";
import type { PoolManagerSettings } from "./pool-manager.ts";

/** What the engine is made of. */
export interface EngineSettings {
  readonly pools: readonly PoolManagerSettings[];
  readonly virtualPools: readonly VirtualPoolSettings[];
  /** Seconds from site to site. */
  readonly transferSeconds: readonly (readonly number[])[];
  /** Lists of pools that jobs name, by the number they name them with; null: any. */
  readonly candidateLists: readonly (readonly number[] | null)[];
  /** Jobs' priorities are below this; a higher one is more urgent. */
  readonly priorities: number;
  /** Which job is suspended for one of higher rank; null: none is. */
  readonly victimRule: VictimRule | null;
  readonly strategy: Strategy;
  /** A job that has waited longer in a pool may be moved. */
  readonly waitThresholdSeconds: number;
  /** How often waiting jobs are reconsidered. */
  readonly rebalanceSeconds: number;
  /** A job is moved at most so often. */
  readonly maxRestarts: number;
  /** A whole number from 0 to below, of a seeded generator. */
  readonly random: (below: number) => number;
  readonly faults?: Partial<FaultSettings>;
}

/** What is done when decisions fail. */
export interface FaultSettings {
  /** For so long a job does not try a machine on which it could not start, and a failed suspension is not repeated. */
  readonly retrySeconds: number;
  /** A machine on which so many starts in a row have failed is drained. */
  readonly maxStartFailures: number;
}

export const defaultFaults: FaultSettings = { retrySeconds: 300, maxStartFailures: 5 };

/** What a job asks for. */
export interface EngineJobRequest extends JobRequest {
  virtualPool: number;
  /** Number of its list of candidate pools. */
  candidates: number;
  priority: number;
  /** How often it starts again after it was lost with its machine; 0, or absent: never. */
  retries?: number;
}

/** Why no pool takes a job: none of those it names is connected, or none of them could hold it. */
export interface Rejection {
  readonly pools: readonly { readonly pool: number; readonly reason: Ineligible }[];
}
