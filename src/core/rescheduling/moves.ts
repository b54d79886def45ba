import { NONE } from "../none.ts";
import { combinedScore } from "../routing/combined.ts";
import { lowest } from "../routing/lowest.ts";
import type { RoutingView } from "../routing/routing.ts";
import type { Move } from "./strategy.ts";

/** The pool with the lowest score; the present one where no other has a lower one. */
function better(score: (view: RoutingView, pool: number) => number): Move["choose"] {
  return (view, present) => {
    const best = lowest(view, (pool) => score(view, pool));
    return best !== NONE && score(view, best) < score(view, present) ? best : present;
  };
}

/**
 * To the pool with the lowest utilisation, unless all others are used as much or
 * more. To one that is used as much nothing is gained by moving: where all pools
 * are full, all jobs would go round.
 */
export const toLeastUtilized: Move = {
  how: "restart",
  choose: better((view, pool) => view.state(pool).utilization),
  startsTimerAnew: false,
  isCommon: true,
  mayLeave(utilizations, present) {
    for (let pool = 0; pool < utilizations.length; pool++) {
      if (utilizations[pool] < utilizations[present]) return true;
    }
    return false;
  },
};

/** To any of the candidate pools, the present one included. */
export const toAnyPool: Move = {
  how: "restart",
  choose(view, present) {
    const eligible = view.pools.filter((pool) => view.isEligible(pool));
    return eligible.length === 0 ? present : eligible[view.random(eligible.length)];
  },
  startsTimerAnew: true,
  isCommon: false,
};

/** To the pool with the lowest sum of utilisation, queue and predicted completion. */
export const toBestScore: Move = {
  how: "restart",
  choose: better(combinedScore),
  startsTimerAnew: false,
  // A job that moves makes one queue shorter and another longer.
  isCommon: false,
};

/** A second attempt where it would have been moved to. */
export function duplicateOf(move: Move): Move {
  return { ...move, how: "duplicate" };
}
