import type { Comparison } from "./comparison.ts";
import { meanInterval, type MeanInterval } from "./interval.ts";
import { dfb, relativeDfb } from "./quality.ts";
import type { Trial } from "./trial.ts";

/** What two algorithms are compared by: less is better in all. */
export const measures = ["dfb", "relative dfb", "failure rate"] as const;
export type Measure = (typeof measures)[number];

/**
 * How much more `one` has of a measure than `other`, by the instances that both solved
 * (failure rate: by all). `null` where one of them did not compete, or in too few.
 */
export function difference(
  { algorithms, trials }: Comparison,
  measure: Measure,
  one: string,
  other: string,
): MeanInterval | null {
  const [i, j] = [algorithms.indexOf(one), algorithms.indexOf(other)];
  if (i < 0 || j < 0) return null;
  if (measure === "failure rate") {
    return meanInterval(trials.map((trial) => failed(trial, i) - failed(trial, j)));
  }
  const of = measure === "dfb" ? dfb : relativeDfb;
  const both = trials.filter((trial) => failed(trial, i) + failed(trial, j) === 0);
  return meanInterval(both.map((trial) => of(trial, i) - of(trial, j)));
}

/** 1 where the algorithm found no placement. */
export function failed({ attempts }: Trial, i: number): 0 | 1 {
  return attempts[i]!.minYield === null ? 1 : 0;
}
