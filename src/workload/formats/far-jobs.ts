const DAY_SECONDS = 86_400;
/** In spans of the other jobs; a shorter span counts as ten days. */
const MAX_SPANS = 10;

/**
 * Finds jobs that were submitted far before or after most others: most likely a time that was not set, or of another
 * unit. A single one makes the log seem decades long, its load nearly 0 and, as it started with the others, the mean
 * wait meaningless.
 *
 * Starting from the middle job, the nearest neighbour is taken in until it is ten times as far away as all that were
 * taken in are apart. What then is left out is far.
 *
 * @param submitSeconds ascending, of at least one job
 * @param jobNumber null if row `i` is job `i + 1`
 * @returns their number, and the first of them; null if there are none
 */
export function farJobs(
  submitSeconds: Float64Array,
  jobNumber: Float64Array | null,
): { readonly count: number; readonly firstNumber: number } | null {
  const last = submitSeconds.length - 1;
  const least = 10 * DAY_SECONDS;
  if (submitSeconds[last]! - submitSeconds[0]! <= MAX_SPANS * least) return null;
  let from = last >> 1;
  let to = from;
  while (from > 0 || to < last) {
    const before = from > 0 ? submitSeconds[from]! - submitSeconds[from - 1]! : Number.POSITIVE_INFINITY;
    const after = to < last ? submitSeconds[to + 1]! - submitSeconds[to]! : Number.POSITIVE_INFINITY;
    const spanSeconds = submitSeconds[to]! - submitSeconds[from]!;
    if (Math.min(before, after) > MAX_SPANS * Math.max(spanSeconds, least)) break;
    if (before <= after) from--;
    else to++;
  }
  const count = from + last - to;
  const first = from > 0 ? 0 : to + 1;
  return count === 0 ? null : { count, firstNumber: jobNumber === null ? first + 1 : jobNumber[first]! };
}
