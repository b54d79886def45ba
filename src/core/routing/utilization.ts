import { lowest } from "./lowest.ts";
import type { Routing } from "./routing.ts";

/** The pool with the lowest utilisation now. */
export const utilization: Routing = {
  name: "utilization",
  summary: "the pool with the smallest part of its cores in use",
  usesEstimates: false,
  usesRandom: false,
  choose: (view) => lowest(view, (pool) => view.state(pool).utilization),
};
