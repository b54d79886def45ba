import { NONE } from "../none.ts";
import type { RoutingView } from "./routing.ts";

/** The eligible pool with the lowest score. Ties go to the first; `NONE` if no pool is eligible. */
export function lowest(view: RoutingView, score: (pool: number) => number): number {
  let best = NONE;
  let bestScore = Infinity;
  for (const pool of view.pools) {
    const own = score(pool);
    // Asked last: among twenty pools few have a lower score than all before them.
    if ((best !== NONE && own >= bestScore) || !view.isEligible(pool)) continue;
    best = pool;
    bestScore = own;
  }
  return best;
}
