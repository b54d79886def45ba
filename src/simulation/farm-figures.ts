import type { Farm } from "../workload/index.ts";
import type { Breakdown } from "./breakdown.ts";
import { quantiles } from "./quantiles.ts";
import type { FarmSeries } from "./farm-series.ts";
import type { Ledger } from "./run/ledger.ts";

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

export interface PoolFigures {
  readonly pool: string;
  readonly machines: number;
  readonly cores: number;
  readonly coreUtilizationMean: number;
}

/** The figures from the jobs submitted from one time until another. */
export function timeFigures(
  ledger: Ledger,
  from: number,
  until: number,
): Omit<TimeFigures, "farmSeries" | keyof Breakdown> {
  const { submitSeconds, startSeconds } = ledger;
  const durations: number[] = [];
  let jobs = 0;
  let completed = 0;
  let suspendedJobs = 0;
  let suspensions = 0;
  let moves = 0;
  let movedJobs = 0;
  let completion = 0;
  let completionSuspended = 0;
  let waiting = 0;
  let suspended = 0;
  let lost = 0;
  let transfer = 0;
  for (let row = 0; row < submitSeconds.length; row++) {
    const submit = submitSeconds[row];
    if (submit < from || submit > until) continue;
    jobs++;
    const start = startSeconds[row];
    if (Number.isNaN(start)) continue;
    const done = ledger.endOf(row);
    completed++;
    completion += done - submit;
    const ofJob = ledger.timesOf(row);
    if (ofJob === undefined) {
      waiting += start - submit;
      continue;
    }
    waiting += ofJob.waiting;
    lost += ofJob.lost;
    transfer += ofJob.transfer;
    suspended += ofJob.suspended;
    moves += ofJob.moves;
    if (ofJob.moves > 0) movedJobs++;
    if (ofJob.suspensions === 0) continue;
    suspendedJobs++;
    suspensions += ofJob.suspensions;
    completionSuspended += done - submit;
    durations.push(ofJob.suspended);
  }
  const mean = (seconds: number, over: number): number | null => (over === 0 ? null : seconds / 60 / over);
  const at = durations.length === 0 ? [] : quantiles(Float64Array.from(durations), DISTRIBUTION);
  return {
    suspendRate: jobs === 0 ? 0 : suspendedJobs / jobs,
    completionMeanSuspendedMinutes: mean(completionSuspended, suspendedJobs),
    completionMeanMinutes: mean(completion, completed),
    suspendedMeanMinutes: mean(suspended, suspendedJobs),
    wastedMeanMinutes: mean(waiting + transfer + suspended + lost, completed),
    wastedWaitMinutes: mean(waiting + transfer, completed),
    wastedSuspendMinutes: mean(suspended, completed),
    wastedRestartMinutes: mean(lost, completed),
    transferMeanMinutes: mean(transfer, completed),
    suspensions,
    moves,
    movedJobs,
    duplicates: ledger.duplicates,
    duplicateMeanMinutes: mean(ledger.cancelledSeconds, completed),
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
