import type { EngineJobs } from "../jobs/engine-jobs.ts";
import type { OwnedGroups } from "../machines/machine-groups.ts";
import type { Pool } from "./pool.ts";

/** What the parts of a pool's manager work on together. */
export interface ManagedPool {
  readonly jobs: EngineJobs;
  readonly pool: Pool;
  readonly number: number;
  readonly groups: OwnedGroups;
  /** Whether jobs that are suspended from now on keep their memory: see `EngineJobs.keepsMemory`. */
  readonly keepsMemory: boolean;
}

/** A part of a pool's manager. */
export abstract class PoolPart {
  protected readonly jobs: EngineJobs;
  protected readonly pool: Pool;
  protected readonly number: number;
  protected readonly groups: OwnedGroups;
  protected readonly keepsMemory: boolean;

  constructor(managed: ManagedPool) {
    this.jobs = managed.jobs;
    this.pool = managed.pool;
    this.number = managed.number;
    this.groups = managed.groups;
    this.keepsMemory = managed.keepsMemory;
  }
}
