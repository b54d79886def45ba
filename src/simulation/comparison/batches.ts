import type { DayWait } from "../figures/job-figures.ts";

/** A run, or a record, by the log's days. */
export interface DayFigures {
  /** Arrival times were multiplied by this; 1 unless told. */
  readonly beta?: number;
  readonly days: readonly DayWait[];
}

/**
 * Batches that the log's days are cut into. Few and long: a backlog outlasts the night, and only batches that are hardly
 * correlated count as independent. Four and ten were tried, and were wrong more often.
 */
export const BATCHES = 5;

/** One of the equal parts of a log's time. */
export interface Batch {
  readonly jobs: number;
  /** Of waits, or of another figure of its jobs. */
  readonly sum: number;
}

/** Both runs in the same batches. */
export interface PairedBatches {
  /** Days of the log from the first submission to the last. */
  readonly days: number;
  /** In the runs' time. */
  readonly batchSeconds: number;
  readonly baseline: readonly Batch[];
  readonly policy: readonly Batch[];
}

const DAY_SECONDS = 86_400;

/**
 * Cuts both runs into batches of equal time, whether jobs came in all of it or not.
 *
 * @param figureOf what is summed of a day
 */
export function pairedBatches(
  baseline: DayFigures,
  policy: DayFigures,
  figureOf = ({ waitSumSeconds }: DayWait): number => waitSumSeconds,
): PairedBatches {
  const days = 1 + Math.max(-1, ...[...baseline.days, ...policy.days].map(({ day }) => day));
  const cut = (run: DayFigures): Batch[] => {
    const batches = Array.from({ length: BATCHES }, () => ({ jobs: 0, sum: 0 }));
    for (const each of run.days) {
      const batch = batches[Math.floor((each.day * BATCHES) / days)];
      batch.jobs += each.jobs;
      batch.sum += figureOf(each);
    }
    return batches;
  };
  return {
    days,
    batchSeconds: ((policy.beta ?? baseline.beta ?? 1) * days * DAY_SECONDS) / BATCHES,
    baseline: cut(baseline),
    policy: cut(policy),
  };
}

export function sumOf(batches: readonly Batch[]): number {
  return batches.reduce((total, { sum }) => total + sum, 0);
}
