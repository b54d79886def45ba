import type { Jobs } from "../jobs/jobs.ts";
import type { MachineGroups } from "../machines/machine-groups.ts";
import type { Capacities } from "../machines/machine-state.ts";
import type { Heuristic } from "../matching/heuristic.ts";
import type { PackingSettings } from "../packing/settings.ts";
import type { ShareTree } from "../queue/share-tree.ts";
import type { WaitQueue } from "../queue/wait-queue.ts";
import type { PolicyKind } from "./policy.ts";
import type { LeastFree } from "./reserved-machines.ts";

/** What a pool is made of, and how its cycle goes. */
export interface PoolSettings {
  readonly capacities: Capacities;
  readonly policy: PolicyKind;
  readonly heuristic: Heuristic;
  /** Heuristics that jobs can name, by the number they name them with. */
  readonly named?: readonly Heuristic[];
  /** Fair share over this tree; without one, plain arrival order. */
  readonly shares?: ShareTree;
  /** Waiting jobs examined a cycle, at most; all unless told otherwise. */
  readonly examined?: number;
  /** Only the first so many jobs examined may reserve; all unless told otherwise, 0 for none. */
  readonly reserving?: number;
  /** A machine with less free takes no reservation. */
  readonly leastFree?: LeastFree;
  /** Keeps the jobs of families together; without it there are no families. */
  readonly packing?: PackingSettings;
  /** Search every machine instead of the indexes: the definition, for comparison. */
  readonly plainScan?: boolean;
  /** The table that all pools share. */
  readonly jobs: Jobs;
  /** The order of waiting jobs; arrival, or fair share, unless given. */
  readonly queue?: WaitQueue;
  /** What requirements can ask about the machines; without it there are no requirements. */
  readonly groups?: MachineGroups;
}
