import type { JobRequest } from "../jobs/jobs.ts";
import type { Ineligible } from "../machines/eligibility.ts";
import type { PhysicalPoolSettings, PreemptionSettings } from "./physical-pool.ts";
import type { Strategy } from "./strategies/strategy.ts";
import type { VirtualPoolSettings } from "./virtual-pool.ts";

export interface FarmSettings {
  readonly pools: readonly PhysicalPoolSettings[];
  readonly virtualPools: readonly VirtualPoolSettings[];
  /** Seconds from site to site. */
  readonly transferSeconds: readonly (readonly number[])[];
  /** Lists of pools that jobs name, by the number they name them with; null: any. */
  readonly candidateLists: readonly (readonly number[] | null)[];
  /** Jobs' priorities are below this; a higher one is more urgent. */
  readonly priorities: number;
  /** Null: nobody is suspended. */
  readonly preemption: PreemptionSettings | null;
  readonly strategy: Strategy;
  /** A job that has waited longer in a pool may be moved. */
  readonly waitThresholdSeconds: number;
  /** A job is moved at most so often. */
  readonly maxRestarts: number;
  /** A whole number from 0 to below, of a seeded generator. */
  readonly random: (below: number) => number;
}

/** What a job of a farm asks for. */
export interface FarmJobRequest extends JobRequest {
  virtualPool: number;
  /** Number of its list of candidate pools. */
  candidates: number;
  priority: number;
}

/** Why no pool takes a job: none of those it names is connected, or none of them could hold it. */
export interface FarmRejection {
  readonly pools: readonly { readonly pool: number; readonly reason: Ineligible }[];
}
