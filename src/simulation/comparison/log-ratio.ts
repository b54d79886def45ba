import { studentQuantile } from "../figures/student.ts";

/** The logarithm of policy ÷ baseline, and how far it may be off. */
export interface LogRatio {
  readonly value: number;
  readonly error: number;
  /** Degrees of freedom of Student's t. */
  readonly degrees: number;
}

/** Each batch is raised by this part of the mean batch, so that one without waits says little instead of all. */
const RAISE = 0.02;

/**
 * The wider of two errors: of the ratio with one batch left out after the other (jackknife), which is small where most
 * waits fall into one batch, and of the spread of the batches' own ratios, which is small where they are alike.
 *
 * @param baseline sums of waits by batch, not all 0
 * @param policy the same, not all 0
 */
export function logRatioOfBatches(baseline: readonly number[], policy: readonly number[]): LogRatio {
  const count = baseline.length;
  const [before, after] = [raised(baseline), raised(policy)];
  const [beforeSum, afterSum] = [sum(before), sum(after)];
  const left = before.map((each, batch) => Math.log((afterSum - after[batch]) / (beforeSum - each)));
  const own = before.map((each, batch) => Math.log(after[batch] / each));
  const jackknife = Math.sqrt(((count - 1) / count) * squares(left));
  const spread = Math.sqrt(squares(own) / (count - 1) / count);
  return {
    value: Math.log(sum(policy) / sum(baseline)),
    error: Math.max(jackknife, spread),
    degrees: count - 1,
  };
}

/** What logs drawn from a log say of the logarithm. */
export interface Replicates {
  /** policy ÷ baseline on each. */
  readonly logarithms: readonly number[];
  /** Users or days that the log was drawn by, of equal work; more than one. */
  readonly units: number;
}

/**
 * Twenty logs drawn from five users know no more than five users do, and of n drawn with replacement the variance is
 * (n − 1) ÷ n of what it should be.
 *
 * @param value of the log itself
 */
export function logRatioOfReplicates(value: number, { logarithms, units }: Replicates): LogRatio {
  const draws = logarithms.length - 1;
  return {
    value,
    error: Math.sqrt(((units / (units - 1)) * squares(logarithms)) / draws),
    degrees: Math.max(1, Math.min(draws, Math.floor(units) - 1)),
  };
}

/** Half the width of the interval that holds the logarithm with this probability. */
export function halfWidth({ error, degrees }: LogRatio, probability: number): number {
  return error === 0 ? 0 : studentQuantile(probability, degrees) * error;
}

function raised(batches: readonly number[]): number[] {
  const raise = (RAISE * sum(batches)) / batches.length;
  return batches.map((each) => each + raise);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Σ (value − mean)². */
function squares(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  return values.reduce((total, value) => total + (value - mean) ** 2, 0);
}
