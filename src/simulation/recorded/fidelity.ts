import type { Machines, Workload } from "../../workload/index.ts";
import { NO_MATTER_SECONDS } from "../comparison/wait-comparison.ts";
import type { DayWait } from "../figures/job-figures.ts";
import type { RunResult } from "../result.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { useOverTime } from "./use-over-time.ts";

/** Why a policy is taken for the nearest to the site's own. */
export type NearestBecause = "named" | "ran" | "usual" | "presumed" | "closest" | "farm";

/** The policy nearest to the site's own, simulated, against the record: what a simulation of this log can tell. */
export interface Fidelity extends Pick<
  RunResult,
  | "policy"
  | "waitMeanSeconds"
  | "waitMedianSeconds"
  | "waitMaxSeconds"
  | "coreUtilizationMean"
  | "days"
  | "waitsBy"
> {
  /**
   * `named` by the reader; `ran`, as the log itself says; `usual` for the batch system; `presumed` where nothing is
   * known; of those simulated the `closest`, where the usual one cannot be simulated; what the `farm` file says.
   */
  readonly because: NearestBecause;
  /** Simulated ÷ recorded mean wait; null if no job waited in the record. */
  readonly waitMeanRatio: number | null;
  /** Correlation (Pearson) of the mean waits, day by day of submission; null where one of them never changes. */
  readonly waitDayCorrelation: number | null;
  /** Of the cores in use over time: the mean of |simulated − recorded|, and the correlation. */
  readonly utilizationDifferenceMean: number;
  readonly utilizationCorrelation: number | null;
  /** Whether the mean wait is near the recorded one. */
  readonly isMeanNear: boolean;
  /** Whether the waits follow the record day by day as well: only then may others be held against the record. */
  readonly isNear: boolean;
  /** Another policy, whose simulation follows the record where this one's does not: perhaps it is what ran. */
  readonly nearer?: string;
}

/** A simulated mean wait within this factor of the recorded one is near. */
export const NEAR_FACTOR = 1.25;

/** Daily mean waits that correlate by less are near by chance: in the next month hardly any such policy still is. */
export const LEAST_CORRELATION = 0.5;

/** Mean waits that differ by less are near, whatever their ratio: a cycle's length. */
const NEAR_SECONDS = 30;

/** @param run of the policy nearest to the site's own, at the log's own pace */
export function fidelityOf(
  workload: Workload,
  machines: Machines,
  recorded: RecordedRun,
  run: RunResult,
  because: NearestBecause,
): Fidelity {
  const { timeSeconds, coreUtilization } = run.series;
  const asItWas = useOverTime(workload, machines, timeSeconds).coreUtilization;
  const difference = asItWas.reduce((sum, share, i) => sum + Math.abs(share - coreUtilization[i]), 0);
  const { simulated, before } = meansOfDays(run.days, recorded.days);
  const isMeanNear = isNear(run.waitMeanSeconds, recorded.waitMeanSeconds);
  const waitDayCorrelation = correlation(simulated, before);
  const hardlyWaits = Math.max(run.waitMeanSeconds, recorded.waitMeanSeconds) < NO_MATTER_SECONDS;
  return {
    policy: run.policy,
    because,
    waitMeanSeconds: run.waitMeanSeconds,
    waitMedianSeconds: run.waitMedianSeconds,
    waitMaxSeconds: run.waitMaxSeconds,
    coreUtilizationMean: run.coreUtilizationMean,
    days: run.days,
    ...(run.waitsBy === undefined ? {} : { waitsBy: run.waitsBy }),
    waitMeanRatio: recorded.waitMeanSeconds === 0 ? null : run.waitMeanSeconds / recorded.waitMeanSeconds,
    waitDayCorrelation,
    utilizationDifferenceMean: timeSeconds.length === 0 ? 0 : difference / timeSeconds.length,
    utilizationCorrelation: correlation(coreUtilization, asItWas),
    isMeanNear,
    isNear: isMeanNear && (hardlyWaits || (waitDayCorrelation ?? 1) >= LEAST_CORRELATION),
  };
}

/** Whether it is only assumed that the farm ran that policy. */
export function isAssumed(because: NearestBecause): boolean {
  return because === "usual" || because === "presumed" || because === "closest";
}

/** Of several runs, the one whose mean wait is closest to the record's, by ratio. */
export function closestRun(runs: readonly RunResult[], recorded: RecordedRun): RunResult | undefined {
  const distance = ({ waitMeanSeconds }: RunResult): number =>
    Math.abs(Math.log(Math.max(1, waitMeanSeconds) / Math.max(1, recorded.waitMeanSeconds)));
  return runs.reduce<RunResult | undefined>(
    (closest, run) => (closest === undefined || distance(run) < distance(closest) ? run : closest),
    undefined,
  );
}

function isNear(simulated: number, recorded: number): boolean {
  if (Math.abs(simulated - recorded) <= NEAR_SECONDS) return true;
  return simulated <= recorded * NEAR_FACTOR && recorded <= simulated * NEAR_FACTOR;
}

function meansOfDays(
  simulated: readonly DayWait[],
  before: readonly DayWait[],
): { simulated: number[]; before: number[] } {
  const mean = ({ jobs, waitSumSeconds }: DayWait): number => waitSumSeconds / jobs;
  const known = new Map(before.map((day) => [day.day, mean(day)]));
  const both = simulated.filter(({ day }) => known.has(day));
  return { simulated: both.map(mean), before: both.map(({ day }) => known.get(day)!) };
}

/** Pearson's coefficient; null where there are less than three pairs, or one side does not vary. */
export function correlation(one: readonly number[], other: readonly number[]): number | null {
  const n = one.length;
  if (n < 3) return null;
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / n;
  const [a, b] = [meanOf(one), meanOf(other)];
  let both = 0;
  let ofOne = 0;
  let ofOther = 0;
  for (let i = 0; i < n; i++) {
    both += (one[i] - a) * (other[i] - b);
    ofOne += (one[i] - a) ** 2;
    ofOther += (other[i] - b) ** 2;
  }
  // Sums of squares that are only rounding count as no variation.
  if (ofOne <= n * 1e-20 * Math.max(1, a * a) || ofOther <= n * 1e-20 * Math.max(1, b * b)) return null;
  return both / Math.sqrt(ofOne * ofOther);
}
