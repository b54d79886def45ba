import { NONE } from "../../none.ts";
import type { Prospects } from "./routing.ts";

/** The eligible pool with the lowest score, of several the first; `NONE` where none is eligible. */
export function lowest(prospects: Prospects, score: (pool: number) => number): number {
  let best = NONE;
  let bestScore = Infinity;
  for (const pool of prospects.pools) {
    if (!prospects.isEligible(pool)) continue;
    const own = score(pool);
    if (best !== NONE && own >= bestScore) continue;
    best = pool;
    bestScore = own;
  }
  return best;
}
