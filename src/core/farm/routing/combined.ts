import { lowest } from "./lowest.ts";
import type { Prospects, Routing } from "./routing.ts";

/** Jobs expected to be shorter are taken to be so long: their wait would count for everything. */
const SHORT_SECONDS = 600;

/**
 * What speaks against a pool, from several metrics: the part of its cores in use,
 * the cores that its queue asks for in parts of its cores, and the predicted
 * completion of the job there (way, queue, run) in parts of its run time.
 */
export function combinedScore(prospects: Prospects, pool: number): number {
  const { utilization, queue, backlogSeconds } = prospects.state(pool);
  const estimate = prospects.estimateSeconds > SHORT_SECONDS ? prospects.estimateSeconds : SHORT_SECONDS;
  const completionSeconds =
    prospects.transferSeconds(pool) + backlogSeconds + estimate / prospects.speed(pool);
  return utilization + queue + completionSeconds / estimate;
}

export const combined: Routing = {
  name: "combined",
  summary: "the lowest sum of utilisation, queue length and predicted completion",
  choose: (prospects) => lowest(prospects, (pool) => combinedScore(prospects, pool)),
};
