const DAY_SECONDS = 86_400;
/** In spans of the log; a shorter log counts as ten days. */
const MAX_SPANS = 10;

/**
 * Finds jobs that ran far longer than the time that the log covers: most likely a wrong end, or another unit.
 *
 * @param submitSeconds ascending, of at least one job
 * @param jobNumber null if row `i` is job `i + 1`
 * @returns their number, and the first of them; null if there are none
 */
export function longRuns(
  submitSeconds: Float64Array,
  runtimeSeconds: Float64Array,
  jobNumber: Float64Array | null,
): { readonly count: number; readonly firstNumber: number } | null {
  const spanSeconds = submitSeconds[submitSeconds.length - 1]! - submitSeconds[0]!;
  const most = MAX_SPANS * Math.max(spanSeconds, 10 * DAY_SECONDS);
  let count = 0;
  let first = 0;
  for (let row = 0; row < runtimeSeconds.length; row++) {
    if (runtimeSeconds[row]! > most && count++ === 0) first = row;
  }
  return count === 0 ? null : { count, firstNumber: jobNumber === null ? first + 1 : jobNumber[first]! };
}
