import { lowest } from "./lowest.ts";
import type { RoutingView, Routing } from "./routing.ts";

/** Jobs expected to be shorter are taken to be so long: their wait would count for everything. */
const SHORT_SECONDS = 600;

/**
 * What speaks against a pool, from several metrics: the part of its cores in use,
 * the cores that its queue asks for in parts of its cores, and the predicted
 * completion of the job there (way, queue, run) in parts of its run time.
 */
export function combinedScore(view: RoutingView, pool: number): number {
  const { utilization, queue, backlogSeconds } = view.state(pool);
  const estimate = view.estimateSeconds > SHORT_SECONDS ? view.estimateSeconds : SHORT_SECONDS;
  const completionSeconds = view.transferSeconds(pool) + backlogSeconds + estimate / view.speed(pool);
  return utilization + queue + completionSeconds / estimate;
}

export const combined: Routing = {
  name: "combined",
  summary: "the lowest sum of utilisation, queue length and predicted completion",
  choose: (view) => lowest(view, (pool) => combinedScore(view, pool)),
};
