import { NONE } from "../none.ts";
import type { Routing } from "./routing.ts";

/** One pool after the other. Pools without a machine for the job are skipped. */
export const roundRobin: Routing = {
  name: "round-robin",
  summary: "the candidate pools in turn",
  usesEstimates: false,
  usesRandom: false,
  choose(view) {
    const { pools, turn } = view;
    for (let step = 0; step < pools.length; step++) {
      const at = (turn + step) % pools.length;
      if (!view.isEligible(pools[at])) continue;
      view.turn = at + 1;
      return pools[at];
    }
    return NONE;
  },
};
