import { NONE, UNASSIGNED, type View } from "../../core/index.ts";
import type { Ahead } from "./explanation.ts";

/** The jobs that wait before one in its pool, in the order in which a cycle takes them; null: it does not wait there. */
export function jobsBefore(view: View, handle: number, now: number): number[] | null {
  const { jobs, pools } = view;
  const pool = jobs.poolOf(handle);
  if (pool === NONE) return jobs.stateOf(handle) === UNASSIGNED ? unassignedBefore(view, handle) : null;
  const queue = pools[pool].queue(now);
  const place = queue.indexOf(handle);
  return place === -1 ? null : queue.slice(0, place);
}

/** Those at virtual pools that are offered first to a pool that this one may go to: by priority, then as they came. */
function unassignedBefore(view: View, handle: number): number[] {
  const { jobs } = view;
  const own = new Set(view.poolsFor(handle));
  const [priority, arrival] = [jobs.priorityOf(handle), jobs.arrivalOf(handle)];
  return Array.from(jobs)
    .filter((other) => {
      if (other === handle || jobs.stateOf(other) !== UNASSIGNED) return false;
      const higher = jobs.priorityOf(other) - priority;
      return (
        (higher > 0 || (higher === 0 && jobs.arrivalOf(other) < arrival)) &&
        view.poolsFor(other).some((pool) => own.has(pool))
      );
    })
    .sort((a, b) => jobs.priorityOf(b) - jobs.priorityOf(a) || jobs.arrivalOf(a) - jobs.arrivalOf(b));
}

/** What some jobs ask for by their estimates. */
export function sumOf({ jobs }: View, before: readonly number[]): Ahead {
  let [seconds, withoutLimit] = [0, 0];
  for (const other of before) {
    const limit = jobs.estimateSecondsOf(other);
    if (Number.isFinite(limit)) seconds += (jobs.coresOf(other) / 1000) * jobs.tasksOf(other) * limit;
    else withoutLimit++;
  }
  return { jobs: before.length, coreHours: seconds / 3600, withoutLimit };
}
