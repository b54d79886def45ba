import { boundedSlowdown, maximumStretch, meanWait, wastedTime } from "./metrics.ts";
import type { Metric } from "./metrics.ts";
import type { PolicyRun } from "./runs.ts";

/**
 * The figure that a verdict goes by.
 *
 * A job that shares a node starts at once and runs slower: its wait says
 * nothing, and what matters is how much longer the worst job took than it had
 * to (Stillwell 2014). Where the maximum stretch is not known of all runs, the
 * mean stretch is: the bounded slowdown, by another name.
 *
 * Where jobs are suspended or lost, waiting is a part only of what they lose: a
 * policy that lets them start at once to suspend them soon would look best by it.
 */
export function measureOf(runs: readonly PolicyRun[]): Metric {
  const stretched = runs.filter(({ run }) => run.stretchMax !== undefined).length;
  if (stretched === 0) {
    const isInterrupted = runs.some(
      ({ run }) => (run.suspensions ?? 0) + (run.losses ?? 0) + (run.moves ?? 0) > 0,
    );
    return isInterrupted && runs.every(({ run }) => wastedTime.value(run) !== null) ? wastedTime : meanWait;
  }
  return stretched === runs.length ? maximumStretch : boundedSlowdown;
}
