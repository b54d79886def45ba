import type { RunResult } from "../simulation/result.ts";
import { formatCount, formatDuration, formatNumber, formatShare } from "./numbers.ts";

/** The figures of a run; a record has some of them. */
export type Figures = Partial<Omit<RunResult, "series">>;

/** One figure of a run as tables show it. */
export interface Metric {
  readonly title: string;
  /** For the terminal. */
  readonly short: string;
  /** One sentence for those who did not build the farm. */
  readonly meaning: string;
  readonly better: "lower" | "higher" | "neither";
  /** Null where the run, or the record, has no such figure. */
  readonly value: (run: Figures) => number | null;
  readonly format: (value: number) => string;
}

export const meanWait: Metric = {
  title: "Mean wait",
  short: "wait",
  meaning: "Time from submission to start, mean over all jobs.",
  better: "lower",
  value: (run) => run.waitMeanSeconds ?? null,
  format: formatDuration,
};

export const boundedSlowdown: Metric = {
  title: "Bounded slowdown",
  short: "bounded",
  meaning: "The same with run times below 10 s counted as 10 s, and never below 1.",
  better: "lower",
  value: (run) => run.boundedSlowdownMean ?? null,
  format: formatNumber,
};

export const wastedTime: Metric = {
  title: "Wasted time",
  short: "wasted",
  meaning:
    "Where jobs can be suspended, moved or lost: the part of the time from submission to completion in which they made no progress, mean over all jobs.",
  better: "lower",
  value: ({ wastedMeanMinutes }) => (wastedMeanMinutes == null ? null : wastedMeanMinutes * 60),
  format: formatDuration,
};

export const maximumStretch: Metric = {
  title: "Maximum stretch",
  short: "stretch max",
  meaning:
    "Of nodes shared in parts or taken whole: the worst job's time in the system ÷ its run time, counted as the bounded slowdown.",
  better: "lower",
  value: (run) => run.stretchMax ?? null,
  format: formatNumber,
};

/** The columns of the summary, in order; every table reads this list. */
export const metrics: readonly Metric[] = [
  meanWait,
  {
    title: "95th percentile of the wait",
    short: "wait p95",
    meaning: "95 of 100 jobs waited no longer than this.",
    better: "lower",
    value: (run) => run.waitP95Seconds ?? null,
    format: formatDuration,
  },
  {
    title: "Slowdown",
    short: "slowdown",
    meaning:
      "(Wait + run time) ÷ run time, mean over all jobs: 1 is no wait. Short jobs weigh heavily; a run time below 1 s counts as 1 s.",
    better: "lower",
    value: (run) => run.slowdownMean ?? null,
    format: formatNumber,
  },
  boundedSlowdown,
  maximumStretch,
  {
    title: "Degradation",
    short: "degr.",
    meaning:
      "Maximum stretch ÷ the least that any schedule could have reached, even one that knew the future.",
    better: "lower",
    value: ({ stretchMax, stretchBound }) =>
      stretchMax === undefined || stretchBound === undefined ? null : stretchMax / stretchBound,
    format: formatNumber,
  },
  {
    title: "Queue length",
    short: "queue",
    meaning: "Jobs waiting, mean over time.",
    better: "lower",
    value: (run) => run.queueLengthMean ?? null,
    format: formatNumber,
  },
  {
    title: "Cores used",
    short: "cores",
    meaning: "Busy cores ÷ all cores, mean over time.",
    better: "higher",
    value: (run) => run.coreUtilizationMean ?? null,
    format: formatShare,
  },
  {
    title: "Memory used",
    short: "memory",
    meaning: "Memory held by jobs ÷ all memory, mean over time.",
    better: "higher",
    value: (run) => run.memoryUtilizationMean ?? null,
    format: formatShare,
  },
  {
    title: "Stranded cores",
    short: "str.cores",
    meaning:
      "Free cores on machines where the workload's median task no longer fits for lack of memory, ÷ all cores.",
    better: "lower",
    value: (run) => run.strandedCoresMean ?? null,
    format: formatShare,
  },
  {
    title: "Stranded memory",
    short: "str.mem",
    meaning:
      "Free memory on machines where the workload's median task no longer fits for lack of cores, ÷ all memory.",
    better: "lower",
    value: (run) => run.strandedMemoryMean ?? null,
    format: formatShare,
  },
  {
    title: "Rejected",
    short: "rejected",
    meaning: "Jobs that no machine of the pool could ever hold.",
    better: "neither",
    value: (run) => run.rejected ?? null,
    format: formatCount,
  },
  {
    title: "Makespan",
    short: "makespan",
    meaning: "From the first submission to the last completion, without rejected jobs.",
    better: "lower",
    value: (run) => run.makespanSeconds ?? null,
    format: formatDuration,
  },
];

/**
 * Which of the runs show the best figure. Runs that read the same are equally
 * best; where all read the same, none is.
 */
export function bestOf(metric: Metric, runs: readonly RunResult[]): ReadonlySet<RunResult> {
  const figures = runs.map((run) => metric.value(run)).filter((value) => value !== null);
  const finite = figures.filter((value) => Number.isFinite(value));
  if (metric.better === "neither" || finite.length === 0) return new Set();
  const best = metric.format(metric.better === "lower" ? Math.min(...finite) : Math.max(...finite));
  const winners = runs.filter((run) => {
    const value = metric.value(run);
    return value !== null && metric.format(value) === best;
  });
  return new Set(winners.length === runs.length ? [] : winners);
}
