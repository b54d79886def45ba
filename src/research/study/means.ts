import { studentQuantile } from "../../simulation/index.ts";

/** NaN where there are no values. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Half the width of the interval in which the mean lies with 95 % confidence, by Student's t; of two values or more. */
export function marginOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const degrees = values.length - 1;
  return studentQuantile(0.95, degrees) * Math.sqrt(squares / degrees / values.length);
}

/** The means of so many batches of neighbouring values. */
export function batchMeans(values: readonly number[], batches: number): number[] {
  return Array.from({ length: batches }, (_, batch) => {
    const from = Math.floor((batch * values.length) / batches);
    return meanOf(values.slice(from, Math.floor(((batch + 1) * values.length) / batches)));
  });
}
