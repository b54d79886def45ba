import { NONE } from "../none.ts";
import { combinedScore } from "../routing/combined.ts";
import { lowest } from "../routing/lowest.ts";
import type { RoutingView } from "../routing/routing.ts";
import type { Move } from "./strategy.ts";

/** The pool with the lowest score; the present one if no other has a lower score. */
function better(score: (view: RoutingView, pool: number) => number): Move["choose"] {
  return (view, present) => {
    const best = lowest(view, (pool) => score(view, pool));
    return best !== NONE && score(view, best) < score(view, present) ? best : present;
  };
}

/**
 * Moves a job to the pool with the lowest utilisation of the others, unless all of them are used more than its own
 * (Zhang 2010, section 3.2.1): a suspended job leaves for a pool used as much.
 */
export const toNoMoreUtilized: Move = {
  how: "restart",
  choose(view, present) {
    const utilization = (pool: number): number => view.state(pool).utilization;
    const other = lowest(view, (pool) => (pool === present ? Infinity : utilization(pool)));
    return other !== NONE && other !== present && utilization(other) <= utilization(present)
      ? other
      : present;
  },
  usesEstimates: false,
  usesRandom: false,
  startsTimerAnew: false,
  isCommon: true,
};

/**
 * Moves a job to the pool with the lowest utilisation, unless all others are used as much as its own or more. Moving a
 * waiting job to an equal pool gains nothing: if all pools were full, all jobs would go round.
 */
export const toLessUtilized: Move = {
  how: "restart",
  choose: better((view, pool) => view.state(pool).utilization),
  usesEstimates: false,
  usesRandom: false,
  startsTimerAnew: false,
  isCommon: true,
  mayLeave(utilizations, present) {
    for (let pool = 0; pool < utilizations.length; pool++) {
      if (utilizations[pool] < utilizations[present]) return true;
    }
    return false;
  },
};

/** Moves a job to any of the candidate pools, the present one included. */
export const toAnyPool: Move = {
  how: "restart",
  choose(view, present) {
    const eligible = view.pools.filter((pool) => view.isEligible(pool));
    return eligible.length === 0 ? present : eligible[view.random(eligible.length)];
  },
  usesEstimates: false,
  startsTimerAnew: true,
  isCommon: false,
};

/** Moves a job to the pool with the lowest sum of utilisation, queue and predicted completion. */
export const toBestScore: Move = {
  how: "restart",
  choose: better(combinedScore),
  usesRandom: false,
  startsTimerAnew: false,
  // A job that moves makes one queue shorter and another longer.
  isCommon: false,
};

/** Makes a second attempt where the strategy would have moved the job. */
export function duplicateOf(move: Move): Move {
  return { ...move, how: "duplicate" };
}
