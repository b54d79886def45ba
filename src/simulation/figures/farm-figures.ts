import type { Farm } from "../../workload/index.ts";
import type { Breakdown } from "./breakdown.ts";
import { quantiles } from "./quantiles.ts";
import type { Ledger } from "../run/ledger.ts";
import { meanMinutes, type RunTimes } from "./time-sums.ts";

/** The quantiles at which the distribution of suspension times is given. */
const DISTRIBUTION = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1] as const;

/** The figures that only runs on a farm of pools have. */
export interface FarmFigures extends TimeFigures {
  readonly farm: string;
  readonly strategy: string;
  readonly routing: string;
  /** Absent unless asked for. */
  readonly pools?: readonly PoolFigures[];
}

/**
 * Where the time of jobs went in a run in which they may be suspended, moved or lost: on a farm of pools, and in one
 * pool with priorities or with machines that fail (Zhang 2010, section 3.1). Null where no job counts.
 */
export interface TimeFigures extends Breakdown {
  /** The part of the jobs that were suspended at least once. */
  readonly suspendRate: number;
  /** AvgCT: from submission to completion, over the jobs suspended at least once, and over all. */
  readonly completionMeanSuspendedMinutes: number | null;
  readonly completionMeanMinutes: number | null;
  /** AvgST: time spent suspended, over the jobs suspended at least once. */
  readonly suspendedMeanMinutes: number | null;
  /** AvgWCT: the part of the completion time without progress, mean over all jobs. It is the sum of the next three. */
  readonly wastedMeanMinutes: number | null;
  /** Waiting, in transfer included. */
  readonly wastedWaitMinutes: number | null;
  readonly wastedSuspendMinutes: number | null;
  /** Run before a restart, and lost by it. */
  readonly wastedRestartMinutes: number | null;
  /** Of `wastedWaitMinutes`: on the way from site to site. */
  readonly transferMeanMinutes: number | null;
  readonly suspensions: number;
  readonly moves: number;
  readonly movedJobs: number;
  readonly duplicates: number;
  /**
   * Run by attempts that another attempt at the same job overtook, mean over all jobs. It is in no job's completion
   * time.
   */
  readonly duplicateMeanMinutes: number | null;
  /** Quantiles of the total time for which jobs were suspended, over those that were. */
  readonly suspensionMinutes: readonly { readonly part: number; readonly minutes: number }[];
  readonly farmSeries: FarmSeries;
}

interface PoolFigures {
  readonly pool: string;
  readonly machines: number;
  readonly cores: number;
  readonly coreUtilizationMean: number;
}

export function timeFigures(
  { all, suspensionSeconds }: RunTimes,
  ledger: Ledger,
): Omit<TimeFigures, "farmSeries" | keyof Breakdown> {
  const { completed, suspendedJobs } = all;
  const at =
    suspensionSeconds.length === 0 ? [] : quantiles(Float64Array.from(suspensionSeconds), DISTRIBUTION);
  return {
    suspendRate: all.jobs === 0 ? 0 : suspendedJobs / all.jobs,
    completionMeanSuspendedMinutes: meanMinutes(all.completionSuspended, suspendedJobs),
    completionMeanMinutes: all.meanMinutes(all.completion),
    suspendedMeanMinutes: meanMinutes(all.suspended, suspendedJobs),
    wastedMeanMinutes: all.meanMinutes(all.wasted),
    wastedWaitMinutes: all.meanMinutes(all.waitingWithTransfer),
    wastedSuspendMinutes: all.meanMinutes(all.suspended),
    wastedRestartMinutes: all.meanMinutes(all.lost),
    transferMeanMinutes: all.meanMinutes(all.transfer),
    suspensions: all.suspensions,
    moves: all.moves,
    movedJobs: all.movedJobs,
    duplicates: ledger.duplicates,
    duplicateMeanMinutes: meanMinutes(ledger.cancelledSeconds, completed),
    suspensionMinutes: at.map((seconds, i) => ({ part: DISTRIBUTION[i], minutes: seconds / 60 })),
  };
}

export function poolFigures(farm: Farm, ledger: Ledger, spanSeconds: number): PoolFigures[] {
  return farm.pools.map(({ name, groups }, pool) => {
    const cores = groups.reduce((sum, group) => sum + group.count * group.coresMilli, 0);
    return {
      pool: name,
      machines: groups.reduce((sum, { count }) => sum + count, 0),
      cores: cores / 1000,
      coreUtilizationMean: spanSeconds === 0 ? 0 : ledger.coreSeconds[pool] / (cores * spanSeconds),
    };
  });
}

/** A farm over time, sampled at equal steps from the first submission. All arrays have the same length. */
export interface FarmSeries {
  /** Seconds since the first submission. */
  readonly timeSeconds: readonly number[];
  readonly coreUtilization: readonly number[];
  readonly suspendedJobs: readonly number[];
  readonly waitingJobs: readonly number[];
  /** By pool, in the farm's order, where that was asked for. */
  readonly poolUtilization?: readonly (readonly number[])[];
}
