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
    return ranks.map((rank) => select(copy, rank));
  }
  const counts = countBins(values, 0);
  /** By bin: where its next value goes among the gathered ones; `LEFT_OUT` if no rank is in it. */
  const next = new Int32Array(BINS).fill(LEFT_OUT);
  const bins = ranks.map(() => ({ from: 0, to: 0, rank: 0 }));
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
    bins[i] = { from: next[bin], to: next[bin] + counts[bin], rank: ranks[i] - before };
  }
  const members = new Float64Array(gathered);
  gather(values, next, members);
  return bins.map(({ from, to, rank }) => valueOfRank(members.subarray(from, to), rank));
}

/** Fewer values than this are not counted: the tables alone would take longer. */
const FEW = 1 << 15;
/** The number of bits that one pass looks at: tables for 16 bits stay in the processor's cache. */
const BITS = 16;
const BINS = 1 << BITS;
const LEFT_OUT = -1;

/**
 * The value of a rank among values that share their first bits; reorders them. Most slowdowns are near 1: of many such
 * values those come to the front that share the next bits too.
 */
function valueOfRank(values: Float64Array, rank: number): number {
  let left = values;
  let place = rank;
  for (let level = 1; left.length >= FEW && level < 64 / BITS; level++) {
    if (areEqual(left)) return left[0];
    const counts = countBins(left, level);
    let bin = 0;
    for (; counts[bin] <= place; bin++) place -= counts[bin];
    bringToFront(left, level, bin);
    left = left.subarray(0, counts[bin]);
  }
  return select(left, place);
}

function areEqual(values: Float64Array): boolean {
  let i = 1;
  while (i < values.length && values[i] === values[0]) i++;
  return i === values.length;
}

// Each pass has a function of its own: that is compiled once, and the middle of a long function for each call.

/** How many values have which bits: the highest 16 at level 0, the next 16 at level 1, and so on. */
function countBins(values: Float64Array, level: number): Int32Array {
  const halves = halvesOf(values);
  const shift = level % 2 === 0 ? BITS : 0;
  const counts = new Int32Array(BINS);
  for (let i = level < 2 ? 1 : 0; i < halves.length; i += 2) counts[(halves[i] >>> shift) & (BINS - 1)]++;
  return counts;
}

function gather(values: Float64Array, next: Int32Array, members: Float64Array): void {
  const halves = halvesOf(values);
  for (let i = 0; i < values.length; i++) {
    const bin = halves[i * 2 + 1] >>> BITS;
    if (next[bin] !== LEFT_OUT) members[next[bin]++] = values[i];
  }
}

function bringToFront(values: Float64Array, level: number, bin: number): void {
  const halves = halvesOf(values);
  const half = level < 2 ? 1 : 0;
  const shift = level % 2 === 0 ? BITS : 0;
  let front = 0;
  for (let i = 0; i < values.length; i++) {
    if (((halves[i * 2 + half] >>> shift) & (BINS - 1)) !== bin) continue;
    const value = values[i];
    values[i] = values[front];
    values[front++] = value;
  }
}

/** The lower and the upper half of each value. */
function halvesOf(values: Float64Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
}

/** The value of a rank, by Hoare's selection (C. A. R. Hoare, "Algorithm 65: Find", 1961); reorders the values. */
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
