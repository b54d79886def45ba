import { quantiles } from "../../../simulation/index.ts";
import { meanOf } from "../means.ts";
import type { Trial } from "./trial.ts";

/**
 * How good an algorithm is on many instances, in the measures of the slides. The distance from best (dfb) of an
 * instance is how far the algorithm's minimum yield is below the highest that any algorithm of the comparison found;
 * instances in which it fails count only in the failure rate. NaN where there is no such instance.
 */
export interface Quality {
  readonly algorithm: string;
  /** Instances in which it found a placement. */
  readonly solved: number;
  /** Part of all instances in which it did not. */
  readonly failureRate: number;
  /** Instances in which the time limit ended it. */
  readonly stopped: number;
  readonly dfbMean: number;
  readonly dfb90: number;
  /** The same as parts of the best minimum yield. */
  readonly relativeDfbMean: number;
  readonly relativeDfb90: number;
  /** How far below the LP bound, on average. */
  readonly belowBoundMean: number;
  readonly secondsMean: number;
}

/** One row an algorithm, in the order of the comparison. */
export function qualitiesOf(algorithms: readonly string[], trials: readonly Trial[]): Quality[] {
  return algorithms.map((algorithm, i) => {
    const solved = trials.filter((trial) => trial.attempts[i]!.minYield !== null);
    const distances = solved.map((trial) => dfb(trial, i));
    const relative = solved.map((trial) => relativeDfb(trial, i));
    return {
      algorithm,
      solved: solved.length,
      failureRate: 1 - solved.length / trials.length,
      stopped: trials.filter((trial) => trial.attempts[i]!.isStopped).length,
      dfbMean: meanOf(distances),
      dfb90: percentile90(distances),
      relativeDfbMean: meanOf(relative),
      relativeDfb90: percentile90(relative),
      belowBoundMean: meanOf(
        solved.flatMap(({ bound, attempts }) => (bound === null ? [] : [bound - attempts[i]!.minYield!])),
      ),
      secondsMean: meanOf(trials.map((trial) => trial.attempts[i]!.seconds)),
    };
  });
}

/** Of an algorithm that found a placement. */
export function dfb({ attempts }: Trial, i: number): number {
  return bestOf(attempts) - attempts[i]!.minYield!;
}

/** 0 where the best is 0 as well. */
export function relativeDfb(trial: Trial, i: number): number {
  const best = bestOf(trial.attempts);
  return best === 0 ? 0 : dfb(trial, i) / best;
}

/** -1 if no algorithm found a placement. */
export function bestOf(attempts: Trial["attempts"]): number {
  return attempts.reduce((best, { minYield }) => Math.max(best, minYield ?? -1), -1);
}

function percentile90(values: readonly number[]): number {
  return values.length === 0 ? NaN : quantiles(Float64Array.from(values), [0.9])[0]!;
}
