import { meanOf } from "../means.ts";

/** A mean, and where it lies with 95 % confidence over instances like these. */
export interface MeanInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** The number of values. */
  readonly count: number;
}

/** With fewer values their spread is too uncertain for an interval. */
const MIN_COUNT = 30;
/** Of the normal distribution: 95 % of it lie within so many standard deviations. */
const Z = 1.96;

/**
 * The mean of values of independent instances, with its confidence interval (normal
 * approximation). Instances of a sweep are drawn evenly from its combinations, which
 * makes the interval too wide rather than too narrow. `null` below 30 values.
 */
export function meanInterval(values: readonly number[]): MeanInterval | null {
  const count = values.length;
  if (count < MIN_COUNT) return null;
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = Z * Math.sqrt(squares / (count - 1) / count);
  return { mean, low: mean - half, high: mean + half, count };
}
