import { toNoMoreUtilized } from "./moves.ts";
import type { Strategy } from "./strategy.ts";

export const resSusUtil: Strategy = {
  name: "ResSusUtil",
  summary: "suspended jobs start again at the least utilised pool",
  onSuspension: toNoMoreUtilized,
  onLongWait: null,
};
