const DAY_SECONDS = 86_400;
/** Times the log's span, or ten days where that is shorter. */
const MOST_SPANS = 10;

/**
 * Finds jobs that ran for far longer than a log covers: most likely an end that is wrong, or another unit.
 *
 * @param submitSeconds ascending, one job at least
 * @param jobNumber null where row `i` is job `i + 1`
 * @returns how many there are, and the number of the first; null: none
 */
export function longRuns(
  submitSeconds: Float64Array,
  runtimeSeconds: Float64Array,
  jobNumber: Float64Array | null,
): { readonly count: number; readonly firstNumber: number } | null {
  const spanSeconds = submitSeconds[submitSeconds.length - 1]! - submitSeconds[0]!;
  const most = MOST_SPANS * Math.max(spanSeconds, 10 * DAY_SECONDS);
  let count = 0;
  let first = 0;
  for (let row = 0; row < runtimeSeconds.length; row++) {
    if (runtimeSeconds[row]! > most && count++ === 0) first = row;
  }
  return count === 0 ? null : { count, firstNumber: jobNumber === null ? first + 1 : jobNumber[first]! };
}
