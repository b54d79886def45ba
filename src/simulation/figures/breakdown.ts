import { jobNumberOf, type Farm, type Workload } from "../../workload/index.ts";
import type { Ledger } from "../run/ledger.ts";
import { meanMinutes, type RunTimes, type TimeSums } from "./time-sums.ts";

/** The largest number of groups, and of pools, that are listed. */
const MAX_PARTS = 100;

/**
 * Figures of a part of a run's jobs, such as those of one priority. They show what an owner's burst of urgent jobs
 * does to everybody else. Means are over the jobs that ran; null if none did.
 */
export interface PartFigures {
  /** Jobs submitted within the measured time. */
  readonly jobs: number;
  /** The part of the jobs that were suspended at least once, 0 to 1. */
  readonly suspendRate: number;
  /** Transfer included. */
  readonly waitMeanMinutes: number | null;
  /** From submission to completion. */
  readonly completionMeanMinutes: number | null;
  /** Time spent suspended, over the jobs that were suspended; null if none was. */
  readonly suspendedMeanMinutes: number | null;
  /** The part of the completion time without progress: waiting, suspended, or run and lost. */
  readonly wastedMeanMinutes: number | null;
  /** Of `wastedMeanMinutes`: time spent suspended. */
  readonly wastedSuspendMinutes: number | null;
  /** The same of the job with the most: a mean over a whole log hides what a short burst does. */
  readonly wastedMaxMinutes: number | null;
}

/** A job that was suspended for long. */
interface LongSuspension {
  /** The log's own number of the job. */
  readonly job: number;
  /** Absent where the log tells no groups; empty: of none. */
  readonly group?: string;
  /** Absent where all have the same. */
  readonly priority?: number;
  /** How long it runs on a machine of speed 1. */
  readonly runtimeSeconds: number;
  readonly suspendedSeconds: number;
  /** Where it ran last. */
  readonly pool: string;
  /** How often it was suspended. */
  readonly suspensions: number;
}

/** The figures of a run by priority, by group and by pool. A list that would have a single entry is absent. */
export interface Breakdown {
  /** The most urgent first. */
  readonly byPriority?: readonly ({ readonly priority: number } & PartFigures)[];
  /** The largest first; jobs of no group under the empty name. */
  readonly byGroup?: readonly ({ readonly group: string } & PartFigures)[];
  /** By the pool where a job ran last, in the farm's order. */
  readonly byPool?: readonly ({ readonly pool: string } & PartFigures)[];
  /** The longest first; absent where no job was suspended. */
  readonly longestSuspended?: readonly LongSuspension[];
}

export function breakdown(times: RunTimes, workload: Workload, farm: Farm, ledger: Ledger): Breakdown {
  const { group } = workload;
  const { byPriority, byPool, longestSuspended } = times;
  const groups = times.byGroup
    .map((sums, code) => ({ group: group!.names[code], ...partFigures(sums) }))
    .filter(({ jobs }) => jobs > 0);
  return {
    ...(byPriority.size < 2
      ? {}
      : {
          byPriority: [...byPriority]
            .sort(([a], [b]) => b - a)
            .map(([priority, sums]) => ({ priority, ...partFigures(sums) })),
        }),
    ...(groups.length < 2
      ? {}
      : {
          byGroup: groups.sort((a, b) => b.jobs - a.jobs || (a.group < b.group ? -1 : 1)).slice(0, MAX_PARTS),
        }),
    ...(byPool.length < 2
      ? {}
      : {
          byPool: byPool
            .map((sums, pool) => ({ pool: farm.pools[pool].name, ...partFigures(sums) }))
            .slice(0, MAX_PARTS),
        }),
    ...(longestSuspended.length === 0
      ? {}
      : {
          longestSuspended: longestSuspended.map(({ row, seconds }) => ({
            job: jobNumberOf(workload, row),
            ...(group === null ? {} : { group: group.names[group.codes[row]] }),
            ...(byPriority.size < 2 ? {} : { priority: workload.priority![row] }),
            runtimeSeconds: ledger.runtimeSeconds[row],
            suspendedSeconds: seconds,
            pool: farm.pools[ledger.poolOf === null ? 0 : ledger.poolOf[row]].name,
            suspensions: ledger.timesOf(row)!.suspensions,
          })),
        }),
  };
}

function partFigures(sums: TimeSums): PartFigures {
  return {
    jobs: sums.jobs,
    suspendRate: sums.jobs === 0 ? 0 : sums.suspendedJobs / sums.jobs,
    waitMeanMinutes: sums.meanMinutes(sums.waitingWithTransfer),
    completionMeanMinutes: sums.meanMinutes(sums.completion),
    suspendedMeanMinutes: meanMinutes(sums.suspended, sums.suspendedJobs),
    wastedMeanMinutes: sums.meanMinutes(sums.wasted),
    wastedSuspendMinutes: sums.meanMinutes(sums.suspended),
    wastedMaxMinutes: sums.completed === 0 ? null : sums.wastedMax / 60,
  };
}
