import { duplicateOf, toNoMoreUtilized } from "./moves.ts";
import type { Strategy } from "./strategy.ts";

export const dupSusUtil: Strategy = {
  name: "DupSusUtil",
  summary: "suspended jobs get a second attempt at the least utilised pool; the first to finish wins",
  onSuspension: duplicateOf(toNoMoreUtilized),
  onLongWait: null,
};
