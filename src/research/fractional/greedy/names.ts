import type { AlgorithmFamily } from "../algorithm.ts";
import { BOUND_PRECISION } from "../bound.ts";
import { bestGreedy, type GreedyPair } from "./greedy.ts";
import { hostPicks } from "./host-picks.ts";
import { serviceOrders } from "./service-orders.ts";

const pairs: readonly GreedyPair[] = serviceOrders.flatMap((order) =>
  hostPicks.map((pick) => ({ order, pick })),
);

/** A run ends once it falls behind the best so far, so the usual winners come first. */
const usualWinnersFirst = pairs.toSorted((a, b) => placeOf(a) - placeOf(b));

/** On unequal hosts P2 came first in all trials, and of the orders those by all that is asked for. */
function placeOf({ order, pick }: GreedyPair): number {
  const orders = ["S7", "S6", "S3", "S2"];
  return (pick.name === "P2" ? 0 : 10) + (orders.includes(order.name) ? orders.indexOf(order.name) : 5);
}

/** The pairs that the authors' light variant tries: those that won in their experiments. */
const LIGHT = ["S3-P1", "S2-P1", "S5-P1", "S7-P1", "S6-P1", "S2-P2", "S3-P2", "S6-P2", "S5-P4"];

export const greedyFamily: AlgorithmFamily = {
  pattern: "greedy-S1…7-P1…7",
  summary: "services one by one, in an order (S), each to the host picked (P)",
  algorithms: pairs.map((pair) =>
    greedy(`greedy-${nameOf(pair)}`, `services ${pair.order.summary}; host: ${pair.pick.summary}`, [pair]),
  ),
};

export const metaGreedyFamily: AlgorithmFamily = {
  pattern: "greedy, meta-greedy, greedy-light",
  summary: "the best of all 49 (two names for one), or of 9",
  algorithms: [
    greedy("greedy", "the best of all 49 greedy placements", usualWinnersFirst),
    greedy("meta-greedy", "the best of all 49 greedy placements", usualWinnersFirst),
    greedy(
      "greedy-light",
      "the best of 9 greedy placements",
      usualWinnersFirst.filter((pair) => LIGHT.includes(nameOf(pair))),
    ),
  ],
};

function nameOf({ order, pick }: GreedyPair): string {
  return `${order.name}-${pick.name}`;
}

function greedy(
  name: string,
  summary: string,
  members: readonly GreedyPair[],
): AlgorithmFamily["algorithms"][number] {
  return {
    name,
    summary,
    solve: (instance, { bound }) => bestGreedy(instance, members, bound - BOUND_PRECISION),
  };
}
