import { NONE, type View } from "../../core/index.ts";
import type { Ahead } from "./explanation.ts";

/**
 * The jobs that wait before one in its pool, in the order in which a cycle takes them, and what they ask for by their
 * estimates. Null: it does not wait in a pool.
 */
export function aheadOf({ jobs, pools }: View, handle: number): Ahead | null {
  const pool = jobs.poolOf(handle);
  if (pool === NONE) return null;
  let [count, seconds, withoutLimit] = [0, 0, 0];
  for (const other of pools[pool].queue()) {
    if (other === handle) return { jobs: count, coreHours: seconds / 3600, withoutLimit };
    count++;
    const limit = jobs.estimateSecondsOf(other);
    if (Number.isFinite(limit)) seconds += (jobs.coresOf(other) / 1000) * jobs.tasksOf(other) * limit;
    else withoutLimit++;
  }
  return null;
}
