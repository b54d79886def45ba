import { boundedSlowdown, maximumStretch, meanWait, wastedTime } from "./metrics.ts";
import type { Metric } from "./metrics.ts";
import type { PolicyRun } from "./runs.ts";

/**
 * Chooses the figure by which policies are judged.
 *
 * A job that shares a node starts at once and runs slower: its wait says nothing, and what matters is how much longer
 * the worst job took than it had to (Stillwell 2014). If not all runs have the maximum stretch, the mean stretch is
 * used, which is the bounded slowdown.
 *
 * If jobs can be suspended or lost, it is the wasted time, of which waiting is only a part: by waits alone, a policy
 * that starts jobs at once and suspends them soon after would look best.
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
