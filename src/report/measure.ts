import { boundedSlowdown, maximumStretch, meanWait } from "./metrics.ts";
import type { Metric } from "./metrics.ts";
import type { PolicyRun } from "./runs.ts";

/**
 * The figure that a verdict goes by.
 *
 * A job that shares a node starts at once and runs slower: its wait says
 * nothing, and what matters is how much longer the worst job took than it had
 * to (Stillwell 2014). Where the maximum stretch is not known of all runs, the
 * mean stretch is: the bounded slowdown, by another name.
 */
export function measureOf(runs: readonly PolicyRun[]): Metric {
  const stretched = runs.filter(({ run }) => run.stretchMax !== undefined).length;
  if (stretched === 0) return meanWait;
  return stretched === runs.length ? maximumStretch : boundedSlowdown;
}
