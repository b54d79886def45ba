import { NONE, type View } from "../../core/index.ts";
import type { Ahead } from "./explanation.ts";

/** The jobs that wait before one in its pool, in the order in which a cycle takes them; null: it does not wait there. */
export function jobsBefore({ jobs, pools }: View, handle: number): number[] | null {
  const pool = jobs.poolOf(handle);
  if (pool === NONE) return null;
  const queue = pools[pool].queue();
  const place = queue.indexOf(handle);
  return place === -1 ? null : queue.slice(0, place);
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
