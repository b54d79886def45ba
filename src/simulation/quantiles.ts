/**
 * Exact quantiles of many values without sorting them.
 *
 * The bits of a non-negative double order like the double. One pass counts the values by their upper bits, a second
 * gathers those that share them with a wanted rank, and only these are searched.
 *
 * @param values 0 or more, finite
 * @param parts wanted ranks as parts of 1: 0.5 is the median, 1 the maximum (nearest rank)
 * @returns one value a part; 0 where there are no values
 */
export function quantiles(values: Float64Array, parts: readonly number[]): number[] {
  if (values.length === 0) return parts.map(() => 0);
  const ranks = parts.map((part) => Math.max(0, Math.ceil(part * values.length) - 1));
  if (values.length < FEW) {
    const copy = values.slice();
    return ranks.map((rank) => select(copy, rank, 0, copy.length - 1));
  }
  const upper = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  const counts = new Int32Array(BINS);
  countBins(upper, counts);
  const wanted = ranks.map(() => ({ from: 0, to: 0, rank: 0 }));
  /** By bin: where its next value goes among the gathered ones; `LEFT_OUT` if it is not wanted. */
  const next = new Int32Array(BINS).fill(LEFT_OUT);
  let gathered = 0;
  let before = 0;
  let bin = 0;
  // From the lowest rank to the highest, so that the counts are walked once.
  for (const i of [...ranks.keys()].sort((a, b) => ranks[a] - ranks[b])) {
    while (before + counts[bin] <= ranks[i]) before += counts[bin++];
    if (next[bin] === LEFT_OUT) {
      next[bin] = gathered;
      gathered += counts[bin];
    }
    const from = next[bin];
    wanted[i] = { from, to: from + counts[bin] - 1, rank: from + ranks[i] - before };
  }
  const members = new Float64Array(gathered);
  gather(values, upper, next, members);
  return wanted.map(({ from, to, rank }) => select(members, rank, from, to));
}

/** Fewer values than this are not counted: the tables alone would take longer. */
const FEW = 1 << 16;
/** Bins of a 128th of their value: most slowdowns are near 1, and with wider bins too many of them are searched. */
const UPPER_BITS = 19;
const BINS = 1 << UPPER_BITS;
const SHIFT = 32 - UPPER_BITS;
const LEFT_OUT = -1;

// The two passes have functions of their own: these are compiled once, the middle of a long function for each call.

function countBins(upper: Uint32Array, counts: Int32Array): void {
  for (let i = 1; i < upper.length; i += 2) counts[upper[i] >>> SHIFT]++;
}

function gather(values: Float64Array, upper: Uint32Array, next: Int32Array, members: Float64Array): void {
  for (let i = 0; i < values.length; i++) {
    const bin = upper[i * 2 + 1] >>> SHIFT;
    if (next[bin] !== LEFT_OUT) members[next[bin]++] = values[i];
  }
}

/**
 * The value of a rank among the values in some places, by Hoare's selection (C. A. R. Hoare, "Algorithm 65: Find",
 * 1961); reorders them. Most slowdowns are near 1 and share their upper bits, and sorting those took a fortieth of a
 * run.
 */
function select(values: Float64Array, rank: number, from: number, to: number): number {
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
