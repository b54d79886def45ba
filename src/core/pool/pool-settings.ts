import type { BookingSettings } from "../bookings/bookings.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { LicenceSettings } from "../licences/licences.ts";
import type { Limits } from "../limits/limits.ts";
import type { MachineGroups } from "../machines/machine-groups.ts";
import type { Capacities } from "../machines/machine-state.ts";
import type { Heuristic } from "../matching/heuristic.ts";
import type { PackingSettings } from "../packing/settings.ts";
import type { UsageSettings } from "../queue/decayed-use.ts";
import type { ShareTree } from "../queue/share-tree.ts";
import type { WaitQueue } from "../queue/wait-queue.ts";
import type { PolicyKind } from "./policy.ts";
import type { LeastFree } from "./reserved-machines.ts";

/** What a pool is made of, and how its cycles run. */
export interface PoolSettings {
  readonly capacities: Capacities;
  readonly policy: PolicyKind;
  readonly heuristic: Heuristic;
  /** The heuristics that jobs can name, by number. */
  readonly named?: readonly Heuristic[];
  /** The share tree for fair share; absent: order of arrival. */
  readonly shares?: ShareTree;
  /** Fair share by what was used. Absent: by the cores in use now. */
  readonly usage?: UsageSettings;
  /** The largest number of waiting jobs examined in a cycle. Absent: all. */
  readonly examined?: number;
  /** The number of examined jobs, from the first, that may reserve. Absent: all; 0: none. */
  readonly reserving?: number;
  /** A machine with fewer free cores or less free memory takes no reservation. */
  readonly leastFree?: LeastFree;
  /** Seconds between cycles. Absent, or 0: they follow events. */
  readonly intervalSeconds?: number;
  /** How the jobs of families are packed. Absent: there are no families. */
  readonly packing?: PackingSettings;
  /** Searches every machine instead of the indexes, for comparison with the definition. */
  readonly plainScan?: boolean;
  /** The table that all pools share. */
  readonly jobs: Jobs;
  /** The order of waiting jobs. Absent: arrival, or fair share. */
  readonly queue?: WaitQueue;
  /** What requirements can ask about the machines. Absent: there are no requirements. */
  readonly groups?: MachineGroups;
  /**
   * Thousandths of a GPU that a job gets at a time: 1000 if only whole ones are given, less if each is shared in parts of
   * this size. Absent: any amount.
   */
  readonly gpuPart?: number;
  /** The pool's licences. Absent: no job asks for any. */
  readonly licences?: LicenceSettings;
  /** What may run at a time in all pools together. Absent: there are no limits. */
  readonly limits?: Limits;
  /** Machines that are kept for some people for a time. Absent: none ever is. */
  readonly bookings?: BookingSettings;
  /** Nothing is known of its machines yet: jobs that they might hold wait at their virtual pools. Absent: they are known. */
  readonly isUnknown?: true;
}
