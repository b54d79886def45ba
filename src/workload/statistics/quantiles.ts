/** A distribution summarised in a few numbers. Quantiles are exact, by nearest rank. */
export interface Summary {
  /** The number of values. If it is 0, every other field is NaN. */
  readonly count: number;
  readonly mean: number;
  /** Standard deviation over the mean. */
  readonly variation: number;
  readonly min: number;
  readonly p1: number;
  readonly p5: number;
  readonly p10: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** How often each value occurs, for a column with few distinct values. */
export type ValueCounts = ReadonlyMap<number, number>;

/** Summarises the values that are numbers. NaN stands for unknown and is left out. */
export function summarise(values: Float64Array | Int32Array): Summary {
  // Typed arrays sort without a comparator, with NaN last.
  const sorted = new Float64Array(values).sort();
  let count = sorted.length;
  while (count > 0 && Number.isNaN(sorted[count - 1])) count--;
  const known = sorted.subarray(0, count);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += known[i]!;
  const mean = sum / count;
  let squares = 0;
  for (let i = 0; i < count; i++) squares += (known[i]! - mean) ** 2;
  return summary(count, mean, squares, (rank) => known[rank - 1]!);
}

/** The same from counts, which is faster than sorting millions of rows with few values. */
export function summariseCounts(counts: ValueCounts): Summary {
  const values = [...counts].sort(([a], [b]) => a - b);
  let count = 0;
  let sum = 0;
  for (const [value, times] of values) {
    count += times;
    sum += value * times;
  }
  const mean = sum / count;
  let squares = 0;
  for (const [value, times] of values) squares += times * (value - mean) ** 2;
  return summary(count, mean, squares, (rank) => {
    let seen = 0;
    for (const [value, times] of values) {
      seen += times;
      if (seen >= rank) return value;
    }
    return Number.NaN;
  });
}

/** @param atRank the value of that rank in ascending order, from 1 */
function summary(count: number, mean: number, squares: number, atRank: (rank: number) => number): Summary {
  const at = (share: number): number => (count === 0 ? Number.NaN : atRank(nearestRank(count, share)));
  return {
    count,
    mean,
    variation: Math.sqrt(squares / count) / mean,
    min: at(0),
    p1: at(0.01),
    p5: at(0.05),
    p10: at(0.1),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    p999: at(0.999),
    max: at(1),
  };
}

/** The rank of the smallest value such that at least this part of the values are not above it. */
function nearestRank(count: number, share: number): number {
  // 0.07 × 100 is a little over 7; a rounding error must not change the rank.
  return Math.max(1, Math.ceil(share * count - 1e-6));
}
