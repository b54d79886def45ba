/**
 * Exact quantiles of many values without sorting them.
 *
 * The bits of a non-negative double order like the double. One pass counts the
 * values by their upper bits, so that only the values that share the wanted
 * rank's upper bits have to be searched: 13 million waits take two passes.
 *
 * @param values 0 or more, finite
 * @param parts wanted ranks as parts of 1: 0.5 is the median, 1 the maximum (nearest rank)
 * @returns one value a part; 0 where there are no values
 */
export function quantiles(values: Float64Array, parts: readonly number[]): number[] {
  if (values.length === 0) return parts.map(() => 0);
  const rankOf = (part: number): number => Math.max(0, Math.ceil(part * values.length) - 1);
  if (values.length < FEW) {
    const copy = values.slice();
    return parts.map((part) => select(copy, rankOf(part)));
  }
  const upper = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  const counts = new Int32Array(1 << UPPER_BITS);
  for (let i = 1; i < upper.length; i += 2) counts[upper[i] >>> SHIFT]++;
  const found = parts.map(() => 0);
  let before = 0;
  let bin = 0;
  // From the lowest rank to the highest, so that the counts are walked once.
  for (const i of [...parts.keys()].sort((a, b) => parts[a] - parts[b])) {
    const rank = rankOf(parts[i]);
    while (before + counts[bin] <= rank) before += counts[bin++];
    found[i] = nth(values, upper, bin, counts[bin], rank - before);
  }
  return found;
}

/** Fewer values than this are not counted: the table of counts alone would take longer. */
const FEW = 1 << 16;
const UPPER_BITS = 20;
const SHIFT = 32 - UPPER_BITS;

/** The value of a rank among those in one bin. */
function nth(values: Float64Array, upper: Uint32Array, bin: number, count: number, rank: number): number {
  const members = new Float64Array(count);
  let used = 0;
  let isOneValue = true;
  for (let i = 0; i < values.length && used < count; i++) {
    if (upper[i * 2 + 1] >>> SHIFT !== bin) continue;
    members[used++] = values[i];
    if (values[i] !== members[0]) isOneValue = false;
  }
  return isOneValue ? members[0] : select(members, rank);
}

/**
 * The value of a rank, by Hoare's selection (C. A. R. Hoare, "Algorithm 65: Find", 1961); reorders the values. Most
 * slowdowns are near 1 and share their upper bits, and sorting those took a fortieth of a run.
 */
function select(values: Float64Array, rank: number): number {
  let from = 0;
  let to = values.length - 1;
  while (from < to) {
    const pivot = values[(from + to) >> 1];
    let low = from;
    let high = to;
    while (low <= high) {
      while (values[low] < pivot) low++;
      while (values[high] > pivot) high--;
      if (low > high) break;
      const value = values[low];
      values[low++] = values[high];
      values[high--] = value;
    }
    if (rank <= high) to = high;
    else if (rank >= low) from = low;
    else break;
  }
  return values[rank];
}
