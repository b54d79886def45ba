import type { EngineJobs } from "../jobs/engine-jobs.ts";
import type { PoolViews } from "../routing/pool-views.ts";
import type { UnassignedJobs } from "../routing/unassigned-jobs.ts";
import type { Claims } from "./claims.ts";
import type { DecisionQueue } from "./decisions.ts";
import type { Faults } from "./faults.ts";
import type { PoolManager } from "./pool-manager.ts";

/** The state of an engine that its parts work on together. */
export interface SharedState {
  readonly engineJobs: EngineJobs;
  readonly pools: readonly PoolManager[];
  readonly views: PoolViews;
  readonly unassigned: UnassignedJobs;
  readonly claims: Claims;
  readonly faults: Faults;
  readonly decisions: DecisionQueue;
  /** The seconds of a transfer from one site to another. */
  readonly transferSeconds: readonly (readonly number[])[];
}

/** A part of an engine: it works on the state that all parts share. */
export abstract class EnginePart {
  protected readonly engineJobs: EngineJobs;
  protected readonly pools: readonly PoolManager[];
  protected readonly views: PoolViews;
  protected readonly unassigned: UnassignedJobs;
  protected readonly claims: Claims;
  protected readonly faults: Faults;
  protected readonly decisions: DecisionQueue;
  protected readonly transferSeconds: readonly (readonly number[])[];

  constructor(state: SharedState) {
    this.engineJobs = state.engineJobs;
    this.pools = state.pools;
    this.views = state.views;
    this.unassigned = state.unassigned;
    this.claims = state.claims;
    this.faults = state.faults;
    this.decisions = state.decisions;
    this.transferSeconds = state.transferSeconds;
  }
}
