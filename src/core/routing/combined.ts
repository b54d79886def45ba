import { lowest } from "./lowest.ts";
import type { RoutingView, Routing } from "./routing.ts";

/** Jobs with a shorter estimate count as this long; otherwise their wait would outweigh everything else. */
const SHORT_SECONDS = 600;

/**
 * A pool's score from several metrics; lower is better. It is the sum of the part of its cores in use, the cores that
 * its queue asks for ÷ its cores, and the predicted completion of the job there (transfer, queue, run) ÷ its run time.
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
  usesRandom: false,
  choose: (view) => lowest(view, (pool) => combinedScore(view, pool)),
};
